"""A conversation with a customer over several mails or chat messages, as the support hub keeps it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from triage.domain.support.conversations import Attempt, SupportStatus
from triage.domain.untrusted import Untrusted


class Author(StrEnum):
    """Who has written a message."""

    USER = "user"
    AI = "ai"
    SYSTEM = "system"
    """Written by Triage to the person who takes over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueMessage:
    """One message; a case has one of each author at most."""

    role: Author
    text: Untrusted
    case: str
    at: datetime | None = None
    """Given by the store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """What is known of a conversation; it names no person, its messages do."""

    key: str
    """Hash of thread and sender, so that only this sender's mails continue the conversation."""
    id: int = 0
    """Given by the store."""
    channel: str = "email"
    account: str = ""
    status: SupportStatus = SupportStatus.NEW
    main_issue_type: str = ""
    """Of the first classified mail."""
    tags: tuple[str, ...] = ()
    articles_used: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    ticket: str = ""
    priority: str = ""
    """P1 to P4, once it is escalated."""
    escalated_at: datetime | None = None
    respond_by: datetime | None = None
    """Until when a person answers; None while none has to."""
    opened_at: datetime | None = None
    changed_at: datetime | None = None
