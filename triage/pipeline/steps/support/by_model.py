"""Asks the route's model for an answer of a hub's agent, without tools; rules answer if it fails."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Messages
from triage.domain.errors import LeaseLost, Permanent, StoreDown, Transient
from triage.domain.ports import Model
from triage.domain.support.articles import KnowledgeAnswer, PassageHit
from triage.domain.support.conversations import SupportAgent
from triage.domain.untrusted import Prompt, Untrusted
from triage.pipeline.context import Services
from triage.pipeline.single_question import QuestionId, asking
from triage.pipeline.steps.support.parts import settings_of, support_of
from triage.policy.knowledge.answer import judged
from triage.policy.support.by_model.worded_answer import sentences_in, supported
from triage.policy.text.json_answer import asked_again
from triage.policy.text.untrusted import facts, fenced, ours
from triage.toolsets.prompt import TEMPLATES, nonce_of

RESOLVER: Final = "support/resolver.md"
TOKENS: Final = 1_500
T = TypeVar("T")
FIRST_RESOLVER: Final = 10


async def worded(
    case: Case, quoted: KnowledgeAnswer, question: Untrusted, at: Services, part: int = 0
) -> KnowledgeAnswer:
    """Return the answer (to one part of the mail, by its number) in the model's words as far as passages support them; else, or if the article suggests the wording, as quoted."""
    if not quoted.sentences or quoted.suggested or quoted.asked_in:
        return quoted
    attempt = sum(one.next_agent is SupportAgent.RESOLVER for one in support_of(case).decisions)
    hits = quoted.hits
    answered = await asked(
        case,
        _question(case, question, hits, at),
        QuestionId("resolver", FIRST_RESOLVER * (1 + part) + attempt),
        lambda text: sentences_in(text, len(hits)),
        at,
    )
    if answered is None:
        return quoted
    sentences, model = answered
    issue = support_of(case).classification
    answer = judged(
        question,
        hits,
        supported(sentences, hits),
        issue_type=issue.issue_type if issue else "",
        scoring=settings_of(at).confidence,
    )
    return replace(answer, worded_by=model) if answer.sentences else quoted


def _question(case: Case, question: Untrusted, hits: tuple[PassageHit, ...], at: Services) -> Messages:
    """Return the prompt: our rules, then the question and the passages behind fences."""
    nonce = nonce_of(case, at.secret)
    user = ours("Answer this question.\n\n") + fenced("MAIL", question, nonce)
    for number, hit in enumerate(hits, 1):
        one = hit.passage
        user += ours("\n") + facts({"passage": number}) + ours("\n")
        user += fenced("PASSAGE", Untrusted("\n".join(filter(None, (one.title, one.heading, one.text)))), nonce)
    return ChatMessage.system(rules_of(RESOLVER)), ChatMessage.user(user)


def rules_of(prompt: str, **values: object) -> Prompt:
    """Return a prompt of ours; `values` come from code and configuration alone."""
    return ours(TEMPLATES.get_template(prompt).render(**values))


async def asked(
    case: Case, opening: Messages, asker: QuestionId, read: Callable[[str], T], at: Services
) -> tuple[T, str] | None:
    """Return the model's answer parsed by `read`, and the model's name; an invalid answer is returned to the model once.

    `read` raises `ValueError` with what does not fit. None: there is no model, it cannot be
    asked now, or it does not get it right.
    """
    try:
        async with asking(case, asker, opening, at) as model:
            return await _read(model, opening, read) if model else None
    except (StoreDown, LeaseLost):
        raise
    except (ValueError, Transient, Permanent):
        return None


async def _read(model: Model, opening: Messages, read: Callable[[str], T]) -> tuple[T, str]:
    """Return the parsed answer, or the repaired one, and the model's name. Raises what both raise."""
    turn = await model.complete(opening, (), TOKENS)
    try:
        return read(turn.text), turn.model or model.name
    except ValueError as e:
        turn = await model.complete(asked_again(opening, turn.text, [str(e)], "object"), (), TOKENS)
        return read(turn.text), turn.model or model.name
