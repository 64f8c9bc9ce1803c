"""Notes of ours on tickets: proposals that people answer there, and answers to their commands."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from triage.domain.tickets import Person


class Verb(StrEnum):
    """What a person can say in a comment, after `/triage`."""

    YES = "yes"
    NO = "no"
    EDIT = "edit"
    UNDO = "undo"
    NOT = "not"
    """This ticket is not the mail's: its case is decided again without it."""
    NEW = "new"
    """The mail gets a ticket of its own."""
    STOP = "stop"
    """Nothing of what waits on this ticket is done."""
    HELP = "help"
    """Also used for anything that fits no other kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that a person writes to Triage in a comment."""

    verb: Verb
    number: int = 0
    """Of the approval; 0 if none is named."""
    text: str = ""
    """The new text of `edit`, the key of `not`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketComment:
    """A comment on a ticket."""

    id: str
    author: Person | None
    """None for an anonymous one."""
    words: str
    """The author's own words: without quotes, code, tables and panels."""
    ours: bool
    edited_by_other: bool = False
    """Another person edited it, so it does not count as its author's word."""
    at: datetime | None = None
    """When it was written."""
    by_colleague: bool = False
    """A person wrote it who is neither an app nor a customer of the service project."""
    public: bool = False
    """It is not restricted to agents, a role or a group; in service projects: Jira calls it public."""
    text: str = ""
    """The author's own text in Markdown, without quotes of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketNote:
    """One comment of ours on a ticket; its text is edited later."""

    key: str
    """`approval 12`, `refused HARB-2 5b10a2`: one comment for each key."""
    ticket: str
    body: str
    """Markdown that it shall have."""
    shown: str = ""
    """`Approval.hash` of what the body shows."""
    final: bool = False
    """It will not change again."""
    comment: str = ""
    """Id of the comment; empty until it is written."""
    written: str = ""
    """Markdown that it has."""
    tries: int = 0
    """Times that writing it has begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardCommand:
    """A comment that was read as a command, so that it is carried out once."""

    comment: str
    ticket: str
    person: str
    at: datetime


class Hearing(StrEnum):
    """The result of a command that was just read."""

    MINE = "mine"
    """Carry it out."""
    DONE = "done"
    """It was carried out before."""
    HELD = "held"
    """Another process carries it out, or died meanwhile: check again later."""
