"""The doorbell inside one process: every ring wakes one waiter, now or when the next one comes to wait."""

import asyncio
from typing import Final

REMEMBERED: Final = 64
"""Rings kept for waiters that are still busy. Each waiter needs at most one, and WORKERS ends at 64."""


class LocalNotifier:
    """Doorbell for workers that live in the process that rings.

    An `asyncio.Event` would do for one waiter; with several, whoever clears it takes the ring away from a worker that
    looked at the database just before and comes to wait just after. So rings are counted, one for one waiter.
    """

    def __init__(self) -> None:
        self._rings = asyncio.Semaphore(0)
        self._kept = 0

    async def notify(self, case: str) -> None:
        """Wake one waiter; the id is not needed, since workers ask the store what is due."""
        del case
        if self._kept < REMEMBERED:
            self._kept += 1
            self._rings.release()

    async def wait(self, seconds: float) -> None:
        """Until a ring is there for this waiter, or so much time has passed."""
        try:
            async with asyncio.timeout(seconds):
                await self._rings.acquire()
        except TimeoutError:
            return
        self._kept -= 1

    async def close(self) -> None:
        """Nothing is open."""
