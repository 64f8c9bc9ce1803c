"""Findings of the steps about a mail: cues, route, candidates, proposed people, review."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from triage.domain.mail import KindVerdict, Trust
from triage.domain.tickets import Person, Ticket, TicketLine
from triage.domain.untrusted import NOTHING, Untrusted

EXCERPT: Final = 500
"""Characters of a candidate's text that a prompt shows."""


NOT_READ: Final = "not read"
"""Value of a cue if no word list exists for the mail's language, so that its absence means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A heuristic finding and the words that gave it."""

    value: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What word lists and patterns find in a mail, without a model."""

    priority: Cue = Cue(value="Medium")
    """Highest, High, Medium, Low or `not read`."""
    type: Cue = Cue(value="general")
    """bug, feature, support, general or `not read`."""
    technologies: tuple[Cue, ...] = ()
    people: tuple[str, ...] = ()
    """Names or addresses of known people that the text mentions."""
    keys: tuple[str, ...] = ()
    """Ticket keys of our project in subject and text: a hint, never an authority."""
    fixed: Cue = Cue(value="no")
    """`yes` if the mail says that something works again."""
    question: Cue = Cue(value="no")
    """`yes` where the mail asks rather than reports."""
    sender_domain: str = ""
    languages: tuple[str, ...] = ()
    """Codes of the languages that it is most probably in, the likeliest first."""


class Disposition(StrEnum):
    """What sort of matter a mail is, before anything is decided about a ticket."""

    WORK = "work"
    """A bug, wish, task, incident, access or service request."""
    QUESTION = "question"
    ADDITION = "addition"
    """An answer or addition to a ticket that is known."""
    STATUS = "status"
    """A report that something is done or works again."""
    NOT_FOR_US = "not_for_us"
    """A sales offer, a job application, a personal mail."""
    NEWSLETTER = "newsletter"
    """A newsletter or a notification to many."""
    SPAM = "spam"
    """Spam or phishing."""
    AUTOMATIC = "automatic"
    """A bounce, a vacation notice, a report about another mail."""
    SEVERAL = "several"
    """Several separate matters in one mail."""
    CONFIDENTIAL = "confidential"
    """Harassment, a lawyer's claim, an illness, a suspicion: for one responsible person, and no team."""
    UNSURE = "unsure"


class DispositionAction(StrEnum):
    """What happens to a mail of a disposition."""

    TICKET = "ticket"
    COMMENT = "comment"
    """A comment on the ticket that is known; without one, as TICKET."""
    PERSON = "person"
    IGNORE = "ignore"
    """Nothing is written; the mail stays in the list, and `triage correct` makes a ticket of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DispositionFinding:
    """The disposition of a mail, and what speaks for it."""

    disposition: Disposition
    confidence: float
    """Calibrated probability, 0 to 1, that a person would say the same."""
    evidence: tuple[str, ...] = ()
    """In words, the strongest first."""
    unwanted: float = 0.0
    """Probability by rules that the mail is not for us; 0 where the sender's standing keeps it from being set aside."""
    suspected: Disposition | None = None
    """What an unsure one may be by its words; None for all others."""
    settled: bool = False
    """It leaves nothing to do and is about no ticket that is known: what would be a comment is ignored, visibly."""


class AlertState(StrEnum):
    """Whether the object still has a problem."""

    FIRING = "firing"
    RESOLVED = "resolved"


class AlertSeverity(StrEnum):
    """The program's own severity on one scale."""

    CRITICAL = "critical"
    HIGH = "high"
    WARNING = "warning"
    INFO = "info"
    UNKNOWN = "unknown"
    """The mail names no state, or an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """The content of a monitoring program's mail, found in its headers and template."""

    source: str
    """The program: `grafana`, `nagios`; one of `policy/alerts/alert.py`'s `PROGRAMS`."""
    severity: AlertSeverity
    object: Untrusted
    """What it is about, in the mail's words: `web01/HTTP`, `OPS-12`, `acme/shop: CI (main)`."""
    state: AlertState
    key: str
    """The same in all mails of a source about one object: `nagios:web01/http`. Never shown, since it contains text of the mail."""

    def __str__(self) -> str:
        """`nagios: firing, critical`; without the object, whose words are untrusted."""
        severity = "" if self.severity is AlertSeverity.UNKNOWN else f", {self.severity}"
        return f"{self.source}: {self.state}{severity}"


class Intent(StrEnum):
    """What the author wants from us, apart from the subject matter: decides how an answer is prepared."""

    INQUIRY = "inquiry"
    """Asks for information, work or help."""
    MEETING_REQUEST = "meeting_request"
    COMPLAINT = "complaint"
    """The author is displeased with us, not only with a fault. The answer is never sent without a person."""
    FOLLOW_UP = "follow_up"
    """Comes back to something that was written or agreed before."""
    SPAM = "spam"
    OTHER = "other"
    """Tells something and wants no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentFinding:
    """The intent of a mail, and what speaks for it."""

    intent: Intent
    confidence: float
    """Calibrated probability, 0 to 1, that a person would say the same."""
    evidence: tuple[str, ...] = ()


class PipelineName(StrEnum):
    """Which table of steps a case takes."""

    PIPELINE = "pipeline"
    AGENT = "agent"
    SUPPORT = "support"
    """The support hub; only with ENABLE_SUPPORT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Pipeline and profile, chosen by the first matching rule."""

    rule: str
    pipeline: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"
    project: str = ""
    """Key of the project that gets the tickets; empty: JIRA_PROJECT_KEY."""
    labels: tuple[str, ...] = ()
    """Labels of a new ticket, in addition to those of the settings."""
    account: str = ""
    """For `support`: the account whose articles answer the mail, in addition to the shared ones."""
    because: tuple[str, ...] = ()
    """One line per condition of the rule: why it holds."""
    passed_over: tuple[str, ...] = ()
    """Earlier rules that only lacked proof of the sender or of the forwarding: `rule: what lacked`, for the step's note."""


class Joined(StrEnum):
    """Evidence that a mail belongs to the ticket of its thread."""

    REPLY_ID = "reply-id"
    """It replies to a mail of ours: only its recipients know the signed Message-ID."""
    REFERENCES = "references"
    """It answers a mail of the ticket, or a mail of the ticket answers it."""
    NOTIFICATION = "jira-notification"
    """It answers a notification of Jira: only its recipients know the Message-ID, which names when the ticket was created."""
    ALERT = "alert"
    """It is an alert of the same sender about the same object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who wrote the mail, and to which thread and ticket it belongs; found by `identify`."""

    kind: KindVerdict | None = None
    alert: Alert | None = None
    """What the mail of a monitoring or tracking program says; None for other mails."""
    trust: Trust = Trust.UNVERIFIED
    trust_because: tuple[str, ...] = ()
    """Evidence for `trust`."""
    imitates: str = ""
    """How the sender resembles one of us without being it: `name is that of Ada Byron, the address is not`; else empty."""
    joined: Joined | None = None
    """Evidence that the mail belongs to the thread of the case's ticket; None if it does not."""
    participant: bool = False
    """The sender is proven and takes part in the thread; other senders in it may only comment."""
    foreign_thread: str = ""
    """Ticket of a foreign thread, in which the sender takes no part: it is mentioned, never written to."""
    succeeds: str = ""
    """Ticket of the thread, done too long ago to be reopened: the new ticket is linked to it."""
    new_topic: str = ""
    """Ticket of the thread in which a participant's reply starts a new matter; the new ticket is linked to it."""
    new_topic_because: str = ""
    own_subject: bool = False
    """The reply that starts a new matter has a new subject, too."""
    follow_up: str = ""
    """Open ticket of the same proven sender's last mail on this subject: a likely candidate, no proof."""
    replies_to_case: str = ""
    """Case of our own outgoing mail that this mail answers, bounces or is."""
    not_of: str = ""
    """Ticket that the mail does not belong to, according to a person."""
    thread_key: str = ""
    """The Message-ID of the thread's root, or the hash of an alert's object: mails with the same key are handled in order."""

    @property
    def apart(self) -> frozenset[str]:
        """Tickets that the mail does not belong to by its matter or its sender, or by a person's word."""
        return frozenset(filter(None, (self.foreign_thread, self.new_topic, self.not_of)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """What the mail is about and how much it matters; found by `classify`."""

    cues: Cues = field(default_factory=Cues)
    disposition: DispositionFinding | None = None
    """The disposition; None before `classify` and in cases of older versions."""
    intent: IntentFinding | None = None
    """What the author wants; computed only if mails are answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An existing ticket that may be about the same matter.

    It holds no whole ticket, because the case is stored again after each step.
    """

    ticket: TicketLine
    probability: float
    """Calibrated, 0 to 1, that a person would call both the same matter."""
    evidence: tuple[str, ...]
    """`title: export, invoices`, `error text: ORA-00942`, `component: Billing`."""
    certain: str = ""
    """Evidence besides similarity that is sufficient for a comment; empty if there is none."""
    excerpt: Untrusted = NOTHING
    """The beginning of its text; dropped once the case is decided."""

    @classmethod
    def of(cls, ticket: Ticket, probability: float, evidence: tuple[str, ...], certain: str = "") -> Self:
        return cls(
            ticket=ticket.line,
            probability=probability,
            evidence=evidence,
            certain=certain,
            excerpt=Untrusted(ticket.description[:EXCERPT]),
        )

    @property
    def percent(self) -> str:
        """The probability as people read it: `63 %`."""
        return f"{100 * self.probability:.0f} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentGuess:
    """A component of the project that the new ticket may belong to."""

    name: str
    probability: float
    """Calibrated, 0 to 1; the guesses of a case sum up to at most 1."""
    sure: bool = False
    """Probable enough to be written on the ticket."""
    evidence: tuple[str, ...] = ()
    """`named in the subject: invoices`, `similar: HARB-3, HARB-12`, strongest first."""


OPEN_TICKETS: Final = re.compile(r"\d+ open tickets?")


@dataclass(frozen=True, slots=True)
class Point:
    """One argument for an assignee, and its part of the score."""

    why: str
    """`similar to HARB-3, HARB-12`, `4 open tickets`."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A possible assignee of a new ticket."""

    person: Person
    score: float
    points: tuple[Point, ...]
    """The parts of the score, largest first."""
    probability: float | None = None
    """Calibrated, 0 to 1, that this is the right person; None until enough tickets are solved."""
    proposed: bool = True
    """Probable enough to be assigned without asking a person."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is this person, the weightiest first; a short queue is no reason."""
        return tuple(point.why for point in self.points if not OPEN_TICKETS.fullmatch(point.why))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A person who cannot be the assignee, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Existing tickets and possible assignees; found by `retrieve`."""

    candidates: tuple[Candidate, ...] = ()
    components: tuple[ComponentGuess, ...] = ()
    """Probable components of a new ticket, best first."""
    proposals: tuple[Suggestion, ...] = ()
    """Possible assignees, best first; the first one gets the ticket if it is `proposed`. Empty without ENABLE_SMART_ASSIGNMENT."""
    left_out: tuple[LeftOut, ...] = ()
    searched: bool = False
    """The live search answered, so a ticket may be created."""
    near: tuple[TicketLine, ...] = ()
    """Further tickets of a young tracker, nearest in meaning first; a model is shown them, and they give no right."""
    alike: TicketLine | None = None
    """The ticket of a young tracker that means nearly the same as the mail: the new ticket is linked to it."""
    named: str = ""
    """Key of the open ticket that a proven outsider means by its key, without other evidence that he has to do with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Whether a person has to review the result, and why."""

    unattended: bool
    reasons: tuple[str, ...] = ()
