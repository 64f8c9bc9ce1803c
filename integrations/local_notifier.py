"""The notifier inside one process: each call wakes one waiter, now or as soon as it waits."""

import asyncio
from contextlib import suppress
from typing import Final

REMEMBERED: Final = 64
"""Rings kept for waiters that are still busy. Each waiter needs at most one, and WORKERS ends at 64."""


class LocalNotifier:
    """Doorbell for workers that live in the process that rings.

    An `asyncio.Event` would do for one waiter; with several, whoever clears it takes the ring away from a worker that
    looked at the database just before and comes to wait just after. So rings are kept, one for one waiter.
    """

    def __init__(self) -> None:
        self._rung: asyncio.Queue[str] = asyncio.Queue(REMEMBERED)

    async def notify(self, case: str) -> None:
        """Wake one waiter; where so many rings are kept that every waiter has one, nobody needs another."""
        with suppress(asyncio.QueueFull):
            self._rung.put_nowait(case)

    async def wait(self, seconds: float) -> str | None:
        """The case of the first ring that is there for this waiter, None when so much time has passed."""
        try:
            async with asyncio.timeout(seconds):
                return await self._rung.get()
        except TimeoutError:
            return None

    async def close(self) -> None:
        """Nothing is open."""
