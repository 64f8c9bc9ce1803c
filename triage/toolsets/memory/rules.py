"""Rules of the memory's tools: what a run has seen and written, and the verdict on each call."""

from collections.abc import Collection, Mapping
from typing import Final

from triage.agent.toolbox import Invocation
from triage.domain.conversation import Grant, Json
from triage.domain.memory.notes import Note, NoteKind
from triage.policy.decision.permission import Decision, RunHistory, ToolRule, Verdict
from triage.policy.decision.rights import EVERYBODY
from triage.policy.memory.notes.writing import SENT, SETTABLE, WRITES, refusal, unsourced
from triage.policy.memory.proposals.actions import settled_action
from triage.policy.memory.proposals.closings import grounded
from triage.policy.memory.proposals.observed import Settled, settled_note
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
    settled = await _settled(arguments, history, at)
    if settled.reason:
        return Verdict(word=Decision.REFUSE, reason=settled.reason)
    return Verdict.allowed(settled.arguments)


async def _settled(arguments: Arguments, history: RunHistory, at: MemoryContext) -> Settled:
    """Return the arguments as code makes them: the agent proposes words, its sources give the rest."""
    before = await at.notes.get(arguments["note"]) if arguments.get("note") else None
    proposed = _of_observation(arguments, before, at) if at.observed else Settled(arguments)
    reason = proposed.reason or _refusal(proposed.arguments, before, history, at)
    if reason:
        return Settled(arguments, reason)
    if at.rights.derived:
        sources = [found for name in arguments.get("source_memories", ()) if (found := await at.notes.get(name))]
        return settled_action(arguments, before, sources, at.clock.now().date())
    if before is not None and at.rights.evidence:
        shown = {str(name).strip("<>") for name in history.of(SENT)}
        sent = {name: mail for name, mail in at.sent.items() if name.strip("<>") in shown}
        ground = grounded(before, arguments, sent, at.tickets, at.clock.now().date())
        return Settled({**arguments, "evidence": ground.evidence}, ground.reason)
    return proposed


def _of_observation(arguments: Arguments, before: Note | None, at: MemoryContext) -> Settled:
    sources = arguments.get("source_emails", ())
    if len(sources) != 1 or sources[0] not in at.observed:
        known = ", ".join(at.observed)
        return Settled(arguments, f"`source_emails` names the one observation that the note is made of: {known}")
    return settled_note(arguments, at.observed[sources[0]], before)


def _refusal(arguments: Arguments, before: Note | None, history: RunHistory, at: MemoryContext) -> str:
    fields = SETTABLE & {name for name in arguments if arguments[name]}
    reason = refusal(at.rights, NoteKind(arguments["kind"]), before, fields, history.times(WRITES))
    if not reason and before is None and not arguments.get("title"):
        reason = "a new note needs a `title`"
    return reason or _unknown_sources(arguments, before, fields, at)


def _unknown_sources(arguments: Arguments, before: Note | None, fields: Collection[str], at: MemoryContext) -> str:
    """Return which source the run is not about, or why the sources do not carry the note."""
    cases = arguments.get("source_emails", ())
    if unknown := sorted(set(cases) - at.facts.keys()):
        return f"{', '.join(unknown)}: this run is not about such mails; its mails are {', '.join(at.facts) or 'none'}"
    sources = bool(cases or arguments.get("source_memories"))
    return unsourced(at.rights, before, fields, [at.facts[case].sender for case in cases], sources=sources)
