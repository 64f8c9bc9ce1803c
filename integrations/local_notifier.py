"""The notifier inside one process: each call wakes one waiter, now or as soon as it waits."""

import asyncio
from contextlib import suppress
from typing import Final

REMEMBERED: Final = 64
"""Notifications kept for busy waiters. Each waiter needs at most one, and WORKERS is 64 at most."""


class LocalNotifier:
    """Notifier for workers in the notifying process.

    An `asyncio.Event` would do for one waiter; with several, whoever clears it hides the event from a worker that looked
    at the database just before and waits just after. So notifications are queued, and each wakes one waiter.
    """

    def __init__(self) -> None:
        self._notified: asyncio.Queue[str] = asyncio.Queue(REMEMBERED)

    async def notify(self, case: str) -> None:
        """Wake one waiter; a full queue has one notification for every waiter, so another one is dropped."""
        with suppress(asyncio.QueueFull):
            self._notified.put_nowait(case)

    async def wait(self, seconds: float) -> str | None:
        try:
            async with asyncio.timeout(seconds):
                return await self._notified.get()
        except TimeoutError:
            return None

    async def close(self) -> None:
        """Do nothing: no connection is open."""
