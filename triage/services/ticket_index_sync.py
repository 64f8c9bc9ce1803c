"""Syncs the local ticket index with Jira: the history once, announced tickets at once, changes every few minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected, Transient, TriageError
from triage.domain.ports import Clock, TicketIndex, TrackerView
from triage.domain.tickets import Coverage, Ticket, TicketQuery

LOOK: Final = 5.0
"""Seconds between two looks at what was announced; it stands in the database, so any process may have heard it."""
AT_ONCE: Final = 50
OVERLAP: Final = 10
"""Minutes that a look at the past reaches further back than the last one: Jira's search lags, and clocks differ."""
CHUNK: Final = 500
"""Tickets of the history that are read before it is written down how far we are."""
FIRST: Final = 5000
"""Tickets that are read before work begins; older ones follow beside it."""
PAUSE: Final = 300.0
"""Seconds after which a command that starts looks at what changed, where nobody polls."""

Progress = Callable[[int, int], None]
"""Told how many tickets have been read, and how many there are about."""


def no_progress(_read: int, _of: int) -> None:
    """Nobody looks."""


@dataclass(kw_only=True)
class TicketIndexSync:
    """Several processes may run one at the same time: each only writes down what Jira says."""

    tracker: TrackerView
    index: TicketIndex
    clock: Clock
    every: float = 300.0
    """Seconds between two looks at what changed; 0 leaves that to announcements."""

    async def prepare(self, progress: Progress = no_progress) -> None:
        """Before work begins: what changed while nobody looked, and the latest tickets where they are not known yet.

        Trouble is told in the log alone: the first mail meets it, too, and waits for its end.
        """
        try:
            await self.sync(self.every or PAUSE)
            await self.read_history(FIRST, progress)
        except TriageError as e:
            _tell(e)

    async def run(self) -> None:
        """Until cancelled. Trouble is told in the log, and the next look tries again."""
        while True:
            try:
                await self.announced()
                if self.every:
                    await self.sync(self.every)
                await self.read_history(CHUNK)
            except TriageError as e:
                _tell(e)
            await self.clock.sleep(LOOK)

    async def announced(self) -> int:
        """Look at each ticket that something was said about; how many there were."""
        keys = await self.index.stale(AT_ONCE)
        for key in keys:
            try:
                await self.index.keep([await self.tracker.tickets.get(key)])
            except TicketGone:
                await self.index.forget([key])
        return len(keys)

    async def sync(self, pause: float) -> int:
        """What changed since any process looked last, where that is so many seconds ago; how many tickets that was."""
        now, project = self.clock.now(), (await self.tracker.metadata.project()).key
        known = await self.index.coverage(project)
        if known is None or (now - known.as_of).total_seconds() < pause:
            return 0
        minutes = int((now - known.as_of).total_seconds() / 60) + OVERLAP
        found = await self.tracker.tickets.search(TicketQuery(minutes=minutes, limit=FIRST))
        await self.index.keep(found)
        # Where more has changed than was told, the history is read again, down from the newest.
        lowest = known.lowest if len(found) < FIRST else max(ticket.number for ticket in found)
        await self.index.cover(project, Coverage(lowest=lowest, as_of=now))
        return len(found)

    async def read_history(self, most: int, progress: Progress = no_progress) -> int:
        """Tickets that were never read, from the newest down, so many at most; how many that was."""
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
        except TrackerRejected:  # the ticket that we came to is gone, and Jira compares with tickets that exist
            if not below:
                raise
            return await self.tracker.tickets.search(TicketQuery(below=0, limit=CHUNK))


def _tell(trouble: TriageError) -> None:
    """What passes by itself is no warning."""
    if isinstance(trouble, Transient | TrackerDenied):
        logger.bind(error=str(trouble)).debug("refresh.later")
    else:
        logger.bind(error=str(trouble)).warning("refresh.failed")
