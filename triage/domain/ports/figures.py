"""The store, as those who look at figures need it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from triage.domain.operations.figures import Backlog, Growth


class Figures(Protocol):
    """Sums over the store, each at a cost that does not grow with its age; called by the services of status and metrics.

    Raises `StoreDown`.
    """

    async def backlog(self) -> Backlog:
        """Accepted mails that have not ended."""

    async def today(self, since: datetime) -> Mapping[str, int]:
        """Mails accepted since then, by state."""

    async def letters(self) -> Mapping[str, int]:
        """Letters by state."""

    async def sources(self, until: datetime) -> Mapping[str, int]:
        """All mails accepted before then, by source: the one sum that is counted from the first mail on."""

    async def growth(self, since: datetime, until: datetime) -> Growth:
        """What came in from `since` on and before `until`."""
