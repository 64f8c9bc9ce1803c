"""Syncs the stored tickets with Jira, and the search index with the store: history once, then what changes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from loguru import logger

from triage.domain.errors import Denied, TicketGone, TrackerRejected, Transient, TriageError
from triage.domain.ports import Clock, Progress, TicketIndex, TicketStore, TrackerView
from triage.domain.retrieval import Coverage, IndexState
from triage.domain.tickets import Ticket, TicketQuery

LOOK: Final = 5.0
"""Seconds between two reads of announced changes; the database holds them, so any process may add some."""
AT_ONCE: Final = 50
OVERLAP: Final = 10
"""Minutes that two queries for changes overlap, since Jira's search lags and clocks differ."""
CHUNK: Final = 500
"""Tickets of the history that are read between two saves of the progress."""
FIRST: Final = 5000
"""Newest tickets that are read before work starts; older ones follow in the background."""
ENDLESS: Final = 2**31 - 1
"""No ticket has this number."""
CHANGED: Final = 5000
"""Changed tickets that one query reads; if there are more, the history is read again."""
PAUSE: Final = 300.0
"""Age in seconds at which a starting command queries changes although polling is off."""
SKEW: Final = timedelta(minutes=OVERLAP)
"""How far clocks of hosts may differ."""
DOWN: Final = timedelta(days=1)
"""Time without a query after which the whole history is read again: what was deleted or moved meanwhile is in no query."""
SELDOM: Final = timedelta(days=7)
"""The same time where all is well, since Jira's webhook may be off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketOverview:
    """State of the stored tickets and the search index of a project."""

    project: str
    stored: int
    """Tickets in the store."""
    lowest: int | None
    """All tickets from this number upward have been read; None: none yet."""
    complete: bool
    """The whole history has been read."""
    index: IndexState


def no_progress(_read: int, _of: int) -> None:
    """Ignore the progress."""


@dataclass(kw_only=True)
class TicketIndexSync:
    """Keeps the stored tickets of a project up to date with Jira, and this host's search index with the store.

    One process runs `run`; a second one for a moment does no harm, since each only stores what Jira answers.
    """

    tracker: TrackerView
    store: TicketStore
    index: TicketIndex
    clock: Clock
    every: float = 300.0
    """Seconds between two queries for changes; 0: only announced changes are read."""
    changed: Callable[[Sequence[Ticket]], Awaitable[None]] | None = None
    """Called with the tickets that were read because they have changed, never with those of the history."""

    async def prepare(self, progress: Progress = no_progress) -> None:
        """Read missed changes, and the history until the newest FIRST tickets are stored, before work starts.

        Errors are only logged: the first mail meets them, too, and waits.
        """
        try:
            await self.sync(self.every or PAUSE)
            await self.read_history(FIRST - await self.store.size(await self._project()), progress)
        except TriageError as e:
            _log(e)

    async def update_index(self) -> None:
        """Wait until this host's search index has taken in what is stored."""
        try:
            await self.index.update(await self._project())
        except TriageError as e:
            _log(e)

    async def run(self) -> None:
        """Bring the stored tickets up to date until cancelled. Errors are logged, and the next turn tries again."""
        while True:
            read = 0
            try:
                await self.announced()
                if self.every:
                    await self.sync(self.every)
                read = await self.read_history(CHUNK) or await self.reconcile(CHUNK)
                if read:
                    await self._tell_progress()
            except TriageError as e:
                _log(e)
            await self.clock.sleep(0 if read else LOOK)

    async def follow(self) -> None:
        """Bring this host's search index up to date until cancelled; each host that works runs it."""
        while True:
            await self.update_index()
            await self.clock.sleep(LOOK)

    async def catch_up(self, progress: Progress = no_progress, *, full: bool = False) -> int:
        """Read everything that is missing now, the whole history if `full`; return the number of tickets read."""
        project, read = await self._project(), await self.sync(0)
        known = await self.store.coverage(project)
        if full and known:
            await self.store.cover(project, replace(known, checked=0))
        of = await self.tracker.tickets.newest()
        while step := await self.read_history(CHUNK) or await self.reconcile(CHUNK):
            read += step
            progress(min(read, of), of)
            await self.index.update(project)
        for _ in range(read // AT_ONCE + 1):
            read += await self.announced()
        await self.index.update(project)
        return read

    async def overview(self, project: str) -> TicketOverview:
        """Return what is known of a project, without asking Jira."""
        known = await self.store.coverage(project)
        return TicketOverview(
            project=project,
            stored=await self.store.size(project),
            lowest=known.lowest if known else None,
            complete=known is not None and known.complete,
            index=await self.index.state(project),
        )

    async def announced(self) -> int:
        """Read announced tickets from Jira; return how many there were."""
        keys = await self.store.stale(await self._project(), AT_ONCE)
        for key in keys:
            try:
                ticket = await self.tracker.tickets.get(key)
            except TicketGone:
                await self.store.forget([key])
                continue
            await self._tell_changed([ticket])
            await self.store.keep([ticket])
        return len(keys)

    async def sync(self, pause: float) -> int:
        """Read changes if the last query of any process is `pause` seconds old; return the number of tickets.

        A query of the future was dated by a clock that is set back now: what has changed since is not known.
        """
        now, project = self.clock.now(), await self._project()
        known = await self.store.coverage(project)
        if known is None:
            return 0
        passed = (now - known.as_of).total_seconds()
        if -SKEW.total_seconds() <= passed < pause:
            return 0
        minutes = int(max(passed, 0.0) / 60) + OVERLAP
        found = await self.tracker.tickets.search(TicketQuery(minutes=minutes, limit=CHANGED))
        await self._tell_changed(found)
        await self.store.keep(found)
        await self.store.cover(project, _as_of(known, now, complete=len(found) < CHANGED))
        return len(found)

    async def read_history(self, most: int, progress: Progress = no_progress) -> int:
        """Read at most `most` tickets of the history for the first time, newest first; return how many were read."""
        project = await self._project()
        known, read, of = await self.store.coverage(project), 0, 0
        while read < most and not (known and known.complete):
            now = self.clock.now()
            found = await self._older(known.lowest if known else 0)
            await self.store.keep(found)
            lowest = min(ticket.number for ticket in found) if len(found) == CHUNK else 1
            known = replace(known or Coverage(lowest=0, as_of=now), lowest=lowest)
            known = replace(known, reconciled=now) if known.complete else known
            await self.store.cover(project, known)
            read += len(found)
            of = of or min(most, max((ticket.number for ticket in found), default=0))
            progress(read, of)
        return read

    async def reconcile(self, most: int) -> int:
        """Continue rereading the history, if that is in progress; return the number of tickets read.

        Stored tickets that the answer lacks between its highest and lowest number are read one by one, and forgotten if
        Jira does not have them any more.
        """
        project = await self._project()
        known, read = await self.store.coverage(project), 0
        while read < most and known and known.checked is not None:
            now = self.clock.now()
            found = await self._older(known.checked)
            await self.store.keep(found)
            lowest = min(ticket.number for ticket in found) if len(found) == CHUNK else 1
            stored = await self.store.between(project, lowest, known.checked or ENDLESS)
            if missing := set(stored) - {ticket.key for ticket in found}:
                await self.store.mark_stale(sorted(missing))
            done = lowest == 1
            known = replace(known, checked=None if done else lowest, reconciled=now if done else known.reconciled)
            await self.store.cover(project, known)
            read += len(found)
        return read

    async def _tell_progress(self) -> None:
        """Log how far the history is read."""
        known = await self.store.coverage(await self._project())
        if known:
            logger.bind(down_to=known.checked or known.lowest, again=known.complete).info("history.read")

    async def _tell_changed(self, tickets: Sequence[Ticket]) -> None:
        """Tell of changed tickets before they are kept: after a crash between the two they are read again."""
        if self.changed is not None:
            await self.changed(tickets)

    async def _project(self) -> str:
        return (await self.tracker.metadata.project()).key

    async def _older(self, below: int) -> Sequence[Ticket]:
        try:
            return await self.tracker.tickets.search(TicketQuery(below=below, limit=CHUNK))
        except TrackerRejected:  # JQL compares keys with existing tickets only, and the one at our position is gone
            if not below:
                raise
            return await self.tracker.tickets.search(TicketQuery(below=0, limit=CHUNK))


def _as_of(known: Coverage, now: datetime, *, complete: bool) -> Coverage:
    """The coverage after a query for changes; the history is read again if it may have missed some."""
    missed = (
        not complete or now - known.as_of > DOWN or known.as_of - now > SKEW or now - (known.reconciled or now) > SELDOM
    )
    again = known.checked is None and missed
    return replace(known, as_of=now, checked=0 if again else known.checked)


def _log(trouble: TriageError) -> None:
    """Log an error: as debug if it is temporary, else as a warning."""
    if isinstance(trouble, Transient | Denied):
        logger.bind(error=str(trouble)).debug("refresh.later")
    else:
        logger.bind(error=str(trouble)).warning("refresh.failed")
