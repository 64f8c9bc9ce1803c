"""Tells the customer what a person has decided about his request: what was done, from the tool's result, or that it is refused."""

from dataclasses import replace
from typing import Final

from triage.agent.run import Scope, invoke_of
from triage.config.letters.texts import LetterTexts
from triage.domain.cases import Case
from triage.domain.support.conversations import Attempt, SupportAgent, SupportStatus
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.pipeline.steps.reply.generate import careful, facts_of
from triage.pipeline.steps.support.answer import body_of
from triage.pipeline.steps.support.dialogue import CHAT, store_reply
from triage.pipeline.steps.support.parts import called, recorded, result_of, support_of
from triage.policy.letters.reply.decide import ReplyPart
from triage.policy.letters.reply.draft import framed
from triage.policy.letters.reply.language import letter_language
from triage.policy.support.resolving.tool_decisions import (
    ToolDecision,
    decisions_of,
    describe_done,
    describe_outcome,
    letter_out,
    still_waits,
)
from triage.toolsets.table import PARTS
from triage.toolsets.tickets.rules import MODIFYING

PLACE: Final = "support.told"
"""Place of the calls in the run's journal, with the approvals that are reported."""
GRANTED, DECLINED = "granted", "declined"
"""Texts of letters."""
LETTER: Final = PARTS[ReplyPart.LETTER]


async def tell(case: Case, at: Services) -> Case:
    """Report new decisions to the customer and on the ticket; return the case with the conversation's state."""
    if case.support is None or case.result is None or at.rules.dry_run:
        return case
    new = [one for one in _decisions(case, at) if one.approval not in case.support.told]
    if new:
        case = await _send(case, new, at)
    return await _closed(case, at)


def _decisions(case: Case, at: Services) -> list[ToolDecision]:
    outside = {tool.name for tool in at.toolbox.tools if tool.outside}
    return list(decisions_of(result_of(case), outside))


async def _send(case: Case, new: list[ToolDecision], at: Services) -> Case:
    """Send the letter, and comment on the ticket with the result of both; return the case."""
    heard = [one for one in new if not one.error]
    support = support_of(case)
    for one in new:
        support = support.tried(Attempt(agent=SupportAgent.TOOL_AGENT, outcome=describe_outcome(one)))
    case = replace(case, support=replace(support, told=(*support.told, *(one.approval for one in new))))
    place = f"{PLACE}.{'-'.join(str(one.approval) for one in new)}"
    letter = "The customer was not written to."
    if heard:
        case, letter = await _written(case, heard, place, at)
    await store_reply(case, at, _whole_text(case, at))
    if case.ticket is None:
        return case
    lines = ("**Decided**", "", *(f"- {describe_outcome(one)}" for one in new), "", letter)
    arguments = {"ticket_key": case.ticket, "comment": "\n".join(lines)}
    came = await called(MODIFYING, arguments, f"{place}.ticket", invoke_of(_apart(case, f"{place}.ticket", at)), at)
    return recorded(case, MODIFYING, arguments, came)


async def _written(case: Case, heard: list[ToolDecision], place: str, at: Services) -> tuple[Case, str]:
    """Return the case with the call that sends or parks the letter, and its result."""
    if at.texts is None:
        return case, "The customer was not written to: triage.yaml has no section `letters`."
    if case.source == CHAT:
        return case, "The customer reads it in the chat."
    facts, _ = await facts_of(case, at)
    language = letter_language(case.mail, at.texts, at.rules.letters.language)
    arguments = {"body": framed(_words(case, heard, at.texts, at), language, facts, at.texts)}
    came = await called(LETTER, arguments, place, invoke_of(careful(_apart(case, place, at), ())), at)
    case = recorded(case, LETTER, arguments, came)
    if "error" in came:
        return case, f"The customer was not written to: {came['error']}"
    waits = "is told by a letter" if came.get("status") == "queued" else "gets a letter when a person has accepted it"
    return case, f"The customer {waits}."


def _words(case: Case, heard: list[ToolDecision], texts: LetterTexts, at: Services) -> str:
    """Return what was granted and done; a refusal has no reason, since none was written for the customer."""
    granted = [one for one in heard if one.granted]
    blocks = [GRANTED] * bool(granted) + [DECLINED] * (len(granted) < len(heard))
    language, done = letter_language(case.mail, texts, at.rules.letters.language), describe_done(granted)
    paragraphs = [texts.text(language, block, {"done": done}) for block in blocks]
    return "\n\n".join((paragraphs[0], *(one[:1].upper() + one[1:] for one in paragraphs[1:])))


def _whole_text(case: Case, at: Services) -> str:
    """Return all that the customer hears about this mail, without greeting: the answer, if it had one, and every decision."""
    heard = [one for one in _decisions(case, at) if not one.error and one.approval in support_of(case).told]
    answered = support_of(case).status is SupportStatus.RESOLVED and not support_of(case).escalation
    parts = [body_of(case)] if answered else []
    if heard and at.texts is not None:
        answer_text = _words(case, heard, at.texts, at)
        parts.append(answer_text[:1].upper() + answer_text[1:])
    return "\n\n".join(filter(None, parts))


async def _closed(case: Case, at: Services) -> Case:
    """Return the case as resolved once all is decided and the customer was told; this ends the response time."""
    support, result = support_of(case), result_of(case)
    done = support.told and (case.source == CHAT or letter_out(result, LETTER)) and not still_waits(result)
    failed = any(one.error for one in _decisions(case, at))
    if not done or failed or support.status is not SupportStatus.ESCALATED or await at.approvals.newer_mail():
        return case  # whoever has written since waits for an answer to that
    case = replace(case, support=replace(support, status=SupportStatus.RESOLVED))
    await store_reply(case, at, _whole_text(case, at))
    return case


def _apart(case: Case, place: str, at: Services) -> Scope:
    """Return the scope whose effects are numbered by the decision, since the case may have written before."""
    scope = scope_of(case, at)
    return replace(scope, context=lambda call: replace(scope.context(call), sequence=place))


def describe(before: Case, after: Case) -> str:
    """Describe what was reported to the customer and on the ticket, and the state of the conversation."""
    if after.support is None or before.support is None or after.support == before.support:
        return ""
    new = after.support.attempts[len(before.support.attempts) :]
    return "; ".join((*(one.outcome for one in new), f"the conversation is {after.support.status}"))
