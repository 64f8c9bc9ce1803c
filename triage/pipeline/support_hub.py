"""What only the steps of the support hub need: classifier, knowledge base, limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.config.support.rules import SupportSettings
from triage.domain.ports.knowledge import Library
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, PassageHit
from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.knowledge.answer import answer, judged

BY_URGENCY: Final[Mapping[Urgency, SupportPriority]] = {
    Urgency.CRITICAL: SupportPriority.P1,
    Urgency.HIGH: SupportPriority.P2,
    Urgency.MEDIUM: SupportPriority.P3,
    Urgency.LOW: SupportPriority.P4,
}
NOTHING: Final = KnowledgeAnswer(refused="there is no knowledge base")


def _by_formula(question: str, hits: Sequence[PassageHit], issue_type: str) -> KnowledgeAnswer:
    return answer(question, hits, issue_type=issue_type)


def _judged_by_formula(
    question: str, hits: Sequence[PassageHit], sentences: Sequence[CitedSentence], issue_type: str
) -> KnowledgeAnswer:
    return judged(question, hits, sentences, issue_type=issue_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportHub:
    """The hub of one installation; `cli/wiring/support` builds it."""

    settings: SupportSettings = field(default_factory=SupportSettings)
    classify: Callable[[str, str], SupportClass]
    """Subject and text → what the mail is about."""
    asks_for_person: Callable[[str], str]
    """Text → the words by which the customer asks for a person; empty if there are none."""
    priority: Callable[[SupportClass, str], SupportPriority] = lambda found, _: BY_URGENCY[found.urgency]
    """Class and text → the priority of an escalation."""
    library: Library | None = None
    """None: there is no knowledge base, and nothing is answered from it."""
    answer: Callable[[str, Sequence[PassageHit], str], KnowledgeAnswer] = _by_formula
    """Question, passages and issue type → the extractive answer."""
    judge: Callable[[str, Sequence[PassageHit], Sequence[CitedSentence], str], KnowledgeAnswer] = _judged_by_formula
    """Question, passages, a model's supported sentences, and issue type → the answer."""
