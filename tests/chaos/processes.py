"""A `triage` process that dies again and again: by its own hand at a named point, or by ours at any moment."""

import asyncio
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from random import Random
from typing import Final

import psutil  # type: ignore[import-untyped]  # it has no types

from tests.conftest import PATIENCE
from tests.e2e.launcher import Launched, launcher

AT_RANDOM: Final = "at any moment"
LOOK: Final = 0.02
TIMES: Final = 6.0
"""Times as long as it takes to come up, a process gets to come by its point."""
HUNGRY: Final = 2.0
"""After so many times as long it gets more mail."""
LONGEST: Final = 2.5
"""So many times as long lives one that dies at any moment, at most."""
MORE: Final = 2
"""Mails that it gets then: one by each kind of way."""
SLOWER: Final = 1.5
"""The machine may be so much busier than it was thought to be when a life has missed its point."""
TRIES: Final = 4
"""Lives that may miss a point before it is given up."""

Feeding = Callable[[int], Awaitable[None]]
"""Lets mails come: so many, or 0 for the share of one life."""


@dataclass(eq=False)
class Plan:
    """Who dies where: all points in turn, in an order of chance, and in between at any moment."""

    orders: deque[tuple[str, int]]
    """Point, empty for any moment, and how often it was missed."""
    killed: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, kills: int, points: Sequence[str], installations: int, chance: Random) -> "list[Plan]":
        """One for each installation. Two of three die at a point, and every point comes once before any comes again."""
        rounds = chain.from_iterable(chance.sample(points, len(points)) for _ in count())
        at_points = max(kills * 2 // 3, len(points))
        named = [True] * at_points + [False] * (kills - at_points)
        chance.shuffle(named)
        orders = [(next(rounds) if one else "", 0) for one in named]
        return [cls(deque(orders[n::installations])) for n in range(installations)]

    def take(self, points: Sequence[str]) -> tuple[str, int] | None:
        """The next order for one who comes by these points; None where there is none left for it."""
        for place, (point, _) in enumerate(self.orders):
            if not point or point in points:
                order = self.orders[place]
                del self.orders[place]
                return order
        return None

    def missed(self, point: str, times: int) -> None:
        """Another life shall try, a little later."""
        if times < TRIES:
            self.orders.insert(min(3, len(self.orders)), (point, times + 1))


@dataclass(eq=False)
class TriageProcess:
    """One process at a time, started with the same words."""

    words: tuple[str, ...]
    points: tuple[str, ...]
    """Those that it can come by."""
    folder: Path
    environment: Callable[..., dict[str, str]]
    chance: Random
    coming_up: float = 1.0
    """Seconds that it takes: how busy this machine is."""
    left: list[psutil.Process] = field(default_factory=list)
    """Children of those we have killed."""
    _process: Launched | None = None

    @property
    def log(self) -> Path:
        """What all its lives have said."""
        return self.folder / f"{self.words[0]}.log"

    def start(self, point: str = "") -> None:
        """A new life."""
        with self.log.open("ab") as log, Path(os.devnull).open("rb") as nothing:
            files = (nothing.fileno(), log.fileno(), log.fileno())
            environment = self.environment(TRIAGE_CRASH_AT=point)
            self._process = launcher().start(self.words, environment, self.folder, *files)

    def kill(self) -> None:
        """Now, if it still lives."""
        if self._process is None or self._dead():
            return
        self.left += psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        self._process.wait()

    def end(self) -> int:
        """Its exit code when it is asked to go."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(PATIENCE)

    async def lives_on(self, plan: Plan, feed: Feeding) -> None:
        """Life after life, until the plan has nothing left for it."""
        while (order := plan.take(self.points)) is not None:
            point, times = order
            await feed(0)
            self.start(point)
            await self._die(point, feed)
            if self._hit(point):
                plan.killed[point or AT_RANDOM] += 1
                continue
            self.kill()
            plan.killed[AT_RANDOM] += 1
            if point:
                plan.missed(point, times)
                self.coming_up *= SLOWER

    async def _die(self, point: str, feed: Feeding) -> None:
        """Until it has died by itself, or it is time to kill it."""
        began = fed = time.monotonic()
        until = began + self.coming_up * (TIMES if point else self.chance.uniform(0.05, LONGEST))
        while (now := time.monotonic()) < until and not self._dead():
            await asyncio.sleep(LOOK)
            if point and now - fed > HUNGRY * self.coming_up:
                fed = now
                await feed(MORE)

    def _hit(self, point: str) -> bool:
        """It has killed itself. One that ends in any other way is a fault of ours, and ends the run."""
        code = self._process.poll() if self._process else None
        if code is None:
            return False
        assert (bool(point), code) == (True, -signal.SIGKILL), f"{self.words} ended with {code}:\n{self.told()}"
        return True

    def _dead(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def must_live(self) -> None:
        """A process that nobody kills goes on."""
        assert not self._dead(), f"{self.words} ended by itself:\n{self.told()}"

    def told(self) -> str:
        """Its last words."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def orphans(self) -> list[int]:
        """Children that have outlived their parents."""
        return [child.pid for child in self.left if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
