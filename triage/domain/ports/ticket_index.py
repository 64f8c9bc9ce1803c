"""The tracker's tickets on our side: the copy in the store, and the index of this host that searches it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from triage.domain.retrieval import Coverage, Found, IndexState, TicketVersion
from triage.domain.tickets import Ticket, Workload

Progress = Callable[[int, int], None]
"""Called with the number of tickets done, and about how many there are."""


class TicketStore(Protocol):
    """The stored copy of the project's tickets, possibly out of date.

    Called by its sync and by Jira's webhook, which feed it, and by `retrieve` and `dispatch`. All methods raise `StoreDown`.
    """

    async def keep(self, tickets: Sequence[Ticket]) -> None:
        """Store these tickets as read from the tracker; versions older than the stored ones change nothing.

        If a ticket carries a mark that a case with a lost answer looks for, that case becomes due at once.
        """

    async def forget(self, keys: Sequence[str]) -> None:
        """Remove tickets that are gone or have left the project."""

    async def tickets(self, keys: Sequence[str]) -> tuple[Ticket, ...]:
        """The stored tickets of these keys, in their order; unknown keys are left out."""

    async def mark_stale(self, keys: Sequence[str]) -> None:
        """Mark these tickets as changed in the tracker, to be read again."""

    async def stale(self, project: str, limit: int) -> tuple[str, ...]:
        """Keys of the project's tickets to read again, longest waiting first."""

    async def between(self, project: str, low: int, high: int) -> tuple[str, ...]:
        """Keys of the stored tickets whose number is at least `low` and below `high`."""

    async def size(self, project: str, most: int | None = None) -> int:
        """Number of stored tickets; with `most` they are counted up to so many, in a time that does not grow with them."""

    async def coverage(self, project: str) -> Coverage | None:
        """How much of the project is known; None if nothing has been read yet."""

    async def cover(self, project: str, coverage: Coverage) -> None:
        """Store how much of the project is known."""


class TicketFeed(Protocol):
    """The stored tickets in the order of their changes; called by the ticket index. All methods raise `StoreDown`."""

    async def changes(self, project: str, after: int, limit: int, *, latest: bool = False) -> tuple[TicketVersion, ...]:
        """Tickets whose latest change comes after this one, in the order of the changes; the first of them, or the `latest`.

        No later commit adds an earlier change.
        """

    async def size(self, project: str) -> int:
        """Number of stored tickets."""

    async def last_change(self, project: str) -> int:
        """Number of the latest change; 0 if there is none."""


class TicketIndex(Protocol):
    """This host's search index over the stored tickets; derived from them, and can be built again at any time.

    Called by `retrieve`, the search tool, the sync and the doctor. Trouble with its files is no error: an index that is
    missing, damaged or of another version answers from the latest changes until it is built again. All methods raise `StoreDown`.
    """

    async def find(self, project: str, query: Mapping[str, float], limit: int) -> Found:
        """The tickets that match the weighted terms of `policy/ticket/index_entry.py` best; includes changes just stored."""

    async def features(self, project: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Key → `IndexEntry.features`, as of the last update; tickets that the index has not taken in are left out."""

    async def frequencies(self, project: str, terms: Sequence[str]) -> Mapping[str, int]:
        """Number of the project's tickets that hold each of these terms."""

    async def update(self, project: str) -> int:
        """Take in the stored changes, or build the index if it has to be; return the number of changes.

        One process of a host does so at a time; in others the call returns 0 at once.
        """

    async def rebuild(self, project: str, progress: Progress) -> int:
        """Build the index from the store into a new folder, which replaces the old one at the end; return the number of tickets."""

    async def state(self, project: str) -> IndexState:
        """Health, size and backlog."""


class PeopleIndex(Protocol):
    """Assignees of the known tickets, without a request to the tracker; called by the proposals of assignees.

    All methods raise `StoreDown`.
    """

    async def workloads(self, project: str) -> Mapping[str, Workload]:
        """Open tickets by person id, as complete as the coverage."""

    async def assigned(self, project: str) -> tuple[Ticket, ...]:
        """The latest assigned tickets (5,000 at most), the newest 1,000 with the beginning of their text; cached for five minutes."""
