"""Rules of the memory's tools: what a run has seen and written, and the verdict on each call."""

from collections.abc import Collection, Mapping
from typing import Final

from triage.agent.toolbox import Invocation
from triage.domain.conversation import Grant, Json
from triage.domain.memory.notes import Note, NoteKind, NoteStatus
from triage.policy.decision.permission import Decision, RunHistory, ToolRule, Verdict
from triage.policy.decision.rights import EVERYBODY
from triage.policy.memory.notes.writing import SENT, SETTABLE, WRITES, refusal, unfounded, unsourced
from triage.toolsets.memory.context import MemoryContext

Arguments = Mapping[str, Json]


def _shown(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    """Remember the sent mails that a run was shown: they are evidence."""
    return history.saw(SENT, {mail["message_id"]: True for mail in result.get("mails", ()) if mail.get("message_id")})


def _wrote(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    return history if result.get("outcome") == "unchanged" else history.did(WRITES)


READS_SENT: Final = ToolRule(record=_shown)
WRITES_NOTES: Final = ToolRule(
    rights={"write a note of the kinds that the agent may": EVERYBODY}, counts=(WRITES,), target="note", record=_wrote
)


async def verdict_on(invocation: Invocation, history: RunHistory, at: MemoryContext) -> Verdict:
    """Decide about a call: reads run; what would be written is held against the agent's rights and the run's facts."""
    arguments = invocation.arguments
    if invocation.tool.grant is Grant.READ:
        return Verdict.allowed(arguments)
    if reason := await _refusal(arguments, history, at):
        return Verdict(word=Decision.REFUSE, reason=reason)
    return Verdict.allowed(arguments)


async def _refusal(arguments: Arguments, history: RunHistory, at: MemoryContext) -> str:
    before = await at.notes.get(arguments["note"]) if arguments.get("note") else None
    fields = SETTABLE & {name for name in arguments if arguments[name]}
    reason = refusal(at.rights, NoteKind(arguments["kind"]), before, fields, history.times(WRITES))
    if not reason and before is None and not arguments.get("title"):
        reason = "a new note needs a `title`"
    reason = reason or _unknown_sources(arguments, before, fields, at)
    if reason or before is None or not at.rights.evidence:
        return reason
    status = NoteStatus(arguments["status"]) if arguments.get("status") else None
    sent = [str(name) for name in history.of(SENT)]
    return unfounded(before, status, str(arguments.get("evidence", "")), sent, at.tickets, at.clock.now().date())


def _unknown_sources(arguments: Arguments, before: Note | None, fields: Collection[str], at: MemoryContext) -> str:
    """Return which source the run is not about, or why the sources do not carry the note."""
    cases = arguments.get("source_emails", ())
    if unknown := sorted(set(cases) - at.facts.keys()):
        return f"{', '.join(unknown)}: this run is not about such mails; its mails are {', '.join(at.facts) or 'none'}"
    sources = bool(cases or arguments.get("source_memories"))
    return unsourced(at.rights, before, fields, [at.facts[case].sender for case in cases], sources=sources)
