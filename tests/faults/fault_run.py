"""One run: a Jira in one kind of trouble, cases that each want a ticket, and processes that write them and get killed."""

import asyncio
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Final

from sqlalchemy import select

from integrations.sql.database.engine import Database
from integrations.sql.database.schema import JobState, jobs
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.chaos.points import points
from tests.conftest import ROOT
from tests.contract.store.store_samples import mail
from tests.faults.fault_scenarios import FaultScenario
from tests.faults.verdict import Made, Verdict
from tests.faults.writer import Order
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import Fault, jira_app
from triage_sandbox.jira.ground.lag import Lag
from triage_sandbox.server import Served

CHANGE: Final = 0.5
"""Seconds between two looks of the scenario."""
GOOD, BAD = 2.0, 1.0
"""Seconds of each, where trouble comes and goes."""
EVERY_THIRD: Final = 3
LONGEST: Final = 0.04
"""Seconds for each ticket of its share that a process may live."""
SHORTEST: Final = 0.3
"""Seconds until a process has opened its books and found its Jira."""
AT_A_POINT: Final = 2
"""Of three that die, two die at a point, unless they do not come by it in time."""
NEW: Final = "SELECT key, number FROM ticket WHERE key LIKE 'HARB-%' AND summary LIKE 'case-%'"


def landmarks() -> tuple[str, ...]:
    """Where a write can be cut off."""
    return tuple(point for point in points() if point.startswith(("effect.", "marker.", "job.")))


@dataclass(frozen=True, slots=True)
class ForkServer:
    """Our end of the line to a fork_server of processes; see `tests/faults/writer.py`."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    log: Path

    async def bear(self, order: Order) -> int:
        """One life, to its end; the exit code."""
        self.writer.write(order.line)
        line = await self.reader.readline()
        assert line, self.told()
        return int(line)

    def told(self) -> str:
        """The last words of all of them."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]


@asynccontextmanager
async def fork_servers(count: int, token: str, log: Path) -> AsyncIterator[Sequence[ForkServer]]:
    """So many, forked from one process. In the end there are no orders any more, and who still lives, dies."""
    pairs = [socket.socketpair() for _ in range(count)]
    theirs = [end.fileno() for _, end in pairs]
    with log.open("ab") as said:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.writer", token, *map(str, theirs)),
            stderr=said,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
            pass_fds=theirs,
        )
    for _, end in pairs:
        end.close()
    made = [ForkServer(*await asyncio.open_connection(sock=ours), log) for ours, _ in pairs]
    try:
        yield made
    finally:
        for fork_server in made:
            fork_server.writer.close()
        await process.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much of it."""

    creates: int
    kills: int
    speed: float
    """How much faster than real the time goes for gate, timeouts, pauses and settling."""


@dataclass(kw_only=True)
class FaultRun:
    """One Jira in one scenario."""

    scenario: FaultScenario
    jira: RunningJira
    database: str
    scale: Scale
    chance: Random
    opening: asyncio.Lock
    """Alembic can bring one database at a time up to date."""
    killed: int = 0

    async def run(self, fork_servers: Sequence[ForkServer]) -> Verdict:
        """From the first intent to the last ticket."""
        await self._accept()
        began = time.monotonic()
        scenario = asyncio.create_task(self._change())
        try:
            async with asyncio.TaskGroup() as group:
                for fork_server in fork_servers:
                    group.create_task(self._lives(fork_server))
        finally:
            scenario.cancel()
            with suppress(asyncio.CancelledError):
                await scenario
        return await self._verdict(time.monotonic() - began)

    async def _accept(self) -> None:
        async with self.opening:
            store = await open_store(self.database, SystemClock())
        await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(self.scale.creates)))
        await store.close()

    # --- lives ----------------------------------------------------------------------------------

    async def _lives(self, fork_server: ForkServer) -> None:
        """One after the other, until one comes to the end of the work."""
        while True:
            order = self._order()
            code = await fork_server.bear(order)
            if code == 0:
                return
            assert code == -signal.SIGKILL, f"{self.scenario.name}: a writer ended with {code}\n{fork_server.told()}"
            self.killed += 1

    def _order(self) -> Order:
        """Where the next one is to die; when enough have, it may live."""
        plain = Order(url=self.jira.url, cloud=self.jira.cloud, database=self.database, speed=self.scale.speed)
        if self.killed >= self.scale.kills:
            return plain
        share = self.scale.creates / self.scale.kills
        point = self.chance.choice(landmarks()) if self.chance.randrange(AT_A_POINT + 1) else ""
        seconds = SHORTEST + self.chance.uniform(0, share * LONGEST)
        if point:
            return replace(plain, point=point, nth=self.chance.randint(1, round(share)), seconds=2 * seconds)
        return replace(plain, seconds=seconds)

    # --- scenario --------------------------------------------------------------------------------

    async def _change(self) -> None:
        """Rules that are made anew, forms that change, people who move tickets."""
        app, scenario = self.jira.app, self.scenario
        app.site.lag, app.site.clock.skew = scenario.lag or Lag(), scenario.skew * 1000
        forms = cycle(scenario.forms or [frozenset()])
        for turn in count():
            app.site.off_screen = set(next(forms))
            bad = turn % 2 == 0 or not scenario.spell
            self._let(list(scenario.faults(self.scale.speed)) if bad else [])
            if scenario.moving:
                await asyncio.to_thread(self._move)
            await asyncio.sleep(CHANGE if not scenario.spell else BAD if bad else GOOD)

    def _let(self, rules: list[Fault]) -> None:
        """Have these in force; what is in force already keeps its chance."""
        faults = self.jira.app.faults
        if faults.listed != rules:
            faults.clear()
            for rule in rules:
                faults.add(rule)

    def _move(self) -> None:
        new = [row["key"] for row in self.jira.app.site.db.all(NEW) if row["number"] % EVERY_THIRD == 0]
        with self.jira.client() as client:
            for key in new:
                client.post("/__sandbox__/move", json={"issue": key, "project": "HELP"}).raise_for_status()

    # --- what came of it ------------------------------------------------------------------------

    async def _verdict(self, seconds: float) -> Verdict:
        made = Made.by(self.jira.app)
        wanted = {f"case-{number + 1}" for number in range(self.scale.creates)}
        return Verdict(
            name=f"{self.scenario.name} ({'Cloud' if self.jira.cloud else 'Server'})",
            creates=self.scale.creates,
            kills=self.killed,
            posts=len(self.jira.requests("POST", r"/issue$")),
            tickets=made.cases.total(),
            doubles=made.cases.total() - len(made.cases),
            lost=len(wanted - made.cases.keys()),
            strays=made.strays,
            waiting=await self._waiting(),
            seconds=seconds,
        )

    async def _waiting(self) -> int:
        database = Database(self.database)
        try:
            dead = select(jobs.c.case_id).where(jobs.c.state == JobState.DEAD)
            return len(await database.read(lambda connection: connection.execute(dead).all()))
        finally:
            await database.close()


@asynccontextmanager
async def fault_run(
    scenario: FaultScenario, scale: Scale, folder: Path, chance: Random, opening: asyncio.Lock, *, cloud: bool
) -> AsyncIterator[FaultRun]:
    """A run with a Jira and books of its own."""
    folder.mkdir()
    app = jira_app(deployment="cloud" if cloud else "server")
    app.journal.entries = deque()
    with Served(app) as served:
        yield FaultRun(
            scenario=scenario,
            jira=RunningJira(served, app),
            database=f"sqlite:///{folder}/triage.db",
            scale=scale,
            chance=chance,
            opening=opening,
        )
