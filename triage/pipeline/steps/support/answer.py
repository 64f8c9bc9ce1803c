"""Answers the customer with what the resolver found: a letter through the guard of letters and the table of autonomy."""

from dataclasses import replace
from typing import Final

from triage.agent.run import invoke_of
from triage.config.letters.texts import LetterTexts
from triage.domain.cases import Case, Outcome
from triage.domain.support.dialogues import Author
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.pipeline.steps.reply.generate import careful, facts_of
from triage.pipeline.steps.support.dialogue import CHAT, kept
from triage.pipeline.steps.support.parts import called, question_of, recorded, result_of, support_of
from triage.policy.letters.reply.decide import ReplyPart
from triage.policy.letters.reply.draft import framed
from triage.policy.letters.reply.language import letter_language
from triage.policy.support.resolving.lookups import read_of
from triage.policy.support.resolving.needs import needs_of
from triage.policy.support.resolving.wording import render_answer, render_data
from triage.toolsets.table import PARTS

PLACE: Final = "support.answer"
"""Place of the call in the run's journal."""
NO_LETTERS: Final = "letters are off: set SMTP_HOST and MAIL_FROM, and answers go to customers"


async def answer(case: Case, at: Services) -> Case:
    """Return the case with the call that sends the answer, or parks it for a person."""
    if text := settled_of(case):
        await kept(case, at, Author.AI, "")
        return replace(case, result=result_of(case)).ending(Outcome.ANSWERED, f"nothing to answer: “{text}”")
    await kept(case, at, Author.AI, _body(case, at))
    if support_of(case).channel == CHAT:
        return replace(case, result=result_of(case)).ending(Outcome.ANSWERED, "answered in the chat")
    arguments = {"body": await _letter(case, at)}
    tool = PARTS[ReplyPart.LETTER]
    if at.letters is None:
        return recorded(case, tool, arguments, {"error": NO_LETTERS})
    came = await called(tool, arguments, PLACE, invoke_of(careful(scope_of(case, at), ())), at)
    return recorded(case, tool, arguments, came)


def settled_of(case: Case) -> str:
    """Return the words by which the customer says that all is well; empty if an answer is wanted."""
    resolution = support_of(case).resolution
    return resolution.settled if resolution else ""


def body_of(case: Case) -> str:
    """Return the answer without greeting: looked-up data, sentences of articles, their sources."""
    support = support_of(case)
    found = support.resolution.answer if support.resolution else None
    return "\n\n".join(filter(None, (_data_of(case), render_answer(found) if found else "")))


def _data_of(case: Case) -> str:
    return render_data(read_of(support_of(case).tool_results or {}), needs_of(question_of(case)).data)


def letter_body(case: Case, language: str, texts: LetterTexts) -> str:
    """Return the answer with a sentence before it about looked-up data, and about articles in another language than the customer's."""
    found = support_of(case).resolution
    elsewhere = found is not None and found.answer is not None and found.answer.sentences and found.answer.asked_in
    blocks = ["records"] * bool(_data_of(case)) + ["elsewhere"] * bool(elsewhere)
    return "\n\n".join((*(texts.text(language, one, {}) for one in blocks), body_of(case)))


def _body(case: Case, at: Services) -> str:
    if at.texts is None:
        return body_of(case)
    return letter_body(case, letter_language(case.mail, at.texts, at.rules.letters.language), at.texts)


async def _letter(case: Case, at: Services) -> str:
    if at.texts is None:
        return body_of(case)
    facts, _ = await facts_of(case, at)
    language = letter_language(case.mail, at.texts, at.rules.letters.language)
    return framed(letter_body(case, language, at.texts), language, facts, at.texts)


def describe(before: Case, after: Case) -> str:
    if not after.calls or after.result is before.result:
        return ""
    last = after.calls[-1]
    outcome = last.facts.get("error") or last.facts.get("status") or "waits for a person"
    return f"{last.tool}: {outcome}"
