"""The doorbells: in one process, and over a real Redis that may vanish, forget and come back."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from loguru import logger

from integrations.arq_queue import ArqNotifier, _end, ping, run_arq_worker
from integrations.local_notifier import LocalNotifier
from tests.conftest import PATIENCE
from tests.contract.notifier.notifier_contract import SOON, NotifierContract
from tests.servers import free_port
from tests.servers.redis import RedisServer
from triage.domain.errors import StoreDown


class TestLocalDoorbell(NotifierContract):
    """In one process."""

    @pytest.fixture
    def bell(self) -> LocalNotifier:
        """A new one."""
        return LocalNotifier()


class TestArqDoorbell(NotifierContract):
    """Over Redis."""

    @pytest.fixture
    async def bell(self, redis_server: RedisServer) -> AsyncIterator[ArqNotifier]:
        """Its ears are open after the first wait."""
        bell = ArqNotifier(redis_server.url)
        await bell.wait(0.1)
        yield bell
        await bell.close()

    async def test_ring_without_redis(self) -> None:
        """A ring into the void does not raise, and the next ones do not even try."""
        bell = ArqNotifier(f"redis://127.0.0.1:{free_port()}/0")

        assert await _tries_of_100(bell) < 10

    async def test_ring_at_a_redis_that_hangs(self) -> None:
        """A server that accepts and says nothing delays one ring by half a second; the next ones do not even try."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            bell = ArqNotifier(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")

            assert await _tries_of_100(bell) < 10

    async def test_rings_again_after_restart(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """After Redis has been killed and restarted rings reach who waits, without anybody's help."""
        await bell.notify("case-1")
        redis_server.kill()
        await bell.notify("case-2")
        redis_server.start()
        while True:
            while await _waits(bell, 0.05):
                pass
            await bell.notify("case-3")
            if await _waits(bell, 0.5):
                break


async def test_ping(redis_server: RedisServer) -> None:
    """`triage doctor` learns whether Redis answers."""
    assert await ping(redis_server.url)

    redis_server.kill()

    assert not await ping(redis_server.url)


async def _waits(bell: ArqNotifier, seconds: float) -> bool:
    """Somebody rang in that time."""
    began = time.monotonic()
    await bell.wait(seconds)
    return time.monotonic() - began < seconds


class Work:
    """Stands for store and handler: what is due, and how often each case was handled."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.waiting: dict[str, None] = {}
        self.begun: dict[str, int] = {}
        self.ended: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self.store_is_down = False
        self.crashes = ""

    async def handle(self, case: str) -> None:
        """As `Worker.handle`: nothing to do where the case is done or in somebody's hands."""
        self.begun[case] = self.begun.get(case, 0) + 1
        if case == self.crashes:
            raise ZeroDivisionError
        if case not in self.waiting:
            return
        del self.waiting[case]
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.waiting[case] = None
            raise
        finally:
            self.at_once -= 1
        self.ended.append(case)

    async def due(self) -> tuple[str, ...]:
        """As `Store.due`."""
        if self.store_is_down:
            raise StoreDown("locked")
        return tuple(self.waiting)[:100]

    def accept(self, case: str) -> None:
        """As `Store.accept`."""
        self.waiting[case] = None


@asynccontextmanager
async def running(
    url: str, work: Work, *, max_jobs: int = 4, sweep_seconds: float = 0.3, drain_seconds: float = 20.0
) -> AsyncIterator[asyncio.Event]:
    """An arq worker in the background, stopped at the end."""
    stop = asyncio.Event()
    worker = asyncio.create_task(
        run_arq_worker(
            url,
            work.handle,
            work.due,
            max_jobs=max_jobs,
            stop=stop,
            sweep_seconds=sweep_seconds,
            drain_seconds=drain_seconds,
        )
    )
    await asyncio.sleep(0.1)
    try:
        yield stop
    finally:
        stop.set()
        await worker


@pytest.fixture
async def bell(redis_server: RedisServer) -> AsyncIterator[ArqNotifier]:
    """Rings at the test's Redis."""
    bell = ArqNotifier(redis_server.url)
    yield bell
    await bell.close()


async def _tries_of_100(bell: ArqNotifier) -> int:
    """How many of a hundred rings were sent, and lost."""
    lost: list[str] = []
    listening = logger.add(lost.append, level="WARNING", format="{message}")
    try:
        for number in range(100):
            await bell.notify(f"case-{number}")
        await bell.close()
    finally:
        logger.remove(listening)
    return lost.count("ring.lost\n")


async def until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for it; the assertion behind tells what was missing."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        await asyncio.sleep(0.01)


class TestArqWorker:
    """The worker behind Redis."""

    async def test_ring_starts_work(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """A ring starts the handler, long before the sweep would."""
        work = Work()
        async with running(redis_server.url, work, sweep_seconds=60):
            work.accept("case-1")
            await bell.notify("case-1")
            await until(lambda: work.ended == ["case-1"], 1.0)

        assert work.ended == ["case-1"]

    async def test_ids_only(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """All that Redis ever holds is the id, as JSON; after the work it holds nothing of it."""
        work = Work()
        work.accept("case-1")
        await bell.notify("case-1")
        queued = redis_server.keys()
        (job,) = (value for key, value in queued.items() if key.startswith("arq:job:"))

        assert len(queued) == 2
        assert b'"a": ["case-1"], "k": {}' in job

        async with running(redis_server.url, work, sweep_seconds=60):
            await until(lambda: len(redis_server.keys()) <= 1)

        assert work.ended == ["case-1"]
        assert {"triage:queue:health-check"} >= set(redis_server.keys())

    async def test_ring_while_running(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """A ring for a case in hand has it handled once more when it ends, and never twice at the same time."""
        work = Work(seconds=0.3)
        async with running(redis_server.url, work, sweep_seconds=60):
            work.accept("case-1")
            await bell.notify("case-1")
            await until(lambda: work.begun == {"case-1": 1})
            work.accept("case-1")
            await bell.notify("case-1")
            await until(lambda: work.ended == ["case-1", "case-1"], 3.0)

        assert work.ended == ["case-1", "case-1"]
        assert work.most_at_once == 1

    async def test_flush_in_the_middle(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """FLUSHALL under load delays work and loses none."""
        work = Work(seconds=0.02)
        cases = [f"case-{number}" for number in range(100)]
        async with running(redis_server.url, work):
            for number, case in enumerate(cases):
                work.accept(case)
                await bell.notify(case)
                if number % 25 == 20:
                    redis_server.write(lambda redis: redis.flushall())
            await until(lambda: len(work.ended) == 100)

        assert sorted(cases) == sorted(work.ended)

    async def test_redis_killed_in_the_middle(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """SIGKILL of Redis under load: work goes on without it, and rings are heard again when it is back."""
        work = Work(seconds=0.02)
        cases = [f"case-{number}" for number in range(100)]
        async with running(redis_server.url, work):
            for number, case in enumerate(cases):
                work.accept(case)
                await bell.notify(case)
                if number == 40:
                    redis_server.kill()
            await until(lambda: len(work.ended) == 100)

            assert sorted(cases) == sorted(work.ended)

            redis_server.start()
            work.store_is_down = True
            for number in range(50):
                work.accept(f"later-{number}")
                await bell.notify(f"later-{number}")
                await asyncio.sleep(0.1)
                if any(case.startswith("later") for case in work.ended):
                    break

            assert any(case.startswith("later") for case in work.ended)

    async def test_redis_hangs_in_the_middle(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """A Redis that stops answering holds up neither the work, nor who rings, nor the end."""
        work = Work(seconds=0.02)
        async with running(redis_server.url, work):
            for number in range(60):
                work.accept(f"case-{number}")
                await bell.notify(f"case-{number}")
                if number == 20:
                    redis_server.freeze()
            await until(lambda: len(work.ended) == 60)

        assert len(work.ended) == 60

    async def test_without_redis_at_all(self) -> None:
        """The sweep alone does the work where Redis never answers."""
        work = Work()
        for number in range(150):
            work.accept(f"case-{number}")
        async with running(f"redis://127.0.0.1:{free_port()}/0", work, sweep_seconds=0.1):
            await until(lambda: len(work.ended) == 150)

        assert len(work.ended) == 150

    async def test_never_more_than_max_jobs(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """Rings and sweep together stay within the number of hands, and use them all."""
        work = Work(seconds=0.05)
        for number in range(40):
            work.accept(f"case-{number}")
            await bell.notify(f"case-{number}")
        async with running(redis_server.url, work, max_jobs=3, sweep_seconds=0.05):
            await until(lambda: len(work.ended) == 40)

        assert work.most_at_once == 3
        assert 40 == len(set(work.ended)) == len(work.ended)

    async def test_two_workers_share(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """Two workers on one queue do all of it, each case once."""
        one, two = Work(seconds=0.02), Work(seconds=0.02)
        two.waiting = one.waiting
        async with running(redis_server.url, one, sweep_seconds=60), running(redis_server.url, two, sweep_seconds=60):
            for number in range(40):
                one.accept(f"case-{number}")
                await bell.notify(f"case-{number}")
            await until(lambda: len(one.ended) + len(two.ended) == 40)

        assert sorted(f"case-{number}" for number in range(40)) == sorted(one.ended + two.ended)
        assert one.ended
        assert two.ended

    async def test_stop_lets_work_end(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """`stop` begins nothing new and waits for what runs."""
        work = Work(seconds=0.5)
        for number in range(3):
            work.accept(f"case-{number}")
            await bell.notify(f"case-{number}")
        async with running(redis_server.url, work, max_jobs=1, sweep_seconds=60) as stop:
            await until(lambda: work.at_once == 1)
            stop.set()

        assert len(work.ended) == 1
        assert len(work.waiting) == 2

    async def test_stop_cuts_what_does_not_end(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """After the time to drain a case that hangs is cancelled."""
        work = Work(seconds=3600)
        work.accept("case-1")
        await bell.notify("case-1")
        async with running(redis_server.url, work, drain_seconds=0.2):
            await until(lambda: work.at_once == 1)

        assert work.waiting == {"case-1": None}

    async def test_swallowed_cancel(self) -> None:
        """A task that eats its first cancel, as Python 3.11's `wait_for` may, is ended by the second."""

        async def stubborn() -> None:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            await asyncio.sleep(60)

        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        await asyncio.wait_for(_end(task, again_after=0.01), SOON)

        assert task.cancelled()

    async def test_store_comes_back(self, redis_server: RedisServer) -> None:
        """A store that is down interrupts the sweep only as long as it is down."""
        work = Work()
        work.accept("case-1")
        work.store_is_down = True
        async with running(redis_server.url, work, sweep_seconds=0.1):
            await asyncio.sleep(0.3)
            work.store_is_down = False
            await until(lambda: bool(work.ended), 5.0)

        assert work.ended == ["case-1"]

    async def test_handler_that_raises(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """An error that escapes the handler costs its case this turn, not the worker its life."""
        work = Work()
        work.crashes = "case-1"
        work.accept("case-2")
        async with running(redis_server.url, work, sweep_seconds=60):
            await bell.notify("case-1")
            await bell.notify("case-2")
            await until(lambda: len(work.begun) == 2)

        assert set(work.begun) == {"case-1", "case-2"}
        assert work.ended == ["case-2"]

    async def test_garbage_in_redis(self, redis_server: RedisServer, bell: ArqNotifier) -> None:
        """Whatever somebody writes into our keys, work gets done, and the log tells of it."""
        said: list[str] = []
        sink = logger.add(said.append, format="{message}")
        redis_server.write(lambda redis: redis.set("triage:queue", "no sorted set"))
        work = Work()
        work.accept("case-1")
        async with running(redis_server.url, work, sweep_seconds=0.1):
            await bell.notify("case-1")
            await until(lambda: bool(work.ended) and any("serve.interrupted" in line for line in said))
            redis_server.write(lambda redis: redis.delete("triage:queue"))
            redis_server.write(lambda redis: redis.zadd("triage:queue", {b"pickled": 1, b"\xff\xfe": 2}))
            redis_server.write(lambda redis: redis.set("arq:job:pickled", b"\x80\x04cos\nsystem\n"))
            await until(lambda: any("serve.crashed" in line for line in said))
            work.accept("case-2")
            await until(lambda: len(work.ended) == 2)
        logger.remove(sink)

        assert work.ended == ["case-1", "case-2"]
        assert any("serve.crashed" in line for line in said)
