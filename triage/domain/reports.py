"""Cases as people read them: lines of lists, and the report of one case."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from triage.domain.approvals import Approval, Correction
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult
from triage.domain.effects import Effect
from triage.domain.letters import Letter
from triage.domain.traces import Flood


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """A case in a list."""

    id: str
    received_at: datetime
    sender: str
    subject: str
    state: str
    """The outcome, or `ready`, `working`, `retrying` before there is one."""
    ticket: str
    reason: str
    snoozed_until: datetime | None = None
    """Until then nobody is asked about it; it may be over. None: nobody has put it off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter:
    """Which cases a list shows; an empty field leaves nothing out. Texts are parts, in capitals or not."""

    ticket: str = ""
    """Key of the case's ticket."""
    sender: str = ""
    """Part of the From header."""
    subject: str = ""
    reason: str = ""
    words: tuple[str, ...] = ()
    """Each must occur in sender, subject, ticket or reason."""
    states: tuple[str, ...] = ()
    """One of them: outcomes, or `ready`, `working`, `retrying`, `dead`."""
    since: datetime | None = None
    """Received then or later."""
    until: datetime | None = None
    """Received before."""
    needs_at: datetime | None = None
    """Only what waits for a person at that time, and is not snoozed then."""
    snoozed_at: datetime | None = None
    """Only what is snoozed at that time."""
    one_per_thread: bool = False
    """Of each thread only the newest case that passes."""


EVERY_CASE: Final = CaseFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One line of the journal of steps, as reports show it."""

    at: datetime
    name: str
    ms: float
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """A model answer as journalled."""

    run: int
    number: int
    model: str
    text: str
    calls: tuple[str, ...]
    """Tool names."""
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run of the tool loop as journalled."""

    run: int
    profile: str
    status: str
    system: str
    user: str
    """The opening prompts, as sent."""
    result: AgentResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything about one case, for a person who asks why."""

    case: Case
    state: str
    attempts: int
    trouble: str
    """The last error that postponed it, empty if there is none."""
    steps: tuple[StepLine, ...] = ()
    runs: tuple[RunLine, ...] = ()
    turns: tuple[TurnLine, ...] = ()
    effects: tuple[Effect, ...] = ()
    approvals: tuple[Approval, ...] = ()
    corrections: tuple[Correction, ...] = ()
    """People's corrections of the disposition, oldest first."""
    letters: tuple[Letter, ...] = ()
    """The letters about this case, oldest first."""
    flood: Flood | None = None
    """The flood of this mail, if a rate limit holds it."""
    rival: str = ""
    """Case with a copy of this mail from a better or worse proven sender: one of the two may be forged."""
    events: tuple[tuple[datetime, str, str], ...] = ()
    """Time, name, details as JSON."""
    jira_calls: int = 0
