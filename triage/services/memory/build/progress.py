"""Records the progress of a build: committed, told to listeners, and renewed while a model thinks."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.errors import StoreDown
from triage.domain.memory.builds import Build, BuildStage
from triage.domain.memory.errors import BuildLost
from triage.domain.ports import BuildStore, Clock

BEAT: Final = 5.0
"""Seconds between two signs of life."""
SILENCE: Final = 20.0
"""Seconds without one after which a build counts as killed."""


@dataclass(slots=True)
class Progress:
    """The running build; its methods raise `BuildLost` where another process has taken it over."""

    store: BuildStore
    clock: Clock
    build: Build
    tell: Callable[[Build], None]
    counts: Counter[str] = field(default_factory=Counter)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.counts.update(self.build.figures)

    async def stage(self, stage: BuildStage, total: int = 0) -> None:
        await self._beat(replace(self.build, stage=stage, done=0, total=total))

    async def step(self, done: int = 1, **counts: int) -> None:
        """Commit that so many mails or notes of the stage are done."""
        self.counts.update(counts)
        self.build = replace(self.build, done=self.build.done + done)
        await self._beat(self.build)

    async def end(self, stage: BuildStage, trouble: str = "") -> Build:
        """Commit the end of the build, with its error if it failed."""
        await self._beat(replace(self.build, stage=stage, trouble=trouble, ended_at=self.clock.now()))
        return self.build

    @asynccontextmanager
    async def alive(self) -> AsyncIterator[None]:
        """Give signs of life while something takes its time."""
        task = asyncio.create_task(self._live())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _live(self) -> None:
        with suppress(BuildLost):  # the next step hears of it, too
            while True:
                await asyncio.sleep(BEAT)
                with suppress(StoreDown):
                    await self._beat(self.build)

    async def _beat(self, build: Build) -> None:
        async with self._one:
            now = replace(build, figures=dict(self.counts), beat_at=self.build.beat_at)
            self.build = await self.store.beat(now)
        self.tell(self.build)
