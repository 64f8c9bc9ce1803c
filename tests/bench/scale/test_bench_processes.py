"""Two worker processes beside one on PostgreSQL: mails a second, processor time by process, and who waits for a lock."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it has no types
import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from cli.mail.process import prepared
from cli.wiring.app import open_app
from tests.bench.test_bench_pipeline import EMAIL, accepted, jira_of_its_own, letters
from tests.conftest import ROOT
from tests.servers.postgres import Postgres
from triage.config.settings import Isolated, load
from triage_sandbox.jira import TOKEN

pytestmark = pytest.mark.bench

MAILS: Final = int(os.environ.get("BENCH_MAILS", "300"))
BAR: Final = 1.7
"""What two processes are wanted to do of what one does, where the machine has a core for each: printed beside what was reached."""
DEARER: Final = 1.3
"""So much more processor time a mail may cost when two processes share the work: what they wait for costs none."""
WAITING: Final = 1.0
"""Backends that may wait on average; 0.1 are wanted of a machine of its own."""
LOOK: Final = 0.1
WAITS: Final = "SELECT wait_event FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
PACE: Final = "SELECT count(*) AS mails, extract(epoch FROM max(at) - min(at))::float AS seconds FROM steps WHERE name = 'dispatch'"


@dataclass(frozen=True, slots=True)
class Run:
    """What some processes have done."""

    rate: float
    """Mails a second between the first and the last that ended."""
    cost: float
    """Milliseconds of processor a mail, of all workers, their start included."""
    waiting: float
    """Backends that waited for a lock, on average."""
    tickets: int


@pytest.mark.timeout(1500)
async def test_two_processes(postgres: Postgres, tmp_path: Path) -> None:
    """The work of two processes costs little more than that of one, each mail is handled once, and nobody waits for locks."""
    one, two = [await worked(postgres, tmp_path, processes) for processes in (1, 2)]
    for processes, run in ((1, one), (2, two)):
        print(
            f"\n  {processes} processes: {run.rate:5.1f} mails/s, {run.cost:5.1f} ms of processor a mail,"
            f" {run.waiting:.2f} backends wait for a lock"
        )
    print(
        f"  two / one {two.rate / one.rate:.2f} by the clock of this machine, the bar is {BAR}; {two.cost / one.cost:.2f} by cost"
    )

    assert one.tickets == two.tickets == MAILS
    assert two.cost <= DEARER * one.cost
    assert two.waiting <= WAITING


async def worked(postgres: Postgres, folder: Path, processes: int) -> Run:
    """Work the same backlog off by so many processes, with a Jira and a database of their own."""
    name = f"by_{processes}"
    await postgres.run(f"CREATE DATABASE {name}")
    home = folder / name
    home.mkdir()
    (home / "none.yaml").write_text("{}", encoding="utf-8")
    given = {
        "DATABASE_URL": postgres.url(name),
        "TRIAGE_CONFIG": str(home / "none.yaml"),
        "TICKET_INDEX_DIR": str(home / "index"),
        "LOG_LEVEL": "ERROR",
        "PROCESSES": str(processes),
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": EMAIL,
        "JIRA_API_TOKEN": TOKEN,
        **dict.fromkeys(("THROTTLE_SENDER_PER_HOUR", "THROTTLE_STORM_PER_HOUR", "THROTTLE_THREAD_PER_HOUR"), "0"),
    }
    with jira_of_its_own(home) as (url, _):
        given["JIRA_BASE_URL"] = url
        async with open_app(load(Isolated, **given)) as opened:
            await prepared(opened)
            await accepted(opened, letters(MAILS), "bench")
        database = await asyncpg.connect(postgres.url(name))
        cost, waiting = await _until_idle(given, processes, database)
        pace = await database.fetchrow(PACE)
        tickets = await database.fetchval("SELECT count(DISTINCT ticket) FROM cases WHERE outcome = 'ticketed'")
        await database.close()
    return Run(pace["mails"] / pace["seconds"], cost * 1000 / MAILS, waiting, tickets)


async def _until_idle(given: dict[str, str], processes: int, database: asyncpg.Connection) -> tuple[float, float]:
    """Return the processor seconds of the workers, and how many backends waited for a lock on average."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | given
    command = (sys.executable, "-m", "cli", "work", "--until-idle")
    crew = [
        psutil.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(processes)
    ]
    spent: Counter[int] = Counter()
    waits: list[int] = []
    while alive := [each for each in crew if each.poll() is None]:
        spent |= _spent(alive)
        waits.append(len(await database.fetch(WAITS)))
        await asyncio.sleep(LOOK)
    assert [each.wait() for each in crew] == [0] * processes
    return sum(spent.values()) / 1000, sum(waits) / len(waits)


def _spent(alive: Sequence[psutil.Popen]) -> Counter[int]:
    """Return the processor milliseconds of each process."""
    found: Counter[int] = Counter()
    for each in alive:
        try:
            found[each.pid] = int(sum(each.cpu_times()[:2]) * 1000)
        except psutil.Error:  # it has just ended
            continue
    return found
