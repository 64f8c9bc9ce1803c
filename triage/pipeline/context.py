"""The services of the steps: ports, which `cli/wiring` chooses, this case's records, and the configured rules."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from triage.agent.loop import Limits
from triage.agent.profiles import Profile
from triage.agent.toolbox import Toolbox
from triage.config.autonomy.approvals import ApprovalRules
from triage.config.autonomy.table import Autonomy
from triage.config.dispositions.table import DispositionTable
from triage.config.letters.rules import LetterSettings
from triage.config.letters.texts import LetterTexts
from triage.config.support.rules import SupportSettings
from triage.config.team import Assignment, Member
from triage.config.ticket.attachments import FileKinds
from triage.config.ticket.fields import LabelRules
from triage.config.ticket.severity import Severity
from triage.domain.calendar.periods import WorkingHours
from triage.domain.cases import Case
from triage.domain.ports import (
    Calendar,
    CaseApprovals,
    CaseDialogue,
    CaseHistory,
    CaseStore,
    Clock,
    Contacts,
    Failpoint,
    Journal,
    Ledger,
    Library,
    MailReader,
    Model,
    PeopleIndex,
    SignatureCheck,
    Threads,
    Throttle,
    TicketIndex,
    TicketStore,
    TrackerView,
    no_failpoint,
)
from triage.effects.letter_writer import LetterWriter
from triage.policy.decision.permission import WriteBudget
from triage.policy.ranking.ranker import RankingModel
from triage.policy.routing.table import RuleTable
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.throttle import RateLimits
from triage.policy.ticket.attachments import RawMail
from triage.policy.ticket.why_panel import Links

REPLIES: Final = "replies"
"""Feature: letters about arriving mails are written."""
SUPPORT: Final = "support"
"""Feature: the support hub answers mails of the route `support`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Configured limits, thresholds and tables."""

    limits: Limits = field(default_factory=Limits)
    budget: WriteBudget = field(default_factory=WriteBudget)
    routing: RuleTable = field(default_factory=RuleTable)
    edge: Edge = field(default_factory=Edge)
    """The mail servers whose Authentication-Results count."""
    rate_limits: RateLimits = field(default_factory=RateLimits)
    domains: frozenset[str] = frozenset()
    """Our own mail domains, taken from the settings."""
    may_be_from: float = 0.3
    """Probability from which a ticket may be the same matter: a new one is linked to it (MAY_BE_DUPLICATE_FROM)."""
    ranking: RankingModel | None = None
    """None: the shipped model."""
    model_patience: float = 1800.0
    """Seconds a mail waits for a model that is down."""
    settle_seconds: float = 60.0
    """Seconds to wait before searching for a write whose answer was lost."""
    prefetch: bool = True
    dry_run: bool = False
    language: str = "en"
    """The team's language: headings in tickets."""
    mask_secrets: bool = True
    """Mask passwords and their like in the mail's text; the stored raw mail keeps them."""
    raw_mail: RawMail = RawMail.LONG
    watchers: bool = True
    """Whether known recipients of the mail become watchers of the ticket."""
    team: tuple[Member, ...] = ()
    """The team of triage.yaml, whether or not it is used for assignment."""
    reopen_days: int = 14
    """Days after which a reply to a done ticket becomes a separate ticket; 0: at once."""
    links: Links = field(default_factory=Links)
    """Where people read and correct a case."""
    labels: LabelRules = field(default_factory=LabelRules)
    file_kinds: FileKinds = field(default_factory=FileKinds)
    """Which files tickets get."""
    severity: Severity = field(default_factory=Severity)
    """Which impact gives which priority."""
    dispositions: DispositionTable = field(default_factory=DispositionTable)
    hours: WorkingHours = field(default_factory=WorkingHours)
    """When our people work."""
    done_status: str = ""
    """Status proposed for a fixed ticket; empty: the project's first status of category done."""
    assignment: Assignment | None = None
    """None: smart assignment is off, also in prompt and tools."""
    component_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What mails call the components, by the component's name in lower case."""
    autonomy: Autonomy = field(default_factory=Autonomy)
    """Which effects need no person; with its `shadow` nothing is written, as in a dry run, but cases are kept."""
    approvals: ApprovalRules = field(default_factory=ApprovalRules)
    """Who decides about what waits, and how long it waits."""
    letters: LetterSettings = field(default_factory=LetterSettings)
    """Which letters are written about arriving mails."""
    largest_mail: int = 0
    """Bytes of the largest mail that is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The ports, profiles and rules for one case."""

    cases: CaseStore
    journal: Journal
    ledger: Ledger
    threads: Threads
    throttle: Throttle
    approvals: CaseApprovals
    history: CaseHistory
    tracker: TrackerView
    """The tracker as the project of the case's route has it."""
    ticket_store: TicketStore
    index: TicketIndex
    people_index: PeopleIndex
    reader: MailReader
    model: Callable[[Profile], Model | None] | None
    """Returns a profile's model; None if no model is configured, so that the playbook decides."""
    toolbox: Toolbox
    profiles: Mapping[str, Profile]
    clock: Clock
    secret: bytes = field(repr=False)
    """Key of the marks."""
    signatures: SignatureCheck | None = None
    """None: only the mail servers check DKIM."""
    calendar: Calendar | None = None
    """None: no calendar is configured."""
    contacts: Contacts | None = None
    """None: no directory is configured."""
    library: Library | None = None
    """None: the knowledge base has no source."""
    texts: LetterTexts | None = None
    """The texts of letters; None where no letter about a mail is on."""
    letters: LetterWriter | None = None
    """None: letters are switched off."""
    support: SupportSettings | None = None
    """None without ENABLE_SUPPORT."""
    dialogue: CaseDialogue | None = None
    """The conversation that the case is part of; None: none is kept."""
    projects: Mapping[str, TrackerView] = field(default_factory=dict)
    """The trackers of all projects by key; `tracker` is one of them."""
    rules: Rules = Rules()
    budget_used_up: Callable[[], Awaitable[bool]] | None = None
    """Whether models have cost as much as they may this month; None: there is no cap."""
    answers: Callable[[Case, str], Awaitable[str | None]] | None = None
    """Carries out a mail that answers a letter to an approver, by the letter's effect; None: approvers get none."""
    failpoint: Failpoint = no_failpoint

    def within(self, project: str) -> Self:
        """Return the services whose tracker is that of this project; itself if there is none of this key."""
        view = self.projects.get(project)
        return replace(self, tracker=view) if view else self

    @property
    def features(self) -> frozenset[str]:
        """What is switched on of that which steps need."""
        on = ((REPLIES, self.letters is not None and self.texts is not None), (SUPPORT, self.support is not None))
        return frozenset(name for name, is_on in on if is_on)
