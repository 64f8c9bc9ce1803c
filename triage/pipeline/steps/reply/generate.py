"""Writes the answer, passes it through the guard like an agent's call, and decides whether a person must approve it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from triage.agent.loop import dumped
from triage.agent.run import Scope, invoke_of
from triage.agent.toolbox import Invocation
from triage.config.letters.rules import AnswerMode
from triage.domain.cases import Case
from triage.domain.conversation import Json, ToolCall
from triage.domain.errors import Denied, Permanent, Refused, TicketGone
from triage.domain.findings import Intent
from triage.domain.letters.reply import Execution, Reply, ReplyState
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.pipeline.steps.reply.execute import wishes_of
from triage.pipeline.steps.reply.wording import Worded, worded
from triage.pipeline.steps.review import effects_of
from triage.policy.calendar.working_hours import next_opening
from triage.policy.decision.permission import RunHistory, Verdict
from triage.policy.letters.reply.confidence import AnswerFacts, always_person, confidence_of, with_reasons
from triage.policy.letters.reply.decide import ReplyPart
from triage.policy.letters.reply.draft import DraftFacts, free_times, name_of
from triage.policy.letters.reply.outcome import with_letter, with_outcome
from triage.policy.ticket.attachments import ticket_of
from triage.toolsets.table import PARTS

PLACE: Final = "reply.letter"
"""Place of the call in the run's journal."""


async def generate(case: Case, at: Services) -> Case:
    """Return the case with the drafted answer, and with the call that sends, lays down or parks it in the run's record."""
    reply, texts = case.reply, at.texts
    found = case.classification.intent
    if reply is None or reply.state is ReplyState.NONE or texts is None or found is None or case.result is None:
        return case
    facts, certain = await facts_of(case, at)
    slots, zone = free_times(reply.executions, reply.language, texts, wishes_of(case, at))
    facts = replace(facts, slots=slots, zone=zone)
    text = await worded(case, reply, str(found.intent), facts, texts, at)
    reply = _weighed(case, reply, text, facts, certain=certain, at=at)
    part = ReplyPart.DRAFT if at.rules.letters.answers is AnswerMode.DRAFTS else ReplyPart.LETTER
    tool, arguments = PARTS[part], {"body": reply.draft}
    reply = replace(reply, sent_with=tool)
    came = await _called(tool, arguments, case, at, reply.person if part is ReplyPart.LETTER else ())
    case = replace(case, reply=reply, result=with_letter(case.result, tool, arguments, came))
    return replace(case, reply=with_outcome(case))


async def facts_of(case: Case, at: Services) -> tuple[DraftFacts, bool]:
    """Return what a letter to the sender may say, and whether the ticket is certainly that of his matter."""
    key, new = ticket_of(await effects_of(case, at))
    part = case.identity.joined is not None and (case.identity.participant or new)
    ticket = key if key and (new or part) else ""
    opening = next_opening(at.rules.hours, at.clock.now()) if at.rules.letters.out_of_hours else None
    closed = opening if opening is not None and opening > at.clock.now() else None
    facts = DraftFacts(
        name=name_of(case.mail.sender),
        ticket=ticket,
        status="" if new or not ticket else await _status(ticket, at),
        opens=closed.astimezone(ZoneInfo(at.rules.hours.zone)) if closed else None,
        signature=at.rules.letters.signature,
    )
    return facts, new or part


async def _status(ticket: str, at: Services) -> str:
    """Return the name of the ticket's status; empty if it is gone."""
    try:
        return (await at.tracker.tickets.get(ticket)).status
    except TicketGone:
        return ""


def _weighed(case: Case, reply: Reply, text: Worded, facts: DraftFacts, *, certain: bool, at: Services) -> Reply:
    """Return the reply with its draft, its confidence and the reasons for a person."""
    found, disposition = case.classification.intent, case.classification.disposition
    if found is None:
        raise LookupError(f"{case.id} has no intent")
    failed = [one.tool for one in reply.executions if one.state is Execution.FAILED]
    failed += [tool for tool in reply.needed if tool not in failed]
    sure = confidence_of(
        AnswerFacts(
            intent_confidence=found.confidence,
            disposition_confidence=disposition.confidence if disposition else 1.0,
            ticket=facts.ticket,
            certain=certain,
            tools_wanted=len(reply.tools) - 1 + len(reply.needed),
            tools_failed=len(failed),
            placeholders=found.intent is Intent.MEETING_REQUEST and not facts.slots,
            trust=case.identity.trust,
            always=always_person(case),
            fallback=text.fallback,
        ),
        at.rules.letters.threshold,
    )
    return replace(
        reply,
        state=ReplyState.DRAFTED,
        kind="meeting" if found.intent is Intent.MEETING_REQUEST else "answer",
        written_by=text.by,
        draft=text.body,
        confidence=sure.value,
        parts=tuple(sure.parts.items()),
        person=sure.person,
    )


async def _called(tool: str, arguments: Mapping[str, Json], case: Case, at: Services, reasons: Sequence[str]) -> Json:
    """Make the call through the guard; a refusal is its result, so that a person finds the draft."""
    try:
        invocation = at.toolbox.invocation(ToolCall(id=PLACE, name=tool, arguments=dumped(arguments)), PLACE)
        return await invoke_of(careful(scope_of(case, at), reasons))(invocation)
    except Denied:
        raise
    except (Refused, Permanent) as e:
        return {"error": str(e)}


def careful(scope: Scope, reasons: Sequence[str]) -> Scope:
    """Return the scope with a stricter judge: a call that was allowed goes to a person, for these reasons."""
    if not reasons:
        return scope

    async def judge(invocation: Invocation, history: RunHistory) -> Verdict:
        return with_reasons(await scope.judge(invocation, history), str(invocation.arguments.get("body", "")), reasons)

    return replace(scope, judge=judge)


def describe(before: Case, after: Case) -> str:
    """Describe the draft: its author, its confidence, and who decides."""
    reply = after.reply
    if reply is None or reply is before.reply:
        return ""
    person = f"; a person decides: {'; '.join(reply.person)}" if reply.person else ""
    return f"{reply.kind} in {reply.language}, {reply.tone}, by {reply.written_by}, confidence {reply.confidence:.0%}: {reply.state}{person}"
