"""How long a mail waits from "accepted" to "running", with both runners, the real store and a real Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import quantiles

import pytest

from integrations.arq_queue import ArqNotifier
from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.contract.notifier.short_work import Reader, services
from tests.servers.redis import RedisServer
from triage.domain.ports import LeasedCase, Notifier
from triage.pipeline.context import Services
from triage.pipeline.worker import Worker
from triage.services.intake import Intake, received_from_file

pytestmark = pytest.mark.bench

MAILS = 200
JOBS = 2000
BAR_MS = 20.0
QUIET = 0.5
"""Seconds without a ring after which all have been heard."""


class Starts:
    """Notes when each case begins, then ends it: what follows is not the queue's business."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.another = asyncio.Event()

    def services(self, leased_case: LeasedCase) -> Services:
        """Called by the worker with the lease in its hands, right before the first step."""
        self.at[leased_case.lease.case] = time.perf_counter()
        self.another.set()
        return services(Reader())(leased_case)


@asynccontextmanager
async def store_in(folder: Path) -> AsyncIterator[SqlStore]:
    """SQLite on this disk, with its real commits."""
    store = await open_store(f"sqlite:///{folder}/bench.db", SystemClock())
    yield store
    await store.close()


async def latencies(intake: Intake, starts: Starts) -> list[float]:
    """Milliseconds for one mail after the other, the worker idle before each."""
    waited = []
    for number in range(MAILS):
        received = received_from_file(f"{number}.eml", b"Subject: bench\r\n\r\n", intake.clock.now())
        case = await intake.accept(received)
        accepted = time.perf_counter()
        while case not in starts.at:
            starts.another.clear()
            await starts.another.wait()
        waited.append((starts.at[case] - accepted) * 1000)
        await asyncio.sleep(0.02)
    return waited


def told(runner: str, waited: list[float]) -> float:
    """A line of the table; the median."""
    cuts = quantiles(waited, n=100)
    print(f"\n{runner:<6} accepted -> running over {len(waited)} mails: p50 {cuts[49]:.2f} ms, p95 {cuts[94]:.2f} ms")
    return cuts[49]


def parts(store: SqlStore, notifier: Notifier) -> tuple[Intake, Worker, Starts]:
    """The same handler for both runners."""
    starts = Starts()
    worker = Worker(jobs=store.jobs, notifier=notifier, clock=SystemClock(), services=starts.services)
    return Intake(store.inbox, notifier, SystemClock(), 1_000_000), worker, starts


@pytest.mark.parametrize("runner", ["local", "arq"])
async def test_latency(tmp_path: Path, redis_server: RedisServer, runner: str) -> None:
    """In one process, and over Redis; the worker does not look by itself."""
    bell: Notifier = LocalNotifier() if runner == "local" else ArqNotifier(redis_server.url)
    async with store_in(tmp_path) as store:
        intake, worker, starts = parts(store, bell)
        stop = asyncio.Event()
        serving = asyncio.create_task(replace(worker, poll=3600).serve(stop))
        await asyncio.sleep(0.3)
        median = told(runner, await latencies(intake, starts))
        stop.set()
        await serving
    await bell.close()

    assert median <= BAR_MS


async def test_arq_throughput(redis_server: RedisServer) -> None:
    """What a ring costs who is woken, and what waiting for one costs."""
    bell = ArqNotifier(redis_server.url)
    for number in range(JOBS):
        await bell.notify(f"case-{number}")
    cpu, began = time.process_time(), time.perf_counter()
    while await bell.wait(QUIET):
        pass
    rate, cost = JOBS / (time.perf_counter() - began - QUIET), (time.process_time() - cpu) * 1000 / JOBS
    cpu = time.process_time()
    for _ in range(20):
        await bell.wait(0.1)
    idle = (time.process_time() - cpu) / 2
    await bell.close()
    print(f"\narq: {rate:,.0f} rings/s, {cost:.2f} ms of CPU each; idle {idle:.2%} of a core")

    assert cost < 5.0
