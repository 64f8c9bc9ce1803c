"""Entries and results of the ticket index."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from triage.domain.tickets import Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What the ticket index stores of a ticket; `policy/ticket/index_entry.py` makes it."""

    title: str
    """Terms of the summary, with blanks between; repeated terms count."""
    text: str
    """Terms of summary and description."""
    features: bytes
    """What the ranking compares, so that it need not load and cut up the ticket; the index only keeps it."""


class Hit(NamedTuple):
    """A ticket that the index found."""

    key: str
    score: float
    """BM25; comparable within one answer only."""
    rank: int
    """From 1; tickets that the index has not taken in yet are ranked by the same formula."""
    features: bytes
    """`IndexEntry.features` of the ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer of the ticket index."""

    hits: tuple[Hit, ...] = ()
    """Best first."""
    frequencies: Mapping[str, int] | None = None
    """Number of the project's tickets that hold each of the query's terms; None if the index does not answer."""
    tickets: int = 0
    """Number of tickets searched."""


@dataclass(frozen=True, slots=True)
class TicketVersion:
    """A ticket as it was stored last, or that it is gone."""

    change: int
    """Grows with each stored change of the project."""
    key: str
    ticket: Ticket | None
    """None: it was deleted or has left the project."""


class IndexHealth(StrEnum):
    """Whether the ticket index of this host answers."""

    READY = "ready"
    BUILDING = "building"
    """It is missing or was damaged; searches use Jira and the latest changes meanwhile."""
    UNUSABLE = "unusable"
    """Its folder cannot be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """The ticket index of this host, for one project."""

    health: IndexHealth
    folder: str
    tickets: int = 0
    behind: int = 0
    """Stored changes that it has not taken in yet."""
    size: int = 0
    """Bytes on disk."""
    trouble: str = ""
    """Why it has to be built again, or cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a project the store holds."""

    lowest: int
    """All tickets from this number upward have been read."""
    as_of: datetime
    """Changes up to this moment have been read."""
    checked: int | None = None
    """A reconciliation has read all tickets from this number upward again; None: none is under way."""
    reconciled: datetime | None = None
    """When the whole history was last read; None: never."""

    @property
    def complete(self) -> bool:
        """The whole history has been read."""
        return self.lowest <= 1
