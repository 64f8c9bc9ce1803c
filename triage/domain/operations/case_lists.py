"""Case lists of the console: lines by thread, snoozed cases, saved views, and a pulse that changes when they do."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self
from unicodedata import normalize

from triage.domain.errors import Refused
from triage.domain.reports import CaseLine

LONGEST: Final = 200
"""Characters of each text of a case that searches read."""

NUMBERS: Final = 5
"""Of a `Pulse` as text."""
HIGHEST: Final = 2**31 - 1


def folded(text: str) -> str:
    """Return the text as searches compare it: in small letters, on one line."""
    return " ".join(normalize("NFKC", text).casefold().split())


def search_text(sender: str, subject: str, ticket: str, reason: str) -> str:
    """Return what searches read of a case: sender, subject, ticket and reason, a line each."""
    return "\n".join(folded(text[:LONGEST])[:LONGEST] for text in (sender, subject, ticket, reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxLine:
    """A line of the inbox: a case, or the newest of a thread."""

    case: CaseLine
    thread: str = ""
    """The same for all cases of one thread; contains text of a mail."""
    mails: int = 1
    """Of the whole thread."""
    waits: int = 0
    """Open approvals of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedView:
    """A saved search of a person."""

    id: int = 0
    name: str
    query: str
    tab: str = ""
    """Name of the tab in which it searches; empty: the default tab."""
    owner: str
    """Name of the account or token."""
    shared: bool = False
    """Everybody sees it; its owner and admins may delete it."""
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """The newest of everything that changes a list; equal as long as nothing has changed."""

    mail: int = 0
    event: int = 0
    approval: int = 0
    correction: int = 0
    snooze: int = 0
    """The highest numbers."""
    busy: frozenset[tuple[int, int, str]] = frozenset()
    """Number, epoch and state of the first jobs that are due or under way."""

    def __str__(self) -> str:
        """The numbers, as pages and streams write them."""
        return ".".join(map(str, (self.mail, self.event, self.approval, self.correction, self.snooze)))

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the pulse of these numbers, with nobody busy; of other text one before everything."""
        numbers = [int(part) for part in text.split(".") if part.isascii() and part.isdigit()]
        if len(numbers) != NUMBERS or max(numbers) > HIGHEST:
            return cls()
        mail, event, approval, correction, snooze = numbers
        return cls(mail=mail, event=event, approval=approval, correction=correction, snooze=snooze)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseListChanges:
    """What has changed since a pulse."""

    pulse: Pulse
    lines: tuple[InboxLine, ...] = ()
    """The changed cases, newest first."""
    many: bool = False
    """More cases changed than `lines` holds: the list must be reloaded."""


class SearchInvalid(Refused):
    """This search is not understood."""

    part: str
    cure: str

    def __str__(self) -> str:
        """Say what is wrong, and what to write instead."""
        return f"{self.part.removesuffix(':')}: {self.cure}"


class ViewNotFound(Refused):
    """There is no such view of yours."""

    view: int
