"""A duty is done by one of several processes, and by the next one when that one loses it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.contract.store.store_samples import HeldClock
from triage.domain.errors import StoreDown
from triage.services.operations.leader import AGAIN, Leader, alone, restarted


class YieldingClock(HeldClock):
    """Its time passes at once, and other tasks have their turn."""

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""
        await super().sleep(seconds)
        await asyncio.sleep(0)


@dataclass
class OneOfAll:
    """Who has which duty, for all processes of a test."""

    has: dict[str, object] = field(default_factory=dict)
    down: bool = False

    def side(self) -> "Side":
        """One more process."""
        return Side(self)


@dataclass(eq=False)
class Side:
    """The leadership of one process."""

    shared: OneOfAll

    async def hold(self, duty: str) -> bool:
        """Take it if it is free."""
        if self.shared.down:
            self.shared.has.clear()
            raise StoreDown("gone")
        return self.shared.has.setdefault(duty, self) is self

    async def release(self, duty: str) -> None:
        """Give it up."""
        if self.shared.has.get(duty) is self:
            del self.shared.has[duty]

    async def close(self) -> None:
        """Nothing is open."""


@dataclass
class Works:
    """Who works now, and who has begun."""

    now: set[str] = field(default_factory=set)
    begun: list[str] = field(default_factory=list)

    def of(self, name: str) -> Callable[[], Any]:
        """The work of a process: it goes on until it is cancelled."""

        async def work() -> None:
            self.begun.append(name)
            self.now.add(name)
            try:
                await asyncio.Event().wait()
            finally:
                self.now.discard(name)

        return work


async def turns(number: int = 50) -> None:
    """Let all tasks go on for a while."""
    for _ in range(number):
        await asyncio.sleep(0)


def leading(shared: OneOfAll, works: Works, name: str) -> "asyncio.Task[None]":
    """A process that wants to lead."""
    leader = Leader(leadership=shared.side(), clock=YieldingClock(), duty="sweep", works=[works.of(name)])
    return asyncio.create_task(leader.run())


async def ended(*tasks: "asyncio.Task[None]") -> None:
    """Cancel them."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_one_works_and_the_next_takes_over() -> None:
    """While the first leads the second waits; when the first ends its work has ended, and the second begins."""
    shared, works = OneOfAll(), Works()
    first, second = leading(shared, works, "first"), leading(shared, works, "second")
    await turns()
    alone_at_it = set(works.now)
    await ended(first)
    await turns()

    assert (alone_at_it, works.now) == ({"first"}, {"second"})
    await ended(second)
    assert works.now == set()


async def test_a_lost_duty_ends_the_work() -> None:
    """Where the store is gone nobody leads, and afterwards one does again."""
    shared, works = OneOfAll(), Works()
    both = [leading(shared, works, name) for name in ("first", "second")]
    await turns()
    shared.down = True
    await turns()
    meanwhile = set(works.now)
    shared.down = False
    await turns()

    assert (meanwhile, len(works.now), len(works.begun)) == (set(), 1, 2)
    await ended(*both)


async def test_a_bug_is_raised() -> None:
    """Work that breaks ends the leader with its error, and gives the duty up."""

    async def broken() -> None:
        raise ValueError("a bug")

    shared = OneOfAll()
    leader = Leader(leadership=shared.side(), clock=YieldingClock(), duty="sweep", works=[broken])

    with pytest.raises(ValueError, match="a bug"):
        await leader.run()
    assert shared.has == {}


async def test_restarted() -> None:
    """Work that breaks begins again after a pause, where that is wanted."""
    clock, times = YieldingClock(), 0

    async def broken() -> None:
        nonlocal times
        times += 1
        if times < 3:
            raise ValueError(times)
        await asyncio.Event().wait()

    before = clock.now()
    task = asyncio.create_task(restarted(broken, clock))
    await turns()
    await ended(task)

    assert (times, (clock.now() - before).total_seconds()) == (3, 2 * AGAIN)


async def test_alone() -> None:
    """One after the other: who comes second waits until the first is done."""
    shared, seen = OneOfAll(), list[str]()

    async def within(name: str) -> None:
        async with alone(shared.side(), YieldingClock(), "first tickets"):
            seen.append(f"{name} begins")
            await turns(5)
            seen.append(f"{name} ends")

    await asyncio.gather(within("a"), within("b"))

    assert seen == ["a begins", "a ends", "b begins", "b ends"]
