"""Syncs the local ticket index with Jira: the history once, announced tickets at once, changes every few minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected, Transient, TriageError
from triage.domain.ports import Clock, TicketIndex, TrackerView
from triage.domain.tickets import Coverage, Ticket, TicketQuery

LOOK: Final = 5.0
"""Seconds between two reads of announced changes; the database holds them, so any process may add some."""
AT_ONCE: Final = 50
OVERLAP: Final = 10
"""Minutes that two queries for changes overlap, since Jira's search lags and clocks differ."""
CHUNK: Final = 500
"""Tickets of the history that are read between two saves of the progress."""
FIRST: Final = 5000
"""Newest tickets that are read before work starts; older ones follow in the background."""
PAUSE: Final = 300.0
"""Age in seconds at which a starting command queries changes although polling is off."""

Progress = Callable[[int, int], None]
"""Called with the number of tickets read, and about how many there are."""


def no_progress(_read: int, _of: int) -> None:
    """Ignore the progress."""


@dataclass(kw_only=True)
class TicketIndexSync:
    """Several processes may run it at once: each only stores what Jira answers."""

    tracker: TrackerView
    index: TicketIndex
    clock: Clock
    every: float = 300.0
    """Seconds between two queries for changes; 0: only announced changes are read."""

    async def prepare(self, progress: Progress = no_progress) -> None:
        """Read missed changes and the newest FIRST tickets of a history that is not complete, before work starts.

        Errors are only logged: the first mail meets them, too, and waits.
        """
        try:
            await self.sync(self.every or PAUSE)
            await self.read_history(FIRST, progress)
        except TriageError as e:
            _log(e)

    async def run(self) -> None:
        """Sync until cancelled. Errors are logged, and the next turn tries again."""
        while True:
            try:
                await self.announced()
                if self.every:
                    await self.sync(self.every)
                await self.read_history(CHUNK)
            except TriageError as e:
                _log(e)
            await self.clock.sleep(LOOK)

    async def announced(self) -> int:
        """Read announced tickets from Jira; return how many there were."""
        keys = await self.index.stale(AT_ONCE)
        for key in keys:
            try:
                await self.index.keep([await self.tracker.tickets.get(key)])
            except TicketGone:
                await self.index.forget([key])
        return len(keys)

    async def sync(self, pause: float) -> int:
        """Read changes if the last query of any process is `pause` seconds old; return the number of tickets."""
        now, project = self.clock.now(), (await self.tracker.metadata.project()).key
        known = await self.index.coverage(project)
        if known is None or (now - known.as_of).total_seconds() < pause:
            return 0
        minutes = int((now - known.as_of).total_seconds() / 60) + OVERLAP
        found = await self.tracker.tickets.search(TicketQuery(minutes=minutes, limit=FIRST))
        await self.index.keep(found)
        # One query returns FIRST tickets at most; if more have changed, the history is read again from the newest.
        lowest = known.lowest if len(found) < FIRST else max(ticket.number for ticket in found)
        await self.index.cover(project, Coverage(lowest=lowest, as_of=now))
        return len(found)

    async def read_history(self, most: int, progress: Progress = no_progress) -> int:
        """Read at most `most` tickets of the history, newest first; return how many were read."""
        project = (await self.tracker.metadata.project()).key
        known, read, of = await self.index.coverage(project), 0, 0
        while read < most and not (known and known.complete):
            now = self.clock.now()
            found = await self._older(known.lowest if known else 0)
            await self.index.keep(found)
            lowest = min(ticket.number for ticket in found) if len(found) == CHUNK else 1
            known = Coverage(lowest=lowest, as_of=known.as_of if known else now)
            await self.index.cover(project, known)
            read += len(found)
            of = of or min(most, max((ticket.number for ticket in found), default=0))
            progress(read, of)
        return read

    async def _older(self, below: int) -> Sequence[Ticket]:
        try:
            return await self.tracker.tickets.search(TicketQuery(below=below, limit=CHUNK))
        except TrackerRejected:  # JQL compares keys with existing tickets only, and the one at our position is gone
            if not below:
                raise
            return await self.tracker.tickets.search(TicketQuery(below=0, limit=CHUNK))


def _log(trouble: TriageError) -> None:
    """Log an error: as debug if it passes by itself, else as a warning."""
    if isinstance(trouble, Transient | TrackerDenied):
        logger.bind(error=str(trouble)).debug("refresh.later")
    else:
        logger.bind(error=str(trouble)).warning("refresh.failed")
