"""The store's figures: counts, durations, insights."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Protocol

from triage.domain.approvals import Approval
from triage.domain.operations.figures import BacklogFigures, Growth, Today
from triage.domain.operations.insights import Count, EndedCases, PersonLoad


class Figures(Protocol):
    """Sums over the store, each at a cost that does not grow with its age; called by the services of status and metrics.

    Raises `StoreDown`.
    """

    async def backlog(self) -> BacklogFigures:
        """Accepted mails that have not ended."""

    async def today(self, since: datetime) -> Today:
        """What came in and what ended since then."""

    async def undecided(self, at: datetime) -> int:
        """Ended mails that wait for a person without an approval to decide about, and are not put off at this time."""

    async def letters(self) -> Mapping[str, int]:
        """Letters by state."""

    async def sources(self, until: datetime) -> Mapping[str, int]:
        """All mails accepted before then, by source: the one sum that is counted from the first mail on."""

    async def growth(self, since: datetime, until: datetime) -> Growth:
        """What came in from `since` on and before `until`."""


class Insights(Protocol):
    """Counts by day over narrow rows, one a case; called by the service of insights alone. Raises `StoreDown`.

    The commit that ends a case writes its row.
    """

    async def ended(self, first: date, last: date) -> tuple[EndedCases, ...]:
        """Ended cases of the mails of these days, by day and project."""

    async def corrected(self) -> tuple[Count, ...]:
        """Ended cases that a person has corrected, by the day of their mail; the key is empty."""

    async def amended(self) -> tuple[Approval, ...]:
        """What people ordered to be corrected on tickets, oldest first."""

    async def decided(self, first: date) -> tuple[Count, ...]:
        """Decisions about approvals since this day, by `accepted`, `edited`, `rejected`, `answered`, `expired`."""

    async def held(self, first: date) -> tuple[Count, ...]:
        """Mails throttled since this day, by their group."""

    async def loads(self, limit: int) -> tuple[PersonLoad, ...]:
        """The people with the most open tickets."""
