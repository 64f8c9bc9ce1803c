"""The local index of the tracker's tickets."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from triage.domain.tickets import Coverage, Ticket, Workload


class TicketIndex(Protocol):
    """A local copy of the project's tickets: quick to search, possibly out of date.

    Called by its sync and by Jira's webhook, which feed it, and by `retrieve`, which searches. All methods raise `StoreDown`.
    """

    async def keep(self, tickets: Sequence[Ticket]) -> None:
        """Store these tickets as read from the tracker; versions older than the stored ones change nothing.

        If a ticket carries a mark that a case with a lost answer looks for, that case becomes due at once.
        """

    async def forget(self, keys: Sequence[str]) -> None:
        """Remove tickets that are gone or have left the project."""

    async def find(self, project: str, words: Sequence[str], limit: int) -> tuple[Ticket, ...]:
        """Tickets with any of these words in summary or description, best match first."""

    async def mark_stale(self, keys: Sequence[str]) -> None:
        """Mark these tickets as changed in the tracker, to be read again."""

    async def stale(self, limit: int) -> tuple[str, ...]:
        """Keys of tickets to read again, longest waiting first."""

    async def size(self, project: str) -> int:
        """Number of tickets known."""

    async def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        """Number of tickets that hold each of these words, 1,000 at most."""

    async def coverage(self, project: str) -> Coverage | None:
        """How much of the project is known; None if nothing has been read yet."""

    async def cover(self, project: str, coverage: Coverage) -> None:
        """Store how much of the project is known."""


class PeopleIndex(Protocol):
    """Assignees of the known tickets, without a request to the tracker; called by the proposals of assignees.

    All methods raise `StoreDown`.
    """

    async def workloads(self, project: str) -> Mapping[str, Workload]:
        """Open tickets by person id, as complete as the coverage."""

    async def assigned(self, project: str) -> tuple[Ticket, ...]:
        """As `People.assigned`, from the known tickets; cached for five minutes."""
