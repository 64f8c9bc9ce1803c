"""Asks the model of the route's agent what an agent of the hub has to say; it has no tools, and rules say it where it fails."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Messages, Role, Turn
from triage.domain.errors import LeaseLost, Permanent, StoreDown, Transient
from triage.domain.ports import Model
from triage.domain.support.articles import KnowledgeAnswer, PassageHit
from triage.domain.support.conversations import SupportAgent
from triage.domain.untrusted import Prompt, Untrusted
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of
from triage.pipeline.steps.support.parts import hub_of, question_of, support_of
from triage.policy.support.by_model.worded_answer import sentences_in, supported
from triage.policy.text.untrusted import facts, fenced, ours
from triage.toolsets.prompt import TEMPLATES, nonce_of

RESOLVER: Final = "support/resolver.md"
RESOLVER_PLACE: Final = 3_000
"""Number of the first answer among the model's answers in the run's journal, above all turns of the tool agent."""
TRIES: Final = 10
"""Numbers that one attempt of an agent may use."""
TOKENS: Final = 1_500
T = TypeVar("T")


async def worded(case: Case, quoted: KnowledgeAnswer, at: Services) -> KnowledgeAnswer:
    """Return the answer in the model's words, as far as passages bear them out; else, or where the article words it, as quoted."""
    if not quoted.sentences or quoted.suggested:
        return quoted
    attempt = sum(one.next_agent is SupportAgent.RESOLVER for one in support_of(case).decisions)
    hits = quoted.hits
    told = await asked(
        case,
        _question(case, hits, at),
        RESOLVER_PLACE + TRIES * attempt,
        lambda said: sentences_in(said, len(hits)),
        at,
    )
    if told is None:
        return quoted
    sentences, model = told
    issue = support_of(case).classification
    answer = hub_of(at).judge(question_of(case), hits, supported(sentences, hits), issue.issue_type if issue else "")
    return replace(answer, worded_by=model) if answer.sentences else quoted


def _question(case: Case, hits: tuple[PassageHit, ...], at: Services) -> Messages:
    """Return the prompt: our rules, then the question and the passages behind fences."""
    nonce = nonce_of(case, at.secret)
    user = ours("Answer this question.\n\n") + fenced("MAIL", question_of(case), nonce)
    for number, hit in enumerate(hits, 1):
        one = hit.passage
        user += ours("\n") + facts({"passage": number}) + ours("\n")
        user += fenced("PASSAGE", Untrusted("\n".join(filter(None, (one.title, one.heading, one.text)))), nonce)
    return ChatMessage.system(rules_of(RESOLVER)), ChatMessage.user(user)


def rules_of(prompt: str, **values: object) -> Prompt:
    """Return a prompt of ours; `values` come from code and configuration alone."""
    return ours(TEMPLATES.get_template(prompt).render(**values))


async def asked(
    case: Case, opening: Messages, place: int, read: Callable[[str], T], at: Services
) -> tuple[T, str] | None:
    """Return what `read` makes of the model's answer, and the model's name; what does not fit is told to the model once.

    `read` raises `ValueError` with what does not fit. None: there is no model, it cannot be asked now, or it does not get it right.
    """
    profile = at.profiles.get(profile_of(case))
    model = at.model(profile) if at.model and profile else None
    if model is None or await _spent(case, place, at):
        return None
    try:
        turn = await _turn(case, opening, place, model, at)
        try:
            return read(turn.text), turn.model or model.name
        except ValueError as e:
            said = ChatMessage(role=Role.ASSISTANT, text=turn.text or "(no answer)")
            turn = await _turn(case, (*opening, said, ChatMessage.user(_mended(str(e)))), place + 1, model, at)
            return read(turn.text), turn.model or model.name
    except (StoreDown, LeaseLost):
        raise
    except (ValueError, Transient, Permanent):
        return None


async def _spent(case: Case, place: int, at: Services) -> bool:
    """Tell whether the month's budget is used up; an answer that is kept costs nothing."""
    if not at.budget_used_up or await at.journal.turn(case.run_id, place):
        return False
    return await at.budget_used_up()


def _mended(problem: str) -> Prompt:
    told = ours("Your answer does not fit: ") + facts({"problem": problem})
    return told + ours(". Answer again with the whole object, and nothing around it.\n")


async def _turn(case: Case, messages: Messages, place: int, model: Model, at: Services) -> Turn:
    """Return the model's answer, kept before it is used, so that a restart does not ask again. Raises what the model raises."""
    kept = await at.journal.turn(case.run_id, place)
    if kept is None:
        started = at.clock.now()
        kept = await model.complete(messages, (), TOKENS)
        await at.journal.keep_turn(case.run_id, place, kept, (at.clock.now() - started).total_seconds() * 1000)
    return kept
