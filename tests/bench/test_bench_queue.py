"""How long a mail waits from "accepted" to "running", with both runners, the real store and a real Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

import pytest

from integrations.arq_queue import ArqNotifier, run_arq_worker
from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.servers.redis import RedisServer
from triage.agent.services import Services
from triage.domain.errors import NotAMail
from triage.domain.ports import LeasedCase, Notifier
from triage.pipeline.worker import Worker
from triage.services.intake import Intake, received_from_file

pytestmark = pytest.mark.bench

MAILS = 200
JOBS = 2000
BAR_MS = 20.0


class Starts:
    """Notes when each case begins, then ends it: what follows is not the queue's business."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.another = asyncio.Event()

    def services(self, leased_case: LeasedCase) -> Services:
        """Called by the worker with the lease in its hands, right before the first step."""
        self.at[leased_case.lease.case] = time.perf_counter()
        self.another.set()
        raise NotAMail("bench")


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


async def test_local(tmp_path: Path) -> None:
    """In one process."""
    async with store_in(tmp_path) as store:
        intake, worker, starts = parts(store, LocalNotifier())
        stop = asyncio.Event()
        serving = asyncio.create_task(worker.serve(stop))
        median = told("local", await latencies(intake, starts))
        stop.set()
        await serving

    assert median <= BAR_MS


async def test_arq(tmp_path: Path, redis_server: RedisServer) -> None:
    """Over Redis."""
    bell = ArqNotifier(redis_server.url)
    async with store_in(tmp_path) as store:
        intake, worker, starts = parts(store, bell)
        stop = asyncio.Event()
        serving = asyncio.create_task(
            run_arq_worker(redis_server.url, worker.handle, store.jobs.due, max_jobs=4, stop=stop, sweep_seconds=60)
        )
        await asyncio.sleep(0.3)
        median = told("arq", await latencies(intake, starts))
        stop.set()
        await serving
    await bell.close()

    assert median <= BAR_MS


async def test_arq_throughput(redis_server: RedisServer) -> None:
    """What a job that does nothing costs, with four hands and with a hundred."""
    for hands in (4, 100):
        rate, cost, idle = await _rate(redis_server.url, hands)
        print(f"\narq {hands:>3} hands: {rate:,.0f} no-op jobs/s, {cost:.2f} ms of CPU each; idle {idle:.2%} of a core")

        assert cost < 5.0


async def _rate(url: str, hands: int) -> tuple[float, float, float]:
    """Jobs a second, milliseconds of CPU for each, and the share of a core that waiting takes."""
    bell, done, stop = ArqNotifier(url), 0, asyncio.Event()

    async def handle(case: str) -> None:
        nonlocal done
        done += 1

    async def due() -> tuple[str, ...]:
        return ()

    for number in range(JOBS):
        await bell.notify(f"case-{number}")
    cpu, began = time.process_time(), time.perf_counter()
    serving = asyncio.create_task(run_arq_worker(url, handle, due, max_jobs=hands, stop=stop))
    while done < JOBS:
        await asyncio.sleep(0.01)
    rate, cost = JOBS / (time.perf_counter() - began), (time.process_time() - cpu) * 1000 / JOBS
    await asyncio.sleep(0.5)
    cpu = time.process_time()
    await asyncio.sleep(2)
    idle = (time.process_time() - cpu) / 2
    stop.set()
    await serving
    await bell.close()
    return rate, cost, idle
