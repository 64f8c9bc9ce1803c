"""Nouns of outgoing mail: a letter, its kind, its state, the mail that it answers."""

import base64
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from triage.domain.mail import Address
from triage.domain.untrusted import NOTHING, Untrusted


class LetterKind(StrEnum):
    """What a letter is for."""

    RECEIPT = "receipt"
    """Says that a mail has arrived, and names its ticket."""
    ANSWER = "answer"
    QUESTION = "question"
    """Asks the sender for what the ticket lacks."""
    STATUS = "status"
    """Reports the state of a ticket."""
    REJECTION = "rejection"
    """Says that a mail was not taken, such as one that is too large."""
    COMMENT = "comment"
    """A public comment on the ticket."""
    MEETING = "meeting"
    APPROVAL = "approval"
    """Asks an approver."""


class LetterState(StrEnum):
    """State of a letter."""

    WAITING = "waiting"
    """Not sent yet: in its delay window, or to be tried again."""
    SENDING = "sending"
    """Committed before the first byte is sent."""
    SENT = "sent"
    UNKNOWN = "unknown"
    """It may have been sent: the server's last answer was lost. It is never resent automatically."""
    DRAFT = "draft"
    """A draft for a person: in the mailbox's folder of drafts, or only here."""
    CANCELLED = "cancelled"
    REFUSED = "refused"
    """The mail server definitely rejected it, or it could not be handed over for days."""
    BOUNCED = "bounced"
    """A mail server has returned it."""


DOUBTFUL: Final = frozenset({LetterState.SENDING, LetterState.UNKNOWN})
"""States in which it is unknown whether the letter was sent."""


class MailFolder(StrEnum):
    """A folder of our own mailbox."""

    DRAFTS = "drafts"
    SENT = "sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The mail that a letter answers, as quoted below it."""

    sender: Untrusted = NOTHING
    at: datetime | None = None
    text: Untrusted = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterFile:
    """A file that goes along with a letter."""

    name: str
    content_type: str
    """`text/calendar; method=REQUEST`, `application/pdf`."""
    base64: str

    @classmethod
    def of(cls, name: str, content_type: str, content: bytes) -> Self:
        return cls(name=name, content_type=content_type, base64=base64.b64encode(content).decode())

    @property
    def content(self) -> bytes:
        return base64.b64decode(self.base64)

    @property
    def size(self) -> int:
        """Bytes of its content, within two."""
        return len(self.base64) * 3 // 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail that Triage writes. Everything it consists of is fixed when it is queued."""

    id: int = 0
    """Number in lists; the store gives it."""
    key: str
    """`case-17:reply:1`: key of the effect; a second letter of the same key is the same letter."""
    case: str
    kind: LetterKind
    to: tuple[Address, ...]
    cc: tuple[Address, ...] = ()
    subject: str
    body: str
    """Markdown; both forms of the letter, plain and HTML, are made of it."""
    language: str = "en"
    original: Original = Original()
    files: tuple[LetterFile, ...] = ()
    in_reply_to: str = ""
    """Message-ID, without angle brackets like the two below."""
    references: tuple[str, ...] = ()
    message_id: str
    """Signed, so that answers and returned copies are recognised."""
    automatic: bool = True
    """No person has accepted it. Such a letter goes at most once, rather not at all than twice."""
    draft: bool = False
    """Goes to the folder of drafts instead of its recipients."""
    ticket: str = ""
    state: LetterState = LetterState.WAITING
    due_at: datetime | None = None
    """When a worker has to process it next: send it, search for it, copy it. None: never, or a person has to."""
    queued_at: datetime | None = None
    started_at: datetime | None = None
    """Begin of the last try."""
    attempts: int = 0
    by: str = ""
    """Who accepted or cancelled it."""
    note: str = ""
    """Why it is in this state, for people."""

    @property
    def person(self) -> str:
        """Address of the first recipient, in lower case; automatic letters are counted by it."""
        return self.to[0].address.lower() if self.to else ""

    @property
    def recipients(self) -> tuple[str, ...]:
        """All addresses, each once."""
        return tuple(dict.fromkeys(one.address for one in (*self.to, *self.cc)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What came back to a letter of ours."""

    key: str
    """Key of the letter."""
    bounced: bool
    """It was not delivered; otherwise it is only delayed, or its recipient is away."""
    note: str
