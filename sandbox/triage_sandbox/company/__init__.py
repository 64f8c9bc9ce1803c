"""Loads the demo company: its Jira project, its tickets, and forty-five mails with the expected outcome of each."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import yaml
from pydantic import BeforeValidator, ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

HERE: Final = Path(__file__).parent
EXACT: Final = ConfigDict(extra="forbid")
"""A misspelt field is an error, not a field that silently does nothing."""

AHEAD: Final = timedelta(days=5)
"""From now to the day by which a mail asks for something."""
NEWEST: Final = date(2026, 11, 22)
"""The day of the newest mail, as it is written."""
_DATE: Final = re.compile(rb"^Date: ([^\r\n]+)", re.MULTILINE)

T = TypeVar("T")
Listed = Annotated[tuple[T, ...], BeforeValidator(lambda value: value if isinstance(value, list | tuple) else (value,))]
"""A value, or a list of values."""


class StoryBroken(ValueError):  # noqa: N818 - errors are named without a suffix, see domain/errors.py
    """A file of the story does not say what it must; the message names the file and the place in it."""


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoPerson:
    """An account of the project's Jira."""

    id: str
    """Cloud: accountId."""
    username: str
    """Server: user name; what tickets and leads refer to."""
    name: str
    email: str
    role: str
    email_visible: bool = False
    active: bool = True
    type: Literal["atlassian", "app"] = "atlassian"


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoComponent:
    """A part of the product and who leads it."""

    name: str
    lead: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoIssueType:
    """A kind of ticket."""

    id: str
    name: str
    subtask: bool
    description: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoNamed:
    """A priority or a resolution."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoStatus:
    """A state of the workflow."""

    id: str
    name: str
    category: Literal["new", "indeterminate", "done"]


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoTransition:
    """A button that moves a ticket from one state to another."""

    id: str
    name: str
    sources: tuple[str, ...]
    to: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoVersion:
    """A release."""

    id: str
    name: str
    released: bool
    release_days_ago: int
    """Negative where the day is still to come."""


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoLinkType:
    """How one ticket can relate to another."""

    id: str
    name: str
    inward: str
    outward: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoProject:
    """The company's Jira project before any ticket."""

    company: str
    description: str
    key: str
    name: str
    lead: str
    people: tuple[DemoPerson, ...]
    components: tuple[DemoComponent, ...]
    issue_types: tuple[DemoIssueType, ...]
    priorities: tuple[DemoNamed, ...]
    """Highest first."""
    resolutions: tuple[DemoNamed, ...]
    statuses: tuple[DemoStatus, ...]
    transitions: tuple[DemoTransition, ...]
    versions: tuple[DemoVersion, ...]
    link_types: tuple[DemoLinkType, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoComment:
    """What somebody said on a ticket."""

    author: str
    text: str
    days_ago: int


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoLink:
    """A ticket's word about another: `HARB-36 duplicates HARB-11`, said once, on the first of the two."""

    type: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoTicket:
    """A ticket that is there before the first mail; people by user name."""

    key: str
    type: str
    status: str
    priority: str
    summary: str
    description: str
    reporter: str
    created_days_ago: int
    updated_days_ago: int
    assignee: str | None = None
    resolution: str | None = None
    parent: str | None = None
    components: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    fix_versions: tuple[str, ...] = ()
    comments: tuple[DemoComment, ...] = ()
    links: tuple[DemoLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class Expected:
    """What must become of a mail, with the playbook as well as with a model."""

    about: str
    """What this mail is, in one line."""
    verdict: Literal["verified", "unverified"]
    """What a mail provider says of the sender."""
    action: Literal["ticketed", "commented", "ignored", "waiting"]
    ticket: str
    """`new`, `none`, a key of a seed ticket, or `mail:04`: the ticket that mail 04 created."""
    disposition: Listed[str] = ()
    """As all that follows: a value or a list of accepted ones, the best first."""
    type: Listed[Literal["Bug", "Story", "Task"]] = ()
    priority: Listed[Literal["Highest", "High", "Medium", "Low"]] = ()
    component: Listed[str] = ()
    """`none` accepts a ticket without one."""
    labels: Listed[str] = ()
    """All of these."""
    assignee: Listed[str] = ()
    due_date: date | None = None
    structure: Listed[str] = ()
    """Texts that the ticket must hold."""
    absent: Listed[str] = ()
    """Texts that the ticket must not hold."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, config=EXACT)
class DemoMail:
    """One mail of the demo's mailbox."""

    name: str
    """`04-signature-upload`: number and slug, the file's name without its ending."""
    raw: bytes
    expected: Expected

    @property
    def number(self) -> str:
        """The 04 that `mail:04` refers to."""
        return self.name.partition("-")[0]


@cache
def load_project(folder: Path = HERE) -> DemoProject:
    """The company, its people and its Jira project."""
    return read(folder / "project.yaml", TypeAdapter(DemoProject))


@cache
def load_tickets(folder: Path = HERE) -> tuple[DemoTicket, ...]:
    """The tickets that are there before the first mail, by number."""
    return read(folder / "tickets.yaml", TypeAdapter(tuple[DemoTicket, ...]))


@cache
def mails(folder: Path = HERE / "mails") -> tuple[DemoMail, ...]:
    """The mailbox, in the order in which the mails come in."""
    return tuple(_mail(path) for path in sorted(folder.glob("*.eml")))


def _mail(path: Path) -> DemoMail:
    """One mail with what is expected of it.

    The newest is of yesterday, since the project's tickets are so many days old today; a day that a mail asks for is one to come.
    """
    expected, raw = read(path.with_suffix(".yaml"), TypeAdapter(Expected)), path.read_bytes()
    today = datetime.now(UTC).date()
    raw = _moved(raw, max(today - timedelta(days=1) - NEWEST, timedelta()))
    if expected.due_date:
        soon = today + AHEAD
        raw = raw.replace(f"{expected.due_date:%d.%m.%Y}".encode(), f"{soon:%d.%m.%Y}".encode())
        expected = replace(expected, due_date=soon)
    return DemoMail(name=path.stem, raw=raw, expected=expected)


def _moved(raw: bytes, by: timedelta) -> bytes:
    """A mail whose Date header is so much later."""
    head, blank, body = raw.partition(b"\n\n")
    later = _DATE.sub(
        lambda found: f"Date: {format_datetime(parsedate_to_datetime(found[1].decode()) + by)}".encode(), head, count=1
    )
    return later + blank + body


def read(path: Path, shape: TypeAdapter[T]) -> T:
    """A YAML file as one of our types."""
    try:
        return shape.validate_python(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as e:
        raise StoryBroken(f"{path.name}: {e}") from e
