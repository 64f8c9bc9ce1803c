"""Tickets made while Jira fails in every way that we know and the processes that make them die: each exactly once."""

import asyncio
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from tests.faults.fault_run import ForkServer, Scale, fault_run, fork_servers
from tests.faults.fault_scenarios import SCENARIOS, FaultScenario
from tests.faults.verdict import Verdict, print_table
from triage_sandbox.jira import TOKEN

WIDE = 140
SITES = {True: "Cloud", False: "Server"}
FORK_SERVERS = 2
WORST = (
    "429 from a real limit",
    "reset after commit",
    "committed after our timeout",
    "form changes, reset after commit",
    "moved away at once, reset after commit",
    "all of it by turns",
)
"""Of `SCENARIOS`, those of the ordinary suite; `make faults` goes through all of them."""


@dataclass(kw_only=True)
class Season:
    """Runs, several side by side: while one waits the others work."""

    scale: Scale
    runs: Sequence[tuple[FaultScenario, bool]]
    """FaultScenario, and Cloud or Server."""
    at_once: int
    seed: int
    console: Console = field(default_factory=lambda: Console(quiet=True))
    verdicts: list[Verdict] = field(default_factory=list)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def pass_by(self, folder: Path) -> None:
        """All of them."""
        waiting = asyncio.Queue[tuple[int, FaultScenario, bool]]()
        for number, (scenario, cloud) in enumerate(self.runs):
            waiting.put_nowait((number, scenario, cloud))
        async with (
            fork_servers(self.at_once * FORK_SERVERS, TOKEN, folder / "writers.log") as made,
            asyncio.TaskGroup() as group,
        ):
            for number in range(self.at_once):
                group.create_task(self._one_by_one(waiting, folder, made[number * FORK_SERVERS :][:FORK_SERVERS]))

    async def _one_by_one(
        self, waiting: asyncio.Queue[tuple[int, FaultScenario, bool]], folder: Path, made: Sequence[ForkServer]
    ) -> None:
        while not waiting.empty():
            number, scenario, cloud = waiting.get_nowait()
            chance = Random(f"{self.seed} {number}")
            async with fault_run(scenario, self.scale, folder / f"{number}", chance, self.opening, cloud=cloud) as one:
                verdict = await one.run(made)
            self.verdicts.append(verdict)
            self.console.print(*verdict.cells, sep=" | ")

    @property
    def broken(self) -> list[Verdict]:
        """Where something is not exactly once."""
        return [verdict for verdict in self.verdicts if verdict.broken]

    @property
    def killed(self) -> int:
        """Processes that died."""
        return sum(verdict.kills for verdict in self.verdicts)


@pytest.mark.timeout(3600)
async def test_each_ticket_once_whatever_jira_does(tmp_path: Path) -> None:
    """In the worst kinds of trouble, with writers killed in between, on Cloud and Server by turns."""
    worst = [scenario for scenario in SCENARIOS if scenario.name in WORST]
    runs = [(scenario, number % 2 == 0) for number, scenario in enumerate(worst)]
    season = Season(scale=Scale(creates=10, kills=3, speed=10), runs=runs, at_once=3, seed=3)
    await season.pass_by(tmp_path)

    assert [len(worst), season.broken] == [len(WORST), []]
    assert season.killed >= 2 * len(runs)


@pytest.mark.chaos
@pytest.mark.timeout(0)
async def test_a_thousand_tickets_in_each_weather(tmp_path: Path) -> None:
    """The same with CREATES tickets on both, then the table; ONLY chooses weathers by a regular expression."""
    creates, seed, only = asked("CREATES", 1000), asked("SEED", 1), os.environ.get("ONLY", "")
    runs = [
        (scenario, cloud)
        for scenario in SCENARIOS
        for cloud in (True, False)
        if re.search(only, f"{scenario.name} on {SITES[cloud]}")
    ]
    scale = Scale(creates=creates, kills=max(creates // 25, 1), speed=20)
    season = Season(scale=scale, runs=runs, at_once=asked("AT_ONCE", 3), seed=seed, console=Console(width=WIDE))
    began = time.monotonic()
    await season.pass_by(tmp_path)
    order = [scenario.name for scenario, _ in runs]
    verdicts = sorted(season.verdicts, key=lambda verdict: order.index(verdict.name.rpartition(" (")[0]))
    print_table(verdicts, season.console, f"{len(runs)} runs, {time.monotonic() - began:.0f} s")

    assert season.broken == []


def asked(name: str, usual: int) -> int:
    """A number that `make faults` was given."""
    return int(os.environ.get(name) or usual)
