"""The memory's tools that programs outside may use: what they read, and a note that they propose and a person accepts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from triage.agent.toolbox import Tool, canonical
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import Grant, Json, ToolRun
from triage.domain.memory.notes import MemoryMail, NoteKind
from triage.domain.ports import Clock
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult
from triage.policy.decision.rights import Right, RightsRow
from triage.policy.memory.notes.writing import EVERY, SETTABLE, WriteRights, refusal
from triage.toolsets.context import Context
from triage.toolsets.memory.context import MemoryContext, Notes
from triage.toolsets.memory.rules import WRITES_NOTES
from triage.toolsets.memory.tools import (
    MEMORY_TOOLS,
    fetch_sent_emails,
    get_vault_stats,
    read_emails,
    write_memory,
)

MAIL_TOOLS: Final = (read_emails, fetch_sent_emails)
NOTE_TOOLS: Final = tuple(tool for tool in MEMORY_TOOLS if tool not in MAIL_TOOLS and tool.grant is Grant.READ)
WORDLESS: Final = frozenset({get_vault_stats.name})
"""Tools whose answers hold no words of mails."""
SOURCE: Final = "source_emails"
UNSAID: Final = (SOURCE, "evidence", "status", "quadrant", "priority_justification", "commitment_status", "tickets")
"""Arguments that a program may not use: they need mails or evidence that only a run of ours has seen."""
ASKED: Final = "propose a note"
EACH: Final = RightsRow(*[Right.PERSON] * 4)
PROGRAM: Final = WriteRights(
    creates=EVERY,
    changes=EVERY,
    fields=frozenset({"text", "people", "tags", "owner", "deadline", "related_to"}),
    budget=100,
)
"""What a program may propose; sessions bound how often."""


def _written_text(run: ToolRun) -> str:
    """Say which note was written."""
    return f"Noted {run.result['note']}." if run.result.get("note") else ""


WRITE: Final = replace(
    write_memory.without(*UNSAID),
    rule=replace(
        WRITES_NOTES,
        rights={ASKED: EACH},
        deeds=lambda *_: {"": ASKED},
        target="",
        whole=lambda arguments: ("note", arguments.get("title") or arguments.get("note") or arguments["kind"]),
        describe=_written_text,
        effect="note",
    ),
)
"""`write_memory` as a program may call it: each call waits for a person."""


async def why_not(arguments: Mapping[str, Json], notes: Notes) -> str:
    """Return why a note may not be proposed; empty if it may."""
    before = await notes.get(arguments["note"]) if arguments.get("note") else None
    fields = SETTABLE & {name for name in arguments if arguments[name]}
    if reason := refusal(PROGRAM, NoteKind(arguments["kind"]), before, fields, 0):
        return reason
    return "" if before or arguments.get("title") else "a new note needs a `title`"


@dataclass(slots=True)
class _Vault:
    """The vault as the destination of one call."""

    run: Any
    sent: int = 0


async def _write(to: _Vault, _: WriteIntent[str]) -> WriteResult:
    """Write the note. It may be written again without harm: a note that says the same is merged into the first."""
    to.sent += 1
    result = await to.run()
    return WriteResult(note=str(result["note"]), answer=result)


NOTE_EFFECT: Final = EffectKind(name="note", send=_write, verb="Noted", ends=Outcome.UPDATED)


def _envelope(case: Case) -> MemoryMail:
    """Return the proposal as the note's source, by which it can be removed: who accepts words does not prove them."""
    mail = case.mail
    return MemoryMail(
        case=case.id,
        message_id=mail.message_id or "",
        sender=mail.sender.address if mail.sender else "",
        to=(),
        subject=mail.subject,
        text=mail.text,
        at=case.received_at,
    )


def accepted_notes(notes: Notes, clock: Clock) -> Tool:
    """Return the tool that writes a note which a person has accepted, once by the case's ledger."""

    async def run(at: Context, /, **arguments: Json) -> Json:
        case, mail = at.case.id, _envelope(at.case)
        memory = MemoryContext(agent=at.accepted or case, notes=notes, clock=clock, nonce="", facts={case: mail})
        vault = _Vault(partial(write_memory.function, memory, **arguments, **{SOURCE: [case]}))
        sent = await at.effects.once(NOTE_EFFECT.name, vault, canonical(arguments), sequence=at.sequence)
        return sent.answer or {"outcome": "written before", "note": ""}

    return replace(WRITE, function=run, names={}, asks=True)
