"""The resolver: answers from articles and looked-up data, or says why a person is needed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.support.articles import KnowledgeAnswer
from triage.domain.support.conversations import Attempt, Resolution, SupportAgent, Urgency
from triage.domain.text.counts import many
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of
from triage.pipeline.steps.support.by_model import worded
from triage.pipeline.steps.support.dialogue import asked_in, asked_of
from triage.pipeline.steps.support.look_up import lookups_of
from triage.pipeline.steps.support.parts import own_words, question_of, settings_of, support_of
from triage.policy.knowledge.answer import answer as answer_of
from triage.policy.knowledge.answer import narrowed
from triage.policy.knowledge.lost_items import needs_lacking
from triage.policy.knowledge.terms import heading_of
from triage.policy.support.priority import WISHES
from triage.policy.support.resolving.lookups import read_of
from triage.policy.support.resolving.needs import needs_of
from triage.policy.support.resolving.questions import (
    MOST,
    MOST_UNKNOWN,
    combined,
    is_sure,
    means_unknown,
    questions_in,
    says_all,
)
from triage.policy.support.resolving.resolution import ResolutionFacts, repeats, resolution_of
from triage.policy.support.triggers import asks_for_person, beyond_articles, failure_words, settled_in
from triage.policy.text.sentences import read

NOTHING: Final = KnowledgeAnswer(refused="there is no knowledge base")


async def resolve(case: Case, at: Services) -> Case:
    """Return the case with its resolution, and with the attempt for the summary."""
    question, asked = question_of(case), await asked_of(case, at)
    parts, answer = await _answered(case, asked, at)
    facts = _facts(case, answer, at)
    if repeats(facts):  # nobody reads the same lines twice for the one that he asks for
        facts = replace(facts, answer=narrowed(facts.answer, question))
    found = resolution_of(facts)
    if (found.resolved or found.partly) and found.answer:  # what goes to a person is not worded
        answer = await _worded(case, facts.answer, asked, parts, at)
        found = resolution_of(replace(facts, answer=answer, lacking=_lacking(question, answer)))
    support = replace(support_of(case), resolution=found)
    if not found.needs_data:
        support = support.tried(_attempt(found, facts.issue_type))
    return replace(case, support=support)


async def _answered(
    case: Case, asked: Untrusted, at: Services
) -> tuple[Sequence[tuple[str, KnowledgeAnswer]], KnowledgeAnswer]:
    """Return each question of the mail with its answer, if there are several, and the answer to all of them."""
    questions = _questions(case, at)
    if len(questions) > MOST:
        return (), replace(NOTHING, refused=f"{len(questions)} questions in one mail")
    parts = [(one, await _part(case, one, at)) for one in questions]
    return parts, combined(await _whole(case, asked, at), parts, settings_of(at).resolve_from)


async def _whole(case: Case, asked: Untrusted, at: Services) -> KnowledgeAnswer:
    """Return the answer to the mail, without its subject where only the text alone has a sure one and says all.

    An answer to a question that points at a matter of the subject which no article has is not sure.
    """
    found, least = await _answer(case, asked, at), settings_of(at).resolve_from
    text = own_words(case)
    rarity = found.hits[0].rarity if found.hits else {}
    if asked != asked_in(case):
        return found
    if means_unknown(case.mail.subject, text, rarity):
        return replace(found, confidence=min(found.confidence, MOST_UNKNOWN))
    if is_sure(found, least) or not says_all(case.mail.subject, text, rarity):
        return found
    alone = await _answer(case, text, at)
    return alone if is_sure(alone, least) else found


def _facts(case: Case, answer: KnowledgeAnswer, at: Services) -> ResolutionFacts:
    """Return what the policy needs to judge this answer to the mail."""
    settings, support, question = settings_of(at), support_of(case), question_of(case)
    return ResolutionFacts(
        issue_type=support.classification.issue_type if support.classification else "",
        asks_for_person=asks_for_person(question),
        asks=bool(read(question).asked) and not failure_words(question),
        critical=support.classification is not None and support.classification.urgency is Urgency.CRITICAL,
        beyond=beyond_articles(question),
        wishes=support.classification is not None and not WISHES.isdisjoint(support.classification.tags),
        settled=settled_in(question),
        needs=needs_of(question),
        can_look=_can_look(case, at),
        looked=support.tool_results,
        read=read_of(support.tool_results or {}),
        answer=answer,
        lacking=_lacking(question, answer),
        earlier=support.earlier,
        with_person=support.with_person,
        other_languages=settings.other_languages,
        resolve_from=settings.resolve_from,
    )


def _attempt(found: Resolution, issue_type: str) -> Attempt:
    """Return the attempt as the summary for a person, and later mails of the conversation, know it."""
    return Attempt(
        agent=SupportAgent.RESOLVER,
        outcome=_describe(found),
        issue_type=issue_type,
        answered=found.resolved and not found.settled,
        passages=tuple(dict.fromkeys(one.passage for one in found.answer.sentences)) if found.answer else (),
    )


def _can_look(case: Case, at: Services) -> bool:
    return bool(lookups_of(at.profiles[profile_of(case)], at.toolbox))


def _questions(case: Case, at: Services) -> tuple[str, ...]:
    """Return the questions that are answered one by one, without those that the customer's data answer; none where the mail has one."""
    results = support_of(case).tool_results
    by_data = _can_look(case, at) and (results is None or bool(read_of(results)))
    questions = questions_in(own_words(case) or question_of(case))
    return tuple(one for one in questions if not (by_data and needs_of(one).data and needs_of(one).state))


async def _part(case: Case, question: str, at: Services) -> KnowledgeAnswer:
    """Return the answer to one question of the mail; a wish that a person must grant has none."""
    return NOTHING if needs_of(question).exception else await _answer(case, Untrusted(question), at)


async def _worded(
    case: Case, quoted: KnowledgeAnswer, asked: Untrusted, parts: Sequence[tuple[str, KnowledgeAnswer]], at: Services
) -> KnowledgeAnswer:
    """Return the answer in the model's words, each question by itself where the mail has several."""
    if not any(one.question for one in quoted.sentences):
        return await worded(case, quoted, asked, at)
    least = settings_of(at).resolve_from
    sure = [(question, one) for question, one in parts if is_sure(one, least)]
    answers = {q: await worded(case, one, Untrusted(q), at, number) for number, (q, one) in enumerate(sure, 1)}
    return combined(quoted, [(question, answers.get(question, one)) for question, one in parts], least)


async def _answer(case: Case, asked: Untrusted, at: Services) -> KnowledgeAnswer:
    """Return the answer that the articles of the case's account give."""
    if at.library is None:
        return NOTHING
    settings, found = settings_of(at), support_of(case).classification
    hits = await at.library.find(asked, settings.passages, support_of(case).account)
    return answer_of(asked, hits, issue_type=found.issue_type if found else "", scoring=settings.confidence)


def _lacking(question: str, answer: KnowledgeAnswer) -> str:
    """Return what the answer needs and the customer lacks; a passage under `I have forgotten my PIN` needs no PIN."""
    cited = {one.passage for one in answer.sentences}
    headings = [heading_of(hit.passage) for hit in answer.hits if hit.passage.id in cited]
    return needs_lacking(question, [*headings, *(one.text for one in answer.sentences)])


def _describe(found: Resolution) -> str:
    """Say in one sentence what the attempt gave."""
    if found.settled:
        return f"Nothing to answer: the customer says “{found.settled}”"
    hits = found.answer.hits if found.answer else ()
    searched = f"Searched the articles: {many(len(hits), 'passage') if hits else 'nothing found'}"
    if found.resolved:
        used = f", answered from {', '.join(found.articles_used) or 'the account'}"
        by = f", worded by {found.answer.worded_by}" if found.answer and found.answer.worded_by else ""
        return f"{searched}{used}{by}, confidence {found.confidence:.2f}"
    return f"{searched}, confidence {found.confidence:.2f}; {found.escalation_reason}"


def describe(_before: Case, after: Case) -> str:
    """Say what was found, or which data are missing."""
    found = after.support.resolution if after.support else None
    if found is None:
        return ""
    return f"needs data: {found.needs_data}" if found.needs_data else _describe(found)
