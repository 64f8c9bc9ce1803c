"""Runs a build of the memory, one at a time and every few hours, and reports its progress."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from loguru import logger

from triage.domain.errors import TriageError
from triage.domain.memory.builds import STAGES, Build, BuildKind, BuildStage
from triage.domain.memory.errors import BuildLost, BuildRunning
from triage.domain.memory.notes import NoteStatus
from triage.domain.ports import BuildStore, Clock
from triage.services.memory.build.actions import Actions
from triage.services.memory.build.progress import SILENCE, Progress
from triage.services.memory.build.reading import ReadingStage
from triage.services.memory.build.reconciling import Reconciling
from triage.services.memory.build.writing import BATCH as OBSERVATIONS
from triage.services.memory.build.writing import Writing

TOKENS_PER_MAIL: Final = 900
"""Tokens that a mail takes in the Email Reader's prompt, with its part of the answer: an estimate for the cost."""
TOKENS_PER_RUN: Final = 12_000
"""Tokens that an agent with tools takes about a batch, in all its rounds: an estimate, too."""
NOTES_PER_RUN: Final = 15
"""Notes of a batch of Action and Reconciliation."""
AGAIN: Final = timedelta(hours=1)
"""Time after which the schedule tries a build again that failed."""
LOOK: Final = 1.0
"""Seconds between two checks of another process's build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a build would read, before it starts."""

    mails: int
    """Mails that no build has read, noise included."""
    to_write: int = 0
    """Mails that a build has read which ended before all their notes were written."""
    tokens: int
    """About so many tokens of the model; 0 without one."""
    cost_usd: float | None
    """None where the model's price is not known; 0 without a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStatus:
    """The state of the memory."""

    last: Build | None
    """The build, refresh or reconciliation that was started last."""
    next_at: datetime | None
    """When the schedule builds next, as soon as nothing else runs; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildService:
    """Called by `triage memory build`, the API and the console. Methods raise `StoreDown`."""

    store: BuildStore
    reading: ReadingStage
    writing: Writing
    actions: Actions
    reconciling: Reconciling
    clock: Clock
    model: str = ""
    """Name of the Email Reader's model; empty: rules."""
    price: Callable[[int], float | None] = lambda _: 0.0
    """Returns what so many tokens cost, in US dollars."""
    every: timedelta = timedelta()
    """Time from the begin of a build to that of the next one by schedule; nothing: none."""
    _running: set[asyncio.Task[Build]] = field(default_factory=set)

    async def estimate(self) -> Estimate:
        """Return what a build would read and cost, with all its agents. Raises `VaultDown`."""
        backlog = await self.store.backlog()
        runs = await self._runs(backlog.unread + backlog.unwritten)
        tokens = backlog.unread * TOKENS_PER_MAIL + runs * TOKENS_PER_RUN if self.model else 0
        cost = self.price(tokens) if self.model else 0.0
        return Estimate(mails=backlog.unread, to_write=backlog.unwritten, tokens=tokens, cost_usd=cost)

    async def _runs(self, mails: int) -> int:
        """Return about how often the agents with tools are asked about notes to write: one of a mail, each open note once."""
        if self.writing.writer is None or self.actions.planner is None or self.reconciling.reconciler is None:
            return 0
        open_notes = len(await self.reconciling.notes.list(status=NoteStatus.ACTIVE)) + mails
        return ceil(mails / OBSERVATIONS) + ceil(mails / NOTES_PER_RUN) + ceil(open_notes / NOTES_PER_RUN)

    async def run(self, kind: BuildKind, by: str, tell: Callable[[Build], None] = lambda _: None) -> Build:
        """Run a build to its end, or one that was killed from where it was. Raises `BuildRunning`, `BuildLost`."""
        return await self._carry_out(await self.store.begin(kind, by, SILENCE), tell)

    async def start(self, kind: BuildKind, by: str) -> Build:
        """Begin a build in the background and return it. Raises `BuildRunning`."""
        build = await self.store.begin(kind, by, SILENCE)
        task = asyncio.create_task(self._carry_out(build, lambda _: None))
        self._running.add(task)
        task.add_done_callback(self._over)
        return build

    async def latest(self) -> Build | None:
        """Return the build that was started last."""
        return await self.store.latest()

    async def status(self) -> BuildStatus:
        """Return the last build, and when the schedule builds next."""
        last = await self.store.latest()
        if not self.every:
            return BuildStatus(last=last, next_at=None)
        built = await self.store.latest(BuildKind.BUILD)
        if built is None or built.ended_at is None:
            return BuildStatus(last=last, next_at=self.clock.now())
        wait = self.every if built.stage is BuildStage.COMPLETE else min(self.every, AGAIN)
        return BuildStatus(last=last, next_at=built.started_at + wait)

    async def follow(self) -> AsyncIterator[Build]:
        """Yield the last build whenever it has gone on, until it ends."""
        last: Build | None = None
        while True:
            now = await self.store.latest()
            if now is None:
                return
            if last is None or (now.id, now.stage, now.done) != (last.id, last.stage, last.done) or now.ended_at:
                last = now
                yield now
            if now.ended_at:
                return
            await asyncio.sleep(LOOK)

    async def stop(self) -> None:
        """Stop the background build; the next build of its kind continues it."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _over(self, task: asyncio.Task[Build]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # the build itself tells its trouble

    async def _carry_out(self, build: Build, tell: Callable[[Build], None]) -> Build:
        progress = Progress(self.store, self.clock, build, tell)
        try:
            async with progress.alive():
                for stage in STAGES[build.kind]:
                    await self._stage(stage, progress)
        except BuildLost:
            raise
        except asyncio.CancelledError:
            await progress.end(BuildStage.FAILED, "it was stopped; the next build goes on")
            raise
        except TriageError as e:
            return await progress.end(BuildStage.FAILED, str(e))
        return await progress.end(BuildStage.COMPLETE)

    async def _stage(self, stage: BuildStage, progress: Progress) -> None:
        match stage:
            case BuildStage.READ:
                await self.reading.run(progress)
            case BuildStage.WRITE:
                await self.writing.run(progress)
            case BuildStage.ACTIONS:
                await self.actions.run(progress)
            case BuildStage.RECONCILE:
                await self.reconciling.run(progress)
            case _:
                pass  # fetch, graph and the end belong to their neighbours


BY: Final = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSchedule:
    """Starts a build of the memory every few hours; if two processes run it for a moment, one of them builds."""

    builds: BuildService
    clock: Clock

    async def run_once(self) -> Build | None:
        """Build if it is time, and return the build; None if it is not, or another one is under way. Raises `StoreDown`, `BuildLost`."""
        status = await self.builds.status()
        if status.next_at is None or status.next_at > self.clock.now():
            return None
        try:
            done = await self.builds.run(BuildKind.BUILD, BY)
        except BuildRunning as e:
            logger.bind(build=e.build).info("memory.schedule.skipped")
            return None
        logger.bind(build=done.id, stage=done.stage.value, **done.figures).info("memory.schedule.built")
        return done
