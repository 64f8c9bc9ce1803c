"""A worker beside a store that is down for a while."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from loguru import logger

from integrations.system_clock import SystemClock
from triage.domain.errors import StoreDown
from triage.pipeline.worker import Worker

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
    await Worker(jobs=jobs, notifier=notifier, clock=SystemClock(), services=unused, at_once=4).serve(stop)
    logger.remove(sink)

    assert events == ["store.down", "store.up", "store.down", "store.up"]
