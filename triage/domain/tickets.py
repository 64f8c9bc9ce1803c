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
    """A user of the tracker, who can be an assignee."""

    id: str
    """Cloud: accountId; Data Center: user name. Writes use nothing else of a person."""
    name: Untrusted
    """Display name."""
    email: str = ""
    """Mostly hidden on Cloud."""
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Number of a person's tickets that are not done."""

    waiting: int = 0
    in_progress: int = 0

    @property
    def open(self) -> int:
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
    """Web page of the ticket, for people."""

    @property
    def number(self) -> int:
        """The number in the key: 42 of OPS-42."""
        return number_of(self.key)

    @property
    def open(self) -> bool:
        """Whether its status category is not `done`."""
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
    """When it was done, as far as Jira says."""
    duplicates: tuple[str, ...] = ()
    """Keys of tickets that it duplicates by a link; set by `TicketReader.ours` alone."""
    mark: str = ""
    """Label of the `Mark` it was created with; set by `TicketReader.ours` alone."""

    @property
    def line(self) -> TicketLine:
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
    """A link to another ticket."""

    words: str
    """Jira's name of the link from this end: `duplicates`, `is blocked by`."""
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A person's comment on a ticket."""

    author: Untrusted
    at: datetime | None
    text: Untrusted
    """Plain text, whatever Jira stores."""
    id: str = ""
    by: str = ""
    """The author's id; empty for an account that is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketDetails:
    """A ticket with all that a reader of its page sees."""

    ticket: Ticket
    due: date | None = None
    links: tuple[TicketLink, ...] = ()
    comments: tuple[Comment, ...] = ()
    """The latest, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """A change of one field, from a ticket's changelog."""

    field: str
    """Jira's id of the field: `priority`, `components`, `issuelinks`."""
    was: str
    """As text; empty for nothing. Of fields with several values the one that was removed."""
    becomes: str
    author: str
    """The person's id; empty for an account that is gone."""
    author_name: Untrusted
    at: datetime


def number_of(key: str) -> int:
    """The 42 of OPS-42; 0 if the text is not a key."""
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
    """A search in our project; all given conditions must hold."""

    words: tuple[str, ...] = ()
    """Any of these words in summary, description or comments."""
    status: str | None = None
    assignee: str | None = None
    """A person's id."""
    days: int | None = None
    """Updated within this many days; None searches the whole history."""
    minutes: int | None = None
    """Updated within this many minutes."""
    below: int | None = None
    """Only tickets numbered below this existing ticket, highest number first; 0: all tickets."""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomField:
    """A field of new tickets that triage.yaml leaves to the mail."""

    id: str
    """Jira's id, which its name never shadows: `customfield_10042`."""
    name: str
    values: tuple[str, ...] = ()
    """The allowed values, as Jira spells them; empty: any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """A value of a custom field, resolved to the field's id."""

    id: str
    name: str
    value: str


PANEL: Final = "Why Triage decided so"
"""Title of every panel; text that we read back from Jira leaves panels of this title out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The collapsed panel below a text of ours that gives the reasons; the tracker's adapter renders it."""

    lines: tuple[str, ...]
    """One line of Markdown each, made by code."""

    @property
    def markdown(self) -> str:
        return "\n".join(f"- {line}" for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketDraft:
    """A ticket to create."""

    summary: str
    description: str
    """Markdown; text of mails is inside fenced code blocks."""
    issue_type: str
    priority: str | None = None
    assignee: str | None = None
    """A person's id."""
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    affects_versions: tuple[str, ...] = ()
    """The versions with the fault, by name."""
    due_date: date | None = None
    parent: str | None = None
    """The epic it belongs to, by key: `parent` on Cloud, the field Epic Link on Data Center."""
    sprint: int | None = None
    """A sprint's id."""
    fields: tuple[FieldValue, ...] = ()
    panel: Panel | None = None
    """Stands below the description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketChange:
    """New values of a ticket; None keeps the old value."""

    summary: str | None = None
    assignee: str | None = None
    """A person's id."""
    priority: str | None = None
    """One of the project's names."""
    issue_type: str | None = None
    """One of the project's names."""
    reports: int | None = None
    """Value of the field that counts reports, if triage.yaml names one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Identifies one write: the created ticket or comment carries it, so that it is found again."""

    label: str
    """`triage-` and 80 bits of HMAC, which nobody else can compute."""
    case: str
    message_hash: str
    """sha256 of the Message-ID, or of the raw mail; never the mail itself."""


def is_mark(text: str) -> bool:
    """Whether a label has the form of a mark; people's own labels, such as `triage-needed`, do not."""
    return _MARK.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A created ticket, and the values that Jira refused."""

    key: str
    url: str
    dropped: tuple[str, ...] = ()
    """Fields left out because Jira refused them: assignee, priority, components, labels, marker."""
    ticket: Ticket | None = field(default=None, compare=False)
    """The ticket as read back, if an earlier request created it: which values Jira took is unknown then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file to attach to a ticket."""

    name: str
    """Basename, fit for display; Jira gets no path."""
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file attached to a ticket."""

    id: str
    name: Untrusted
    size: int
    """Bytes."""
    ours: bool
    """Whether our account attached it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprint:
    """A sprint of the project's board."""

    id: int
    name: Untrusted
    state: str
    """`active`, `future` or `closed`."""
    start: datetime | None = None
    end: datetime | None = None
    tickets: int = 0
    """Number of tickets in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A state of the workflow."""

    name: str
    category: str
    """`new`, `indeterminate` or `done`; empty if Jira does not say."""
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
    component_texts: dict[str, str] = field(default_factory=dict)
    """Descriptions of the components that have one, by name."""
    versions: tuple[str, ...] = ()
    """Versions that a ticket can say to be affected, in Jira's order; archived ones left out. Empty if no form asks for them."""
    statuses: tuple[Status, ...] = ()
    people: tuple[Person, ...] = ()
    """Active and assignable."""
    people_cut: bool = False
    """The list is incomplete: Jira does not list everybody, or hides them from our account."""
    fields: tuple[CustomField, ...] = ()
    """The custom fields that triage.yaml leaves to the mail, as far as Jira's forms have them."""
    count_field: str = ""
    """Id of the field that counts reports; empty if triage.yaml names none, or no form has it."""
    required: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields Jira demands beyond ours, by issue type."""
    service: bool = False
    """A service project, or one of unknown type: customers can read every comment that is not internal."""
    link_types: tuple[str, ...] = ()
    """Jira's names: `Duplicate`, `Relates` …; empty if links are switched off."""
    upload_limit: int = 0
    """Largest file in bytes; 0 if attachments are switched off."""
