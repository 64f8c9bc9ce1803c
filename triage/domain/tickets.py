"""Tickets, people and projects; the Jira adapter converts Jira's JSON to these."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from triage.domain.untrusted import NOTHING, Untrusted

_MARK: Final = re.compile(r"triage-[0-9a-f]{20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody a ticket can belong to."""

    id: str
    """Cloud: accountId; Data Center: user name. The only thing we write."""
    name: Untrusted
    """As shown."""
    email: str = ""
    """Mostly hidden on Cloud."""
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """How many tickets somebody has that are not done."""

    waiting: int = 0
    in_progress: int = 0

    @property
    def open(self) -> int:
        """Both together."""
        return self.waiting + self.in_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketLine:
    """A Jira issue as one line of a list."""

    key: str
    summary: Untrusted
    status: str
    category: str
    """`new`, `indeterminate` or `done`: Jira's status category keys."""
    issue_type: str
    url: str = ""
    """Where a person reads it."""

    @property
    def number(self) -> int:
        """The 42 of OPS-42."""
        return number_of(self.key)

    @property
    def open(self) -> bool:
        """Nobody has called it done."""
        return self.category != "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket(TicketLine):
    """A Jira issue as far as we need it."""

    description: Untrusted = NOTHING
    """Plain text, whatever Jira stores."""
    priority: str | None = None
    assignee: Person | None = None
    reporter: Person | None = None
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    created: datetime | None = None
    updated: datetime | None = None
    done_at: datetime | None = None
    """Since when it has been done, as far as that is told."""
    duplicates: tuple[str, ...] = ()
    """Keys that it is said to duplicate; told by `Tracker.ours` alone."""
    mark: str = ""
    """The label of the `Mark` that it was made with; told by `Tracker.ours` alone."""

    @property
    def line(self) -> TicketLine:
        """All that a list shows."""
        return TicketLine(
            key=self.key,
            summary=self.summary,
            status=self.status,
            category=self.category,
            issue_type=self.issue_type,
            url=self.url,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketLink:
    """Another ticket that a ticket is tied to."""

    words: str
    """As Jira reads it from this end: `duplicates`, `is blocked by`."""
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What somebody has said on a ticket."""

    author: Untrusted
    at: datetime | None
    text: Untrusted
    """Plain text, whatever Jira stores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketDetails:
    """A ticket with all that a reader of its page sees."""

    ticket: Ticket
    due: date | None = None
    links: tuple[TicketLink, ...] = ()
    comments: tuple[Comment, ...] = ()
    """The latest, newest first."""


def number_of(key: str) -> int:
    """The 42 of OPS-42; 0 for what is no key."""
    tail = key.rpartition("-")[2]
    return int(tail) if tail.isdecimal() else 0


def highest_of(tickets: Iterable[Ticket]) -> dict[str, int]:
    """The highest ticket number of each project among them."""
    highest: dict[str, int] = {}
    for ticket in tickets:
        project = ticket.key.rpartition("-")[0]
        highest[project] = max(highest.get(project, 0), ticket.number)
    return highest


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketQuery:
    """What to look for in our project; parts that are given must all hold."""

    words: tuple[str, ...] = ()
    """Any of these words in summary, description or comments."""
    status: str | None = None
    assignee: str | None = None
    """A person's id."""
    days: int | None = None
    """Updated within so many days; None searches the whole history."""
    minutes: int | None = None
    """Updated within so many minutes."""
    below: int | None = None
    """Tickets with a lower number than this one of an existing ticket, the highest number first; 0: all of them."""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a project our index of tickets holds."""

    lowest: int
    """All tickets from this number upward have been read."""
    as_of: datetime
    """Changes up to this moment have been read."""

    @property
    def complete(self) -> bool:
        """The whole history has been read."""
        return self.lowest <= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketDraft:
    """A ticket to be."""

    summary: str
    description: str
    """Markdown; mail text inside stands in fenced code blocks."""
    issue_type: str
    priority: str | None = None
    assignee: str | None = None
    """A person's id."""
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    due_date: date | None = None
    parent: str | None = None
    """The epic it belongs to, by key: `parent` on Cloud, the field Epic Link on Data Center."""
    sprint: int | None = None
    """A sprint's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketChange:
    """New values; None leaves the old one."""

    summary: str | None = None
    assignee: str | None = None
    """A person's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What makes one write findable again: carried by the ticket or comment it created."""

    label: str
    """`triage-` and 80 bits of HMAC: nobody else can write it."""
    case: str
    message_hash: str
    """sha256 of the Message-ID, or of the raw mail; never the mail itself."""


def is_mark(text: str) -> bool:
    """A label has the shape of a mark's; people's own labels, `triage-needed`, have not."""
    return _MARK.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A ticket that now exists, and what Jira would not take."""

    key: str
    url: str
    dropped: tuple[str, ...] = ()
    """Fields left out because Jira refused them: assignee, priority, components, labels, marker."""
    ticket: Ticket | None = field(default=None, compare=False)
    """As read back, where it was made by an earlier request, of which nobody knows what Jira took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file on its way to a ticket."""

    name: str
    """Basename, fit to be shown; Jira is told no path."""
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file that hangs on a ticket."""

    id: str
    name: Untrusted
    size: int
    """Bytes."""
    ours: bool
    """Our account put it there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprint:
    """A time box of the project's board."""

    id: int
    name: Untrusted
    state: str
    """`active`, `future` or `closed`."""
    start: datetime | None = None
    end: datetime | None = None
    tickets: int = 0
    """How many are in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A state of the workflow."""

    name: str
    category: str
    """`new`, `indeterminate` or `done`; empty where Jira does not say."""
    id: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The live metadata of the project we write to."""

    key: str
    name: str
    issue_types: tuple[str, ...]
    """Types a ticket can be created with; sub-tasks left out."""
    priorities: tuple[str, ...]
    """Highest first."""
    components: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    people: tuple[Person, ...] = ()
    """Active and assignable."""
    people_cut: bool = False
    """Jira does not list all of them, or hides them from our account."""
    required: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields Jira demands beyond ours, by issue type."""
    service: bool = False
    """A service project, or one of a type that we do not know: customers read along unless a comment is internal."""
    link_types: tuple[str, ...] = ()
    """`Duplicate`, `Relates` … as Jira names them; none where links are switched off."""
    upload_limit: int = 0
    """Largest file in bytes; 0 where attachments are switched off."""
