"""Runs duties that only one process may perform: syncs, sweeps, reminders, and the watch of a mailbox."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from loguru import logger

from triage.domain.errors import StoreDown
from triage.domain.ports import Clock, Leadership

LOOK: Final = 2.0
"""Seconds between two checks: the longest time in which no process or two lead after a connection is lost."""
AGAIN: Final = 60.0
"""Seconds until work that has crashed begins again."""

Work = Callable[[], Coroutine[Any, Any, None]]
"""Starts some work that runs until it is cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """Runs the loops of a duty while this process holds it; of all processes that run it one holds the duty."""

    leadership: Leadership
    clock: Clock
    duty: str
    works: Sequence[Work]

    async def run(self) -> None:
        """Lead whenever no other process does, until cancelled."""
        while True:
            if await self._holds():
                logger.bind(duty=self.duty).info("leader.begins")
                try:
                    await self._lead()
                finally:
                    await self._resign()
                logger.bind(duty=self.duty).warning("leader.ends")
            await self.clock.sleep(LOOK)

    async def _lead(self) -> None:
        """Run the loops until the duty is lost. Raises what a loop raises: that is a bug, which a retry would meet again."""
        working = [asyncio.create_task(work()) for work in self.works]
        looking = asyncio.create_task(self._until_lost())
        try:
            ended, _ = await asyncio.wait({*working, looking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (*working, looking):
                task.cancel()
            await asyncio.gather(*working, looking, return_exceptions=True)
        for task in ended:
            task.result()

    async def _until_lost(self) -> None:
        while await self._holds():
            await self.clock.sleep(LOOK)

    async def _holds(self) -> bool:
        try:
            return await self.leadership.hold(self.duty)
        except StoreDown as e:
            logger.bind(duty=self.duty, error=str(e)).debug("leader.unknown")
            return False

    async def _resign(self) -> None:
        with suppress(StoreDown):
            await self.leadership.release(self.duty)


async def restarted(work: Work, clock: Clock) -> None:
    """Run some work until cancelled; log an unexpected error and restart."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - a bug in one work must not end the others
            logger.exception("duty.crashed")
        await clock.sleep(AGAIN)


@asynccontextmanager
async def alone(leadership: Leadership, clock: Clock, duty: str) -> AsyncIterator[None]:
    """Wait until no other process has the duty, and hold it while the context is open. Raises `StoreDown`."""
    while not await leadership.hold(duty):
        await clock.sleep(LOOK / 4)
    try:
        yield
    finally:
        with suppress(StoreDown):
            await leadership.release(duty)
