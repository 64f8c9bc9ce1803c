"""The audit: runs of agents, answers of models and events of cases, and what they have cost."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime

from triage.domain.conversation import Json, Usage
from triage.domain.operations.mcp import McpCall


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which rows an audit shows; an empty field leaves nothing out."""

    case: str = ""
    profile: str = ""
    """Of runs and answers; events have none."""
    since: datetime | None = None
    until: datetime | None = None
    """Before this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAudit:
    """One run of an agent."""

    run: str
    case: str
    profile: str
    status: str
    model: str
    iterations: int
    usage: Usage
    error: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAudit:
    """One answer of a model."""

    run: str
    case: str
    number: int
    at: datetime
    call_type: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEvent:
    """One event of a case."""

    id: int
    case: str
    at: datetime
    name: str
    facts: dict[str, Json]

    def wordless(self) -> "CaseEvent":
        """Return the event without nested facts, which quote mails, for readers who may not see text of mails."""
        return replace(
            self, facts={name: fact for name, fact in self.facts.items() if not isinstance(fact, dict | list)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What was done about a mail or to the installation: a write to another system, a letter, a decision, a change of access."""

    at: datetime
    case: str = ""
    """Empty: it is about no mail."""
    by: str = ""
    """The person; empty: Triage itself."""
    kind: str
    """`create` and other kinds of an `Effect`, `letter`, `approval`, `correction`, or a change: `role_changed`, `writing_paused`, …"""
    state: str = "done"
    """State of the write, the letter or the approval; of a correction what the mail is."""
    ticket: str = ""
    detail: str = ""
    """May quote the mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one model cost on one day (UTC) for one profile."""

    day: date
    profile: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int
    """Answers among them that used tokens at an unknown price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """Mails that came in on one day (UTC)."""

    day: date
    mails: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What models have cost in one calendar month (UTC), and the cap."""

    month: str
    """`2026-11`."""
    spent_usd: float = 0.0
    cap_usd: float | None = None
    """MAX_COST_PER_MONTH; None: there is no cap."""
    unpriced: int = 0
    """Answers of the month at an unknown price."""
    resets_at: datetime

    @property
    def used_up(self) -> bool:
        """Whether no model may be asked before the month ends."""
        return self.cap_usd is not None and self.spent_usd >= self.cap_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """An audit: sums by day, and the newest rows."""

    spending: tuple[Spent, ...]
    deeds: tuple[Deed, ...]
    runs: tuple[RunAudit, ...]
    calls: tuple[CallAudit, ...]
    events: tuple[CaseEvent, ...]
    mcp_calls: tuple[McpCall, ...] = ()
    by_people: tuple[Deed, ...] = ()
    """The newest deeds of people, which may be older than all of `deeds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Figures of an installation."""

    counts: dict[str, int]
    """Cases by state."""
    days: tuple[DayCount, ...]
    spending: tuple[Spent, ...]
    budget: Budget
    approvals_open: int = 0
    mailboxes_in_trouble: int = field(default=0)
