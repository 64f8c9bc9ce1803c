"""The support hub: what the agents find about a conversation, and what the supervisor decides."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from triage.domain.conversation import Json
from triage.domain.support.articles import KnowledgeAnswer


class SupportStatus(StrEnum):
    """How far a conversation has come."""

    NEW = "new"
    CLASSIFIED = "classified"
    RESOLVED = "resolved"
    ESCALATED = "escalated"


class Urgency(StrEnum):
    """How soon a customer needs help."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Complexity(StrEnum):
    """How much judgement a matter needs."""

    SIMPLE = "simple"
    MODERATE = "moderate"
    COMPLEX = "complex"


class SupportPriority(StrEnum):
    """Priority of an escalation; each has a response time."""

    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"


class SupportAgent(StrEnum):
    """Where the supervisor may send a conversation next."""

    CLASSIFIER = "classifier"
    RESOLVER = "resolver"
    TOOL_AGENT = "tool_agent"
    ESCALATION = "escalation"
    END = "END"


class EscalationTrigger(StrEnum):
    """Why a person is needed."""

    LOW_CONFIDENCE = "low confidence"
    NOTHING_FOUND = "no knowledge found"
    USER_REQUEST = "the customer asks for a person"
    POLICY_EXCEPTION = "policy exception"
    TECHNICAL = "technical issue beyond the knowledge base"
    SEVERAL_FAILURES = "several attempts failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportClass:
    """What the classifier finds: the seed's structured output."""

    issue_type: str
    """One of the configured categories; shipped: technical, billing, account, booking, general."""
    urgency: Urgency = Urgency.MEDIUM
    complexity: Complexity = Complexity.SIMPLE
    tags: tuple[str, ...] = ()
    confidence: float = 0.0
    """0 to 1, calibrated, that a person would name the same issue type."""
    evidence: tuple[str, ...] = ()
    """Words that speak for it, the strongest first; where a model was asked, then what it said, and what the rules found."""
    asked: str = ""
    """The model that was asked, too; empty: rules alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The resolver's judgement: the answer with its confidence, or why there is none."""

    resolved: bool
    confidence: float
    answer: KnowledgeAnswer | None = None
    needs_data: str = ""
    """What the tool agent has to look up or do, written by code; empty if no data is needed."""
    escalation_reason: str = ""
    triggers: tuple[EscalationTrigger, ...] = ()
    """Why a person is needed; empty if none is."""
    settled: str = ""
    """The words by which the customer says that all is well: no answer is wanted."""
    partly: bool = False
    """The answer goes to the customer although a person takes over, since it answers the mail's other questions."""

    @property
    def articles_used(self) -> tuple[str, ...]:
        """Ids of the articles that the answer cites."""
        return self.answer.articles if self.answer else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportEscalation:
    """The structured summary for the person who takes over."""

    summary: str
    priority: SupportPriority
    triggers: tuple[EscalationTrigger, ...]
    attempted_steps: tuple[str, ...] = ()
    recommended_action: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)
    raised_from: SupportPriority | None = None
    """Priority of the conversation before this mail, where this one is more urgent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """One decision of the supervisor."""

    next_agent: SupportAgent
    reasoning: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What an agent has tried about a mail, and what came of it: the escalation's summary lists these."""

    agent: SupportAgent
    outcome: str
    """One sentence written by code."""
    issue_type: str = ""
    answered: bool = False
    """An answer of the resolver was sure enough to be sent."""
    passages: tuple[str, ...] = ()
    """Those that the answer cited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """The support hub's findings about a case; None in a case whose route is not `support`."""

    status: SupportStatus = SupportStatus.NEW
    channel: str = "email"
    """email, chat or api."""
    account: str = ""
    """The account whose articles and tools answer it."""
    classification: SupportClass | None = None
    resolution: Resolution | None = None
    tool_results: Mapping[str, Json] | None = None
    """What the tool agent brought; None before it ran."""
    escalation: SupportEscalation | None = None
    attempts: tuple[Attempt, ...] = ()
    """What was tried about this mail, in order."""
    earlier: tuple[Attempt, ...] = ()
    """What was tried about earlier mails of the conversation, oldest first."""
    with_person: bool = False
    """A person has taken the conversation over at an earlier mail."""
    before: SupportPriority | None = None
    """Priority that the conversation was handed over with at an earlier mail; None: nobody has it yet."""
    due_before: datetime | None = None
    """Until when a person answers it; None while none has to."""
    told: tuple[int, ...] = ()
    """Approvals whose decision the customer was told, or a person has to tell him."""
    decisions: tuple[Supervision, ...] = ()
    """The supervisor's decisions in order; their number bounds the loop."""

    @property
    def why_a_person(self) -> str:
        """Why it was handed over: what the resolver says, else the supervisor."""
        found = self.resolution.escalation_reason if self.resolution else ""
        return found or self.decisions[-1].reasoning

    def decided(self, decision: Supervision) -> Self:
        """Return the findings with one more decision."""
        return replace(self, decisions=(*self.decisions, decision))

    def aged(self) -> Self:
        """Return the findings without words of the customer, of tools and of answers."""
        return replace(self, resolution=None, tool_results=None, escalation=None, attempts=(), earlier=(), decisions=())

    def tried(self, attempt: Attempt) -> Self:
        """Return the findings with one more attempt."""
        return replace(self, attempts=(*self.attempts, attempt))
