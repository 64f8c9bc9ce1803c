"""The configured rules, and the first argument of every tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from triage.agent.loop import Limits
from triage.config.autonomy.approvals import ApprovalRules
from triage.config.autonomy.table import Autonomy
from triage.config.dispositions.table import DispositionTable
from triage.config.letters.rules import LetterSettings
from triage.config.team import Assignment, Member
from triage.config.ticket.attachments import FileKinds
from triage.config.ticket.fields import LabelRules
from triage.config.ticket.severity import Severity
from triage.domain.calendar.periods import WorkingHours
from triage.domain.cases import Case
from triage.domain.ports import Calendar, Clock, Contacts, Library, PeopleIndex, TicketIndex, TicketStore, TrackerView
from triage.effects.letter_writer import LetterWriter
from triage.effects.writer import EffectWriter
from triage.policy.decision.permission import WriteBudget
from triage.policy.ranking.ranker import RankingModel
from triage.policy.routing.table import RuleTable
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.throttle import RateLimits
from triage.policy.ticket.attachments import RawMail
from triage.policy.ticket.why_panel import Links


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
class Context:
    """The case of a run, the ports that its tools read, and the writer of their effects."""

    case: Case
    tracker: TrackerView
    """For reading; tools write through `effects`."""
    ticket_store: TicketStore
    index: TicketIndex
    people_index: PeopleIndex
    effects: EffectWriter
    clock: Clock
    rules: Rules = field(default_factory=Rules)
    calendar: Calendar | None = None
    """None: no calendar is configured."""
    contacts: Contacts | None = None
    """None: no directory is configured."""
    library: Library | None = None
    """None: the knowledge base has no source."""
    account: str = ""
    """Whose articles are found beside those for everybody; never the model's choice."""
    words_alone: bool = False
    """Somebody searches by words of his own: how probable a ticket is about the same matter as a mail cannot be said."""
    notes: tuple[str, ...] = ()
    """What the guard reduced or left out of the call."""
    letters: LetterWriter | None = None
    """None: letters are switched off."""
    accepted: str = ""
    """Who has accepted the call; empty: nobody was asked."""
    sequence: str = "1"
    """Number of the call among those of its kind: part of an effect's key."""
