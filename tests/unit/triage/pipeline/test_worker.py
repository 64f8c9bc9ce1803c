"""A worker beside a store that is down for a while."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from loguru import logger

from integrations.system_clock import SystemClock
from triage.domain.cases import Lease
from triage.domain.errors import StoreDown
from triage.pipeline.worker import SharedPoll, Worker

OUTAGES = [True] * 9 + [False] * 5 + [True] * 7 + [False]


@dataclass
class FlakyJobs:
    """A queue without jobs, whose store is down at some questions."""

    stop: asyncio.Event
    left: list[bool] = field(default_factory=lambda: list(OUTAGES))

    async def lease(self, worker: str, seconds: float) -> None:
        """Answer as the list says, and stop the worker behind its end."""
        if not self.left:
            self.stop.set()
        elif self.left.pop(0):
            raise StoreDown(f"{worker} for {seconds}")


class Silent:
    """A notifier that tells of nothing."""

    async def wait(self, seconds: float) -> None:
        """Return at once."""
        del seconds
        await asyncio.sleep(0)


async def test_an_outage_is_logged_at_its_beginning_and_its_end() -> None:
    """However many tasks try however often: a night without a database is two lines."""
    stop, events = asyncio.Event(), list[str]()
    sink = logger.add(lambda line: events.append(line.record["message"]), level="INFO")
    jobs: Any = FlakyJobs(stop)
    notifier: Any = Silent()
    unused: Any = None
    await Worker(jobs=jobs, notifier=notifier, clock=SystemClock(), services=unused, at_once=4, poll=0).serve(stop)
    logger.remove(sink)

    assert events == ["store.down", "store.up", "store.down", "store.up"]


@dataclass
class EmptyJobs:
    """A queue without jobs, which counts the questions."""

    looks: int = 0

    async def lease(self, worker: str, seconds: float) -> None:
        """Find nothing, a turn of the event loop later."""
        del worker, seconds
        self.looks += 1
        await asyncio.sleep(0)


@dataclass
class Ticking:
    """A notifier that tells of nothing at once, and stops the worker at last."""

    stop: asyncio.Event
    left: int

    async def wait(self, seconds: float) -> None:
        """Count down."""
        del seconds
        self.left -= 1
        if not self.left:
            self.stop.set()
        await asyncio.sleep(0)


async def test_idle_tasks_look_once_for_all() -> None:
    """Four tasks that nothing wakes ask the database as often as one would; each asks for itself when it begins."""
    stop, counting = asyncio.Event(), EmptyJobs()
    jobs: Any = counting
    notifier: Any = Ticking(stop, 100)
    unused: Any = None
    await Worker(jobs=jobs, notifier=notifier, clock=SystemClock(), services=unused, at_once=4, poll=3600).serve(stop)

    assert counting.looks == 4 + 1


FIRST: Final = Lease(job=1, case="case-1", epoch=1, attempts=1, until=datetime(2026, 11, 28, tzinfo=UTC))
SECOND: Final = Lease(job=2, case="case-2", epoch=1, attempts=1, until=datetime(2026, 11, 28, tzinfo=UTC))


async def test_who_finds_work_leaves_the_look_to_the_next() -> None:
    """A backlog that a poll finds is taken up by all tasks at once: only a look that found nothing spares another one."""
    polled, found = SharedPoll(), [FIRST, SECOND, None]

    async def look() -> Lease | None:
        await asyncio.sleep(0)
        return found.pop(0)

    taken = await asyncio.gather(*(polled.first(look, 3600) for _ in range(5)))

    assert taken == [FIRST, SECOND, None, None, None]


async def test_a_look_is_worth_repeating_after_a_while() -> None:
    """That nothing was due counts for the seconds that are asked for, and no longer."""
    polled, found = SharedPoll(), [None, FIRST]

    async def look() -> Lease | None:
        return found.pop(0)

    assert await polled.first(look, 3600) is None
    assert await polled.first(look, 0) == FIRST
