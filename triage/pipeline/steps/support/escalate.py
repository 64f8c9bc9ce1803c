"""Hands a conversation to a person: writes a ticket with the structured summary, and a letter that announces the person."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from triage.agent.run import invoke_of
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import Refused, Transient
from triage.domain.letters import LetterKind
from triage.domain.support.conversations import (
    EscalationTrigger,
    Support,
    SupportEscalation,
    SupportPriority,
    SupportStatus,
)
from triage.domain.support.dialogues import Author
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.pipeline.steps.reply.generate import facts_of
from triage.pipeline.steps.support.answer import body_of, letter_body
from triage.pipeline.steps.support.dialogue import CHAT, kept, looked_up_before
from triage.pipeline.steps.support.parts import (
    called,
    own_words,
    question_of,
    recorded,
    settings_of,
    support_of,
)
from triage.policy.decision.playbook import issue_type_of
from triage.policy.decision.review import waits_for
from triage.policy.letters.compose import Wording
from triage.policy.letters.reply.decide import ReplyPart
from triage.policy.letters.reply.draft import draft_of, framed
from triage.policy.letters.reply.language import letter_language
from triage.policy.support.issue import issue_of
from triage.policy.support.priority import conversation_priority, jira_priority, priority_of
from triage.policy.support.resolving.resolution import TAKEN_OVER
from triage.policy.support.response_times import due_of, earlier_of, timer_of
from triage.policy.support.summary import SummaryFacts, recommendation_of, summary_of
from triage.policy.text.untrusted import word
from triage.policy.ticket.markdown import literal
from triage.policy.ticket.text.summary import summary_of as one_line
from triage.toolsets.prompt import mail_text
from triage.toolsets.table import PARTS
from triage.toolsets.tickets.rules import CREATING, MODIFYING, SEARCHING

PLACE: Final = "support.ticket"
"""Place of the call in the run's journal."""
SEARCH_PLACE: Final = "support.search"
ANSWER_PLACE: Final = "support.rest"
LETTER: Final = PARTS[ReplyPart.LETTER]


async def escalate(case: Case, at: Services) -> Case:
    """Return the case with its escalation, the call that wrote the ticket, and the state escalated."""
    support = replace(support_of(case), status=SupportStatus.ESCALATED)
    support = replace(support, escalation=_escalation(case, support, await looked_up_before(case, at), at))
    case = replace(case, support=support)
    tool, arguments = await _ticket(case, at)
    invoke = invoke_of(scope_of(case, at))
    if tool == CREATING and not case.retrieval.searched:
        # OPENAI_PREFETCH=false, or a mail without a word to search for: a ticket needs a search before it.
        await called(SEARCHING, {"search_text": arguments["summary"]}, SEARCH_PLACE, invoke, at)
    came = await called(tool, arguments, PLACE, invoke, at)
    case = await _timed(recorded(case, tool, arguments, came), _key_in(came) or case.ticket or "", at)
    await kept(case, at, Author.SYSTEM, _text(case), _key_in(came) or case.ticket or "")
    case, sent = await _answer_rest(case, at)
    return case if sent else await _notify_customer(case, at)


async def _answer_rest(case: Case, at: Services) -> tuple[Case, bool]:
    """Return the case with the letter that answers the mail's other questions, and whether it goes without a person."""
    found, texts = support_of(case).resolution, at.texts
    if found is None or found.answer is None or not found.partly or at.rules.dry_run:
        return case, False
    chat = support_of(case).channel == CHAT
    if texts is None:
        if chat:
            await kept(case, at, Author.AI, body_of(case))
        return case, chat
    language = letter_language(case.mail, texts, at.rules.letters.language)
    facts, _ = await facts_of(case, at)
    left = literal(" ".join(found.answer.open))
    body = f"{letter_body(case, language, texts)}\n\n{texts.text(language, 'handed', {'question': left, 'ticket': facts.ticket})}"
    await kept(case, at, Author.AI, body)
    if chat:
        return case, True
    arguments = {"body": framed(body, language, facts, texts)}
    came = await called(LETTER, arguments, ANSWER_PLACE, invoke_of(scope_of(case, at)), at)
    return recorded(case, LETTER, arguments, came), came.get("status") == "queued"


def _key_in(came: Json) -> str:
    return str(came.get("key", "")) if isinstance(came, Mapping) else ""


async def _timed(case: Case, key: str, at: Services) -> Case:
    """Return the case with the moment by Jira's own SLA, where the ticket is a customer request that has one."""
    if not key or at.rules.dry_run:
        return case
    try:
        timer = timer_of(await at.tracker.tickets.timers(key), settings_of(at).sla)
    except Transient:  # the ticket is there; whoever watches the response times reads the timer later
        return case
    if timer is None or not timer.running or timer.breaches_at is None:
        return case
    escalation = _escalation_of(case)
    shown = {"respond_by": timer.breaches_at.isoformat(), "sla": timer.name}
    escalation = replace(escalation, context={**escalation.context, **shown})
    return replace(case, support=replace(support_of(case), escalation=escalation))


def _escalation_of(case: Case) -> SupportEscalation:
    """Return the escalation. Raises `LookupError` where there is none."""
    escalation = support_of(case).escalation
    if escalation is None:
        raise LookupError(f"{case.id} is not escalated")
    return escalation


def _text(case: Case) -> str:
    """Return the summary with its priority, as the ticket gets it."""
    escalation = _escalation_of(case)
    raised = f" (raised from {escalation.raised_from})" if escalation.raised_from else ""
    lead = f"**{escalation.priority}**{raised}, answer within {escalation.context['response_time']}"
    return f"{lead}\n\n{escalation.summary}"


def _escalation(case: Case, support: Support, before: Sequence[Mapping[str, Json]], at: Services) -> SupportEscalation:
    """Return the summary, priority and deadline for the person who takes over; `before`: what was looked up for earlier mails."""
    found = support.resolution
    triggers = (found.triggers if found else ()) or (EscalationTrigger.LOW_CONFIDENCE,)
    action = recommendation_of(triggers, waits=any(map(waits_for, (support.tool_results or {}).values())))
    sender = case.mail.sender
    own = priority_of(support.classification, question_of(case)) if support.classification else SupportPriority.P3
    current = conversation_priority(own, support.before)
    given = settings_of(at).response_times[current.priority]
    due = earlier_of(due_of(given, case.received_at, at.rules.hours), support.due_before)
    facts = SummaryFacts(
        issue=issue_of(case.mail.subject, mail_text(case.mail)) or "(no words)",
        message=own_words(case) or question_of(case),
        name=sender.name if sender else "",
        email=sender.address if sender else "",
        tools=tuple(name for results in (*reversed(before), support.tool_results or {}) for name in results),
        before=tuple(before),
    )
    return SupportEscalation(
        summary=summary_of(support, facts, (support.why_a_person,), action),
        priority=current.priority,
        raised_from=current.raised_from,
        triggers=triggers,
        attempted_steps=tuple(one.outcome for one in (*support.earlier, *support.attempts)),
        recommended_action=action,
        context={
            "respond_by": due.isoformat(),
            "response_time": str(given),
            "account": support.account,
            "channel": support.channel,
        },
    )


async def _ticket(case: Case, at: Services) -> tuple[str, Mapping[str, Json]]:
    """Return the call that hands it over: a comment on the thread's ticket, else a new ticket."""
    escalation, text = _escalation_of(case), _text(case)
    project = await at.tracker.metadata.project()
    priority = jira_priority(escalation.priority, project.priorities)
    if case.ticket:
        raised = {"priority": priority} if escalation.raised_from and priority else {}
        return MODIFYING, {"ticket_key": case.ticket, "comment": text, **raised}
    owner = next((one.person for one in case.retrieval.proposals[:1] if one.proposed), None)
    named = {
        "priority": priority,
        "assignee": owner.email or str(owner.name) if owner else "",
        "components": [one.name for one in case.retrieval.components[:1] if one.probability >= SURE],
    }
    return CREATING, {
        "summary": one_line(case.mail.subject, own_words(case))
        or f"Support: {word(case.mail.subject) or 'a question'}",
        "description": text,
        "issue_type": issue_type_of("support", project.issue_types),
        **{name: value for name, value in named.items() if value},
    }


SURE: Final = 0.5
"""Least probability of a component that the ticket gets."""


async def _notify_customer(case: Case, at: Services) -> Case:
    """Send the letter that a person takes over; record the reason if no letter is allowed. Return the case."""
    writer, texts = at.letters, at.texts
    escalation = support_of(case).escalation
    if escalation is None or writer is None or texts is None or at.rules.dry_run:
        return case
    facts, _ = await facts_of(case, at)
    language = letter_language(case.mail, texts, at.rules.letters.language)
    kind = LetterKind.RECEIPT
    wording = Wording(kind=kind, body=draft_of(str(kind), language, facts, texts), language=language)
    try:
        letter = await writer.write_automatically(case, f"{kind}:1", wording)
        note = f"letter {letter.id} to {letter.person}"
    except Refused as e:
        note = f"no letter: {e}"
    escalation = replace(escalation, context={**escalation.context, "told": note})
    return replace(case, support=replace(support_of(case), escalation=escalation))


def describe(_before: Case, after: Case) -> str:
    """Describe priority, triggers, response deadline and by whose clock, and whether the customer was told."""
    found = after.support.escalation if after.support else None
    if found is None:
        return ""
    note = f"; {found.context['told']}" if "told" in found.context else ""
    raised = f" (raised from {found.raised_from})" if found.raised_from else ""
    by = f" ({found.context['sla']} in Jira)" if "sla" in found.context else ""
    why = TAKEN_OVER if after.support and after.support.with_person else ", ".join(found.triggers)
    due = datetime.fromisoformat(found.context["respond_by"]).astimezone(UTC)
    return f"{found.priority}{raised}: {why}; answer by {due:%Y-%m-%d %H:%M} UTC{by}{note}"
