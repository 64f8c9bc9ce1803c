"""What every doorbell must do: wake who waits, lose no ring while somebody looks away, never trouble who rings."""

import asyncio
import time

import pytest

from triage.domain.ports import Notifier

SOON = 60.0
"""Seconds that bound a hang; a wait that is not woken lasts an hour."""


class NotifierContract:
    """Each adapter runs all of it; the fixture gives a doorbell that has been waited on once."""

    @pytest.fixture
    def bell(self) -> Notifier:
        """The doorbell under test."""
        raise NotImplementedError

    async def test_nobody_rings(self, bell: Notifier) -> None:
        """Without a ring a wait lasts as long as asked."""
        began = time.monotonic()

        assert await bell.wait(0.1) is None
        assert time.monotonic() - began >= 0.09

    async def test_ring_wakes(self, bell: Notifier) -> None:
        """A ring ends a wait at once."""
        waiting = asyncio.create_task(bell.wait(3600))
        await asyncio.sleep(0.05)
        await bell.notify("case-1")

        assert await asyncio.wait_for(waiting, SOON) == "case-1"

    async def test_ring_before_wait(self, bell: Notifier) -> None:
        """A ring between looking at the database and waiting is not lost."""
        await bell.notify("case-1")

        await asyncio.wait_for(bell.wait(3600), SOON)

    async def test_one_ring_one_waiter(self, bell: Notifier) -> None:
        """Three waiters and three rings: nobody takes the ring of another."""
        waiting = [asyncio.create_task(bell.wait(3600)) for _ in range(3)]
        await asyncio.sleep(0.05)
        for number in range(3):
            await bell.notify(f"case-{number}")

        assert set(await asyncio.wait_for(asyncio.gather(*waiting), SOON)) == {"case-0", "case-1", "case-2"}

    async def test_cancelled_waiter(self, bell: Notifier) -> None:
        """A waiter that is cancelled leaves the ring to the next one."""
        waiting = asyncio.create_task(bell.wait(3600))
        await asyncio.sleep(0.05)
        ringing = asyncio.create_task(bell.notify("case-1"))
        waiting.cancel()
        await ringing

        await asyncio.wait_for(bell.wait(3600), SOON)

    async def test_many_rings(self, bell: Notifier) -> None:
        """A ring that nobody heard wakes one waiter once: a thousand of them are over after a thousand waits."""
        for number in range(1000):
            await bell.notify(f"case-{number}")
        woken = 0
        while woken <= 1000 and await bell.wait(0.5):
            woken += 1

        assert woken <= 1000
