"""What the Memory Writer may make of an observation: its words are the writer's, all else is the observation's."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from triage.domain.memory.notes import Note, NoteStatus, NoteTrust, Observation
from triage.policy.memory.notes.quotation import squeezed, with_quote
from triage.policy.memory.notes.sources import harmless, parts_of
from triage.policy.text.commands import commands_in
from triage.policy.text.sentences import plain

_FIRM: Final = re.compile(r"https?://[^\s<>()\"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""Links and addresses."""
_NUMBER: Final = re.compile(r"\d+")

MOST_PARTS: Final = 20
"""A note of so many parts takes no more."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The arguments of a proposal as code makes them, or why there is no note."""

    arguments: Mapping[str, Any]
    reason: str = ""
    """Empty: the note may be written."""


def settled_note(proposed: Mapping[str, Any], one: Observation, before: Note | None) -> Settled:
    """Return the arguments with which an observation is written as a note, or why it is refused.

    `proposed` are the writer's arguments; `before` is the note that the observation is added to, None for a new one.
    """
    if reason := _refusal(proposed, one) or (_not_added(before, one) if before else ""):
        return Settled(proposed, reason)
    words = {
        "kind": one.kind.value,
        "title": proposed.get("title") or one.title,
        "text": with_quote(proposed.get("text") or one.text, one.quote),
        "source_emails": proposed["source_emails"],
    }
    if before is not None:
        return Settled({**words, "note": before.id})
    more = {name: proposed[name] for name in ("tags", "related_to") if proposed.get(name)}
    return Settled({**words, **more, **_fields(one)})


def written(one: Observation, notes: Iterable[Note]) -> bool:
    """Tell whether a note of this kind holds the observation's words and names its mail: nothing is left to be done."""
    words = squeezed(harmless(one.quote or one.text)).rstrip(".")
    return any(
        note.kind is one.kind and one.source_email in note.source_emails and words in squeezed(note.text)
        for note in notes
    )


def _fields(one: Observation) -> dict[str, Any]:
    given = {
        "people": list(one.people),
        "tickets": list(one.tickets),
        "owner": one.owner,
        "deadline": one.deadline,
        "quadrant": one.quadrant.value if one.quadrant else None,
        "priority_justification": one.priority_justification,
        "commitment_status": one.commitment_status.value if one.commitment_status else None,
    }
    return {name: value for name, value in given.items() if value}


def _refusal(proposed: Mapping[str, Any], one: Observation) -> str:
    if proposed["kind"] != one.kind.value:
        return f"this observation is one of {one.kind}: a note of it has that kind"
    words = f"{proposed.get('title', '')}\n{proposed.get('text', '')}"
    if commands_in(words):
        return "title and text report what a mail says; they give no orders to a program"
    held = (one.title, one.text, one.quote, one.owner, one.sender, *one.people, *one.tickets)
    foreign = invented(words, held, (one.deadline,))
    return f"{', '.join(foreign[:3])}: the observation does not say so" if foreign else ""


def _not_added(before: Note, one: Observation) -> str:
    """Return why an observation cannot become a part of a note; then it needs one of its own."""
    own = {address.casefold() for address in before.source_senders} == {one.sender.casefold()}
    if before.status is not NoteStatus.ACTIVE:
        why = f"it is {before.status}"
    elif before.trust is not one.trust:
        why = "it is proven in another degree"
    elif one.trust is NoteTrust.UNTRUSTED and not own:
        why = "others wrote it, and this sender is not proven"
    elif len(parts_of(before)) >= MOST_PARTS:
        why = f"it has {MOST_PARTS} parts"
    else:
        return ""
    return f"{before.id} takes no part of this observation: {why}. Write a new note, and name that one in `related_to`"


def invented(text: str, sources: Iterable[str], days: Iterable[date | None] = ()) -> tuple[str, ...]:
    """Return names, addresses and numbers of a text that no source contains; parts of `days` count as contained."""
    held = plain("\n".join(sources))
    numbers = {int(found) for found in _NUMBER.findall(held)}
    numbers |= {part for day in days if day for part in (day.year, day.month, day.day)}
    firm = [found.rstrip(".,;:!?") for found in _FIRM.findall(text)]
    loose = _FIRM.sub(" ", text)
    return tuple(
        dict.fromkeys(
            [
                *(each for each in firm if plain(each) not in held),
                *(each for each in _NUMBER.findall(loose) if int(each) not in numbers),
            ]
        )
    )
