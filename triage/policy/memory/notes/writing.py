"""Says what each agent of the memory may write, refuses other calls, and computes how far a note is proven."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.memory.notes import MemoryMail, Note, NoteKind, NoteTrust

SENT: Final = "sent"
"""Noun of mails of our people that a run was shown, by Message-ID."""
WRITES: Final = "note"
"""Kind of write that a budget counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRights:
    """What one agent may write; by default nothing."""

    creates: frozenset[NoteKind] = frozenset()
    changes: frozenset[NoteKind] = frozenset()
    fields: frozenset[str] = frozenset()
    """What it may set in a note that exists; a text is only ever added to it."""
    budget: int = 0
    """Notes that one run may write."""
    sourced: bool = False
    """A change names the mails that it comes from; of other senders than the note's it only adds a text."""
    evidence: bool = False
    """A change names the sent mail or the done ticket that it rests on."""
    derived: bool = False
    """What it writes follows from the notes that it names: day, owner, numbers and how urgent it is."""


EVERY: Final = frozenset(NoteKind)
RIGHTS: Final[Mapping[str, WriteRights]] = {
    "memory_writer": WriteRights(
        creates=EVERY,
        changes=EVERY,
        fields=frozenset({"text", "people", "tags", "owner", "deadline", "commitment_status", "related_to", "tickets"}),
        budget=60,
        sourced=True,
    ),
    "action": WriteRights(
        creates=frozenset({NoteKind.ACTION}),
        changes=frozenset({NoteKind.ACTION}),
        fields=frozenset({"text", "quadrant", "priority_justification", "owner", "deadline", "related_to"}),
        budget=30,
        derived=True,
    ),
    "reconciliation": WriteRights(
        changes=frozenset({NoteKind.ACTION, NoteKind.COMMITMENT}),
        fields=frozenset({"status", "commitment_status", "deadline"}),
        budget=100,
        evidence=True,
    ),
}
"""By the name of the profile. Who is not here writes nothing."""
SETTABLE: Final = frozenset().union(*(rights.fields for rights in RIGHTS.values()))


def rights_of(agent: str) -> WriteRights:
    return RIGHTS.get(agent, WriteRights())


def refusal(rights: WriteRights, kind: NoteKind, before: Note | None, fields: Collection[str], written: int) -> str:
    """Return why a note may not be written: the kind, the fields that are set, the budget; empty if it may."""
    if written >= rights.budget:
        return f"this run may write {rights.budget} notes, and has"
    if before is None and kind not in rights.creates:
        return f"you may not create notes of {kind}; you may in {_list(rights.creates)}"
    if before is None:
        return "status and evidence belong to notes that exist: name one with `note`" if "status" in fields else ""
    if before.kind not in rights.changes:
        return f"you may not change notes of {before.kind}; you may in {_list(rights.changes)}"
    if before.kind is not kind:
        return f"{before.id} is one of {before.kind}; a note keeps its kind"
    wrong = sorted(set(fields) - rights.fields)
    return (
        f"you may not set {', '.join(wrong)} of a note that exists; you may set {_list(rights.fields)}" if wrong else ""
    )


def unsourced(
    rights: WriteRights, before: Note | None, fields: Collection[str], senders: Collection[str], *, sources: bool
) -> str:
    """Return why the sources do not carry what is written; empty if they do. `senders` are those of the mails named."""
    if not sources and (before is None or "text" in fields):
        return "a new note and an added text name where they come from: `source_emails`, `source_memories`"
    if before is None or not rights.sourced:
        return ""
    if not senders:
        return "a change names the mails that it comes from: `source_emails`"
    own = {address.casefold() for address in before.source_senders}
    foreign = sorted(address for address in senders if address.casefold() not in own)
    if foreign and set(fields) - {"text"}:
        return f"{', '.join(foreign)} did not write {before.id}, and may add a text to it and set nothing"
    return ""


def trust_of(mails: Iterable[MemoryMail], notes: Iterable[Note]) -> NoteTrust:
    """Return how far a note from these sources is proven: as far as the least of them, and never more than a mail's sender."""
    order = list(NoteTrust)
    trusts = [*(mail.trust for mail in mails), *(note.trust for note in notes)]
    lowest = max(trusts, key=order.index, default=NoteTrust.UNTRUSTED)
    return NoteTrust.VERIFIED if lowest is NoteTrust.TRUSTED else lowest


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
