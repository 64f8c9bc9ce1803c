"""The local index of the tracker's tickets."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from triage.domain.tickets import Coverage, Ticket, Workload


class TicketIndex(Protocol):
    """The project's tickets as we last saw them: quick to search, never the last word.

    Called by its sync and by Jira's webhook, which feed it, and by `retrieve`, which searches. All methods raise `StoreDown`.
    """

    async def keep(self, tickets: Sequence[Ticket]) -> None:
        """As the tracker tells of them; what is older than what we have changes nothing.

        A mark of ours on one of them brings its case back at once where that waits for a lost answer.
        """

    async def forget(self, keys: Sequence[str]) -> None:
        """They are gone, or not ours any more."""

    async def find(self, project: str, words: Sequence[str], limit: int) -> tuple[Ticket, ...]:
        """Those with any of these words in summary or description, the best match first."""

    async def mark_stale(self, keys: Sequence[str]) -> None:
        """Something has happened to these; they wait to be looked at."""

    async def stale(self, limit: int) -> tuple[str, ...]:
        """Keys that wait, the longest waiting first."""

    async def size(self, project: str) -> int:
        """How many are known."""

    async def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        """How many tickets hold each of these words; counting ends at a thousand."""

    async def coverage(self, project: str) -> Coverage | None:
        """How much of the project is known; None where nothing has been read yet."""

    async def cover(self, project: str, coverage: Coverage) -> None:
        """So much is known from now on."""


class PeopleIndex(Protocol):
    """Whose the known tickets are, without a question to the tracker; called by the proposals of assignees.

    All methods raise `StoreDown`.
    """

    async def workloads(self, project: str) -> Mapping[str, Workload]:
        """Open tickets by person id; as good as the coverage is."""

    async def assigned(self, project: str) -> tuple[Ticket, ...]:
        """As `People.assigned`, from what is known; kept for five minutes."""
