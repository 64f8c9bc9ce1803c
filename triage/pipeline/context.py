"""What steps work with: the ports, chosen once in `cli/wiring/app.py`, and this case's records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from triage.agent.loop import Limits
from triage.agent.profiles import Profile
from triage.agent.toolbox import Toolbox
from triage.config.routing_rule import RoutingRule
from triage.config.team import Assignment
from triage.domain.ports import (
    CaseApprovals,
    CaseStore,
    Clock,
    Comments,
    Failpoint,
    Journal,
    Ledger,
    MailReader,
    Metadata,
    Model,
    People,
    PeopleIndex,
    SignatureCheck,
    Sprints,
    Threads,
    Throttle,
    TicketIndex,
    TicketReader,
    TicketWriter,
    TrackerView,
    no_failpoint,
)
from triage.policy.decision.permission import WriteBudget
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.throttle import RateLimits
from triage.policy.ticket.attachments import RawMail


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Numbers and tables that decisions are made by."""

    limits: Limits = field(default_factory=Limits)
    budget: WriteBudget = field(default_factory=WriteBudget)
    routing: tuple[RoutingRule, ...] = ()
    edge: Edge = field(default_factory=Edge)
    """Whose Authentication-Results count."""
    rate_limits: RateLimits = field(default_factory=RateLimits)
    domains: frozenset[str] = frozenset()
    """Our own mail domains, as far as the settings tell them."""
    duplicate_threshold: float = 0.55
    model_patience: float = 1800.0
    """Seconds a mail waits for a model that is down."""
    settle_seconds: float = 60.0
    """Wait before looking for a write whose answer was lost."""
    prefetch: bool = True
    dry_run: bool = False
    raw_mail: RawMail = RawMail.LONG
    watchers: bool = True
    """Who is in copy and known hears of the ticket."""
    reopen_days: int = 14
    """So long an answer to a done ticket speaks to that one; later, or with 0 at once, it becomes a ticket of its own."""
    done_status: str = ""
    """Proposed for a fixed ticket; empty: the project's first status that means done."""
    assignment: Assignment | None = None
    """None: nobody is proposed, and neither prompt nor tools say a word of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The world of one case."""

    cases: CaseStore
    journal: Journal
    ledger: Ledger
    threads: Threads
    throttle: Throttle
    approvals: CaseApprovals
    tickets: TicketReader
    writer: TicketWriter
    comments: Comments
    people: People
    sprints: Sprints
    metadata: Metadata
    index: TicketIndex
    people_index: PeopleIndex
    reader: MailReader
    model: Callable[[Profile], Model] | None
    """The model of a profile; None where no model is configured and the playbook decides."""
    toolbox: Toolbox
    profiles: Mapping[str, Profile]
    clock: Clock
    secret: bytes = field(repr=False)
    """Key of the marks."""
    signatures: SignatureCheck | None = None
    """None: DKIM is left to the mail servers."""
    rules: Rules = Rules()
    failpoint: Failpoint = no_failpoint

    @property
    def tracker(self) -> TrackerView:
        """All of the tracker's ports, for effects."""
        return TrackerView(
            tickets=self.tickets,
            writer=self.writer,
            comments=self.comments,
            people=self.people,
            sprints=self.sprints,
            metadata=self.metadata,
        )
