"""Notices: problems that people must be told of, each with its cure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class NoticeKind(StrEnum):
    """What a notice is about; each kind is sent at most once an hour."""

    MAILBOX = "mailbox stalled"
    TRACKER = "Jira does not work"
    MODEL = "model does not work"
    WAITING = "mails wait"
    """For something other than Jira and the model."""
    RECOVERED = "recovered"
    DEAD_CASE = "mail needs a person"
    STORM = "storm of mails"
    LETTER = "letter in doubt"
    BUDGET = "budget used up"
    APPROVAL = "approval waits"
    REMINDER = "approval expires soon"
    FORGED_LINK = "link refused"
    PAUSED = "writing is paused"
    SETTINGS = "settings are broken"
    """Such as rules that could not be reloaded."""
    RESPONSE_DUE = "a customer waits for an answer"
    RESPONSE_LATE = "a customer waits too long"
    UPGRADE = "new finding after an upgrade"
    MEMORY = "memory of the week"
    TEST = "test"


class NoticeSeverity(StrEnum):
    """How bad it is; channels choose colours and sounds by it."""

    INFO = "info"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One problem that a person must be told of."""

    kind: NoticeKind
    severity: NoticeSeverity = NoticeSeverity.WARNING
    text: str
    """One or two sentences; may quote a mail."""
    cure: str = ""
    """What a person can do."""
    case: str = ""
    ticket: str = ""
    at: datetime | None = None
    key: str = ""
    """A second notice with the same key is not sent; empty: every notice is sent."""
    links: str = ""
    """Lines `name: address`, some of which decide: channels get them, the log does not."""
    number: int = 0
    """Given by the store."""

    @property
    def lasting(self) -> bool:
        """Whether it is about a state, which ends, and not about an event."""
        return self.kind in LASTING


LASTING = frozenset({NoticeKind.MAILBOX, NoticeKind.TRACKER, NoticeKind.MODEL, NoticeKind.WAITING, NoticeKind.PAUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A part of a message."""

    text: str
    """Plain text; may quote a mail."""
    links: tuple[tuple[str, str], ...] = ()
    """Names of our own, and where they lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """One message for people, made of one notice or many of a kind."""

    title: str
    paragraphs: tuple[Paragraph, ...]
    severity: NoticeSeverity

    @property
    def body(self) -> str:
        return "\n".join(
            "\n".join((one.text, *(f"  {name}: {link}" for name, link in one.links))) for one in self.paragraphs
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed:
    """Mails that wait because something does not work."""

    trouble: str
    """The error without its details."""
    detail: str
    """The latest error as a whole."""
    cases: int
    since: datetime
    """When the first of them came in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadCase:
    """A mail that no worker takes any more."""

    case: str
    subject: str
    trouble: str
