"""Keeps our memory of the project's tickets fresh: what Jira announces at once, everything else every few minutes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from loguru import logger

from triage.domain.errors import TicketGone, TrackerDenied, Transient, Trouble
from triage.domain.ports import Clock, TicketIndex, Tracker
from triage.domain.tickets import TicketQuery

LOOK: Final = 5.0
"""Seconds between two looks at what was announced; it stands in the database, so any process may have heard it."""
AT_ONCE: Final = 50
OVERLAP: Final = 10
"""Minutes that a look at the past reaches further back than the last one: Jira's search lags, and clocks differ."""
MOST: Final = 1000
"""Tickets that changed since the last look, the latest first."""
FIRST: Final = 5000
"""Tickets that are remembered at the beginning."""
DAY: Final = 1440
"""Minutes; after a longer silence we look back so far, and what changed before is told by the live search alone."""


@dataclass(kw_only=True)
class Refresher:
    """Several processes may run one at the same time: each only writes down what Jira says."""

    tracker: Tracker
    index: TicketIndex
    clock: Clock
    every: float = 300.0
    """Seconds between two looks at what changed; 0 leaves that to announcements."""
    polled_at: datetime | None = None

    async def run(self) -> None:
        """Until cancelled. Trouble is told in the log, and the next look tries again."""
        while True:
            try:
                await self.announced()
                if self._is_due():
                    await self.poll()
            except (Transient, TrackerDenied) as e:
                logger.bind(error=str(e)).debug("refresh.later")
            except Trouble as e:
                logger.bind(error=str(e)).warning("refresh.failed")
            await self.clock.sleep(LOOK)

    async def announced(self) -> int:
        """Look at each ticket that something was said about; how many there were."""
        keys = await self.index.doubted(AT_ONCE)
        for key in keys:
            try:
                await self.index.keep([await self.tracker.get(key)])
            except TicketGone:
                await self.index.forget([key])
        return len(keys)

    async def poll(self) -> int:
        """Everything that changed since the last look; at first the project's latest tickets. How many that was."""
        now, project = self.clock.now(), (await self.tracker.project()).key
        if self.polled_at is None and not await self.index.size(project):
            query = TicketQuery(limit=FIRST)
        else:
            since = (now - self.polled_at).total_seconds() / 60 if self.polled_at else DAY
            query = TicketQuery(minutes=min(int(since), DAY) + OVERLAP, limit=MOST)
        found = await self.tracker.search(query)
        await self.index.keep(found)
        self.polled_at = now
        return len(found)

    def _is_due(self) -> bool:
        if not self.every:
            return False
        return self.polled_at is None or (self.clock.now() - self.polled_at).total_seconds() >= self.every
