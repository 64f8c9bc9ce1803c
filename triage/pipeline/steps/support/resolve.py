"""The resolver: answers from articles and looked-up data, or says why a person is needed."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.support.articles import KnowledgeAnswer
from triage.domain.support.conversations import Attempt, Resolution, SupportAgent
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of
from triage.pipeline.steps.support.by_model import worded
from triage.pipeline.steps.support.dialogue import asked_of
from triage.pipeline.steps.support.look_up import lookups_of
from triage.pipeline.steps.support.parts import hub_of, question_of, support_of
from triage.pipeline.support_hub import NOTHING
from triage.policy.knowledge.answer import narrowed
from triage.policy.support.resolving.lookups import read_of
from triage.policy.support.resolving.needs import needs_of
from triage.policy.support.resolving.resolution import ResolutionFacts, repeats, resolution_of
from triage.policy.support.settled import settled_in
from triage.policy.text.sentences import read


async def resolve(case: Case, at: Services) -> Case:
    """Return the case with its resolution, and with the attempt for the summary."""
    hub, support, question = hub_of(at), support_of(case), question_of(case)
    issue_type = support.classification.issue_type if support.classification else ""
    asked = await asked_of(case, at)
    facts = ResolutionFacts(
        issue_type=issue_type,
        asks_for_person=hub.asks_for_person(question),
        asks=bool(read(question).asked),
        settled=settled_in(question),
        needs=needs_of(question),
        can_look=bool(lookups_of(at.profiles[profile_of(case)], at.toolbox)),
        looked=support.tool_results,
        read=read_of(support.tool_results or {}),
        answer=await _answer(case, asked, at),
        earlier=support.earlier,
        with_person=support.with_person,
        resolve_from=hub.settings.resolve_from,
    )
    if repeats(facts):  # nobody reads the same lines twice for the one that he asks for
        facts = replace(facts, answer=narrowed(facts.answer, question))
    found = resolution_of(facts)
    if found.resolved and found.answer:  # what goes to a person is not worded
        found = resolution_of(replace(facts, answer=await worded(case, facts.answer, asked, at)))
    support = replace(support, resolution=found)
    if not found.needs_data:
        attempt = Attempt(
            agent=SupportAgent.RESOLVER,
            outcome=_describe(found),
            issue_type=issue_type,
            answered=found.resolved and not found.settled,
            passages=tuple(dict.fromkeys(one.passage for one in found.answer.sentences)) if found.answer else (),
        )
        support = support.tried(attempt)
    return replace(case, support=support)


async def _answer(case: Case, asked: Untrusted, at: Services) -> KnowledgeAnswer:
    """Return the answer that the articles of the case's account give."""
    hub = hub_of(at)
    if hub.library is None:
        return NOTHING
    hits = await hub.library.find(asked, hub.settings.passages, support_of(case).account)
    found = support_of(case).classification
    return hub.answer(asked, hits, found.issue_type if found else "")


def _describe(found: Resolution) -> str:
    """Say in one sentence what the attempt gave."""
    if found.settled:
        return f"Nothing to answer: the customer says “{found.settled}”"
    hits = found.answer.hits if found.answer else ()
    searched = (
        f"Searched the articles: {len(hits)} passage{'s' * (len(hits) > 1)}"
        if hits
        else "Searched the articles: nothing found"
    )
    if found.resolved:
        used = (
            f", answered from {', '.join(found.articles_used)}"
            if found.articles_used
            else ", answered from the account"
        )
        by = f", worded by {found.answer.worded_by}" if found.answer and found.answer.worded_by else ""
        return f"{searched}{used}{by}, confidence {found.confidence:.2f}"
    return f"{searched}, confidence {found.confidence:.2f}; {found.escalation_reason}"


def describe(_before: Case, after: Case) -> str:
    """Say what was found, or which data are missing."""
    found = after.support.resolution if after.support else None
    if found is None:
        return ""
    return f"needs data: {found.needs_data}" if found.needs_data else _describe(found)
