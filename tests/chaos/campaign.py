"""A chaos run from its first kill to its table: runs side by side, each with its own everything."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.chaos.chaos_run import ChaosRun, open_app
from tests.chaos.identity import Identity, evidence_of, judged
from tests.chaos.mails import Letters
from tests.chaos.processes import AT_RANDOM, Feeding, Plan
from tests.chaos.providers import callers
from tests.servers.dovecot import Dovecot

WAYS: Final = ("imap", *(caller.name for caller in callers()))
SILENCE: Final = 0.2
"""Share of lives in which Jira does as it is told, and its answer never comes: then there is something to look for."""
TOLD: Final = 50
"""Kills between two lines where no terminal shows a bar."""


@dataclass(eq=False)
class Campaign:
    """How much is to be done, and what came of it."""

    kills: int
    points: tuple[str, ...]
    """Where to kill, and each must be hit."""
    seed: int
    settling: float
    """Seconds that everything may take to come to its end after the last kill."""
    console: Console = field(default_factory=lambda: Console(quiet=True))
    plans: list[Plan] = field(default_factory=list)
    identity: Identity = field(default_factory=Identity)
    answers: Counter[str] = field(default_factory=Counter)
    replayed: int = 0
    seconds: float = 0.0

    @cached_property
    def chance(self) -> Random:
        """Everything that is left to chance, but for what the machine does."""
        return Random(self.seed)

    async def run(self, folder: Path, dovecot: Dovecot, urls: Sequence[str], letters: Sequence[Letters]) -> None:
        """Everything; one run for each database, and letters for each."""
        began = time.monotonic()
        self.plans = Plan.of(self.kills, self.points, len(urls), self.chance)
        async with AsyncExitStack() as stack:
            runs = [
                await stack.enter_async_context(
                    open_app(folder / f"run-{n}", url, dovecot.user(), callers(), letters[n], self.chance)
                )
                for n, url in enumerate(urls)
            ]
            await self._all_under_fire(runs)
            for found in await asyncio.gather(*map(self._after, runs)):
                self.identity.add(found)
        self.seconds = time.monotonic() - began

    async def _all_under_fire(self, runs: Sequence[ChaosRun]) -> None:
        bar = asyncio.create_task(self._show())
        try:
            async with asyncio.TaskGroup() as group:
                for run, plan in zip(runs, self.plans, strict=True):
                    group.create_task(self._under_fire(run, plan))
        finally:
            bar.cancel()
            await asyncio.gather(bar, return_exceptions=True)

    async def _under_fire(self, run: ChaosRun, plan: Plan) -> None:
        """Until the plan is done."""
        await run.kindle(plan)
        async with asyncio.TaskGroup() as group:
            for process in run.processes:
                group.create_task(process.lives_on(plan, self._feeding(run, plan)))

    def _feeding(self, run: ChaosRun, plan: Plan) -> Feeding:
        """Mails spread over the kills that are still to come."""

        async def feed(more: int) -> None:
            if more or self.chance.random() < SILENCE:
                run.lose_an_answer()
            share = len(run.feed.mails) / (len(plan.orders) + 1)
            await run.feed.release(more or int(share + self.chance.random()))

        return feed

    async def _after(self, run: ChaosRun) -> Identity:
        await run.settle(self.settling)
        self.replayed += await run.replay_quarantine()
        self.answers += run.answers
        return judged(await evidence_of(run))

    # --- what came of it ------------------------------------------------------------------------

    @property
    def killed(self) -> int:
        """Processes that died."""
        return sum(plan.killed.total() for plan in self.plans)

    @property
    def missed(self) -> list[str]:
        """Points that nobody died at."""
        return [point for point in self.points if not self._died(point)]

    def _died(self, point: str) -> int:
        return sum(plan.killed[point] for plan in self.plans)

    async def _show(self) -> None:
        """A bar, where somebody looks; else a line now and then."""
        columns = (TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        told = 0
        with Progress(*columns, console=self.console, transient=True) as progress:
            task = progress.add_task("", total=self.kills)
            while True:
                progress.update(task, completed=self.killed)
                if not self.console.is_terminal and self.killed >= told + TOLD:
                    told = self.killed
                    self.console.print(f"{told} of {self.kills} kills")
                await asyncio.sleep(0.5)

    def print(self) -> None:
        """For people: where they died, then the identity."""
        title = f"{self.killed} kills, {self.seconds:.0f} s with all settled"
        table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
        for _ in range(3):
            table.add_column("died at")
            table.add_column("times", justify="right")
        cells = [(name, str(self._died(name))) for name in (*self.points, AT_RANDOM)]
        rows = math.ceil(len(cells) / 3)
        cells += [("", "")] * (3 * rows - len(cells))
        for left, middle, right in zip(cells[:rows], cells[rows : 2 * rows], cells[2 * rows :], strict=True):
            table.add_row(*left, *middle, *right)
        self.console.print(table, "")
        self.identity.print(self.console, WAYS)
        told = ", ".join(f"{count} x {status}" for status, count in sorted(self.answers.items()))
        self.console.print(f"\nproviders heard: {told}; quarantined and replayed by hand: {self.replayed}")
