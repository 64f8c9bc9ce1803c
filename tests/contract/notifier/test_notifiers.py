"""The doorbells: in one process, and over a real Redis that may vanish, forget and come back."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from loguru import logger

from integrations.arq_queue import ArqNotifier, _end, trouble_of
from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.conftest import PATIENCE
from tests.contract.notifier.notifier_contract import SOON, NotifierContract
from tests.contract.notifier.short_work import Reader, services
from tests.contract.store.store_samples import due
from tests.database import migrated
from tests.servers import free_port
from tests.servers.redis import RedisServer
from triage.domain.ports import Notifier
from triage.pipeline.worker import Worker
from triage.services.intake import received_from_file


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
        bell = ArqNotifier(redis_server.url, PATIENCE)
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
            while await bell.wait(0.05):
                pass
            await bell.notify("case-3")
            if await bell.wait(0.5):
                break


async def test_why_redis_is_of_no_use(redis_server: RedisServer) -> None:
    """`triage doctor` learns that Redis answers, else why not: another password than Redis has, or nobody is there."""
    sound = await trouble_of(redis_server.url, PATIENCE)
    refused = await trouble_of(redis_server.url.replace("//", "//ann:canary@"), PATIENCE)
    redis_server.kill()
    gone = await trouble_of(redis_server.url)

    assert (sound, "canary" in refused) == ("", False)
    assert ("password" in refused, str(redis_server.port) in gone) == (True, True)


@asynccontextmanager
async def running(
    store: SqlStore,
    notifier: Notifier,
    reader: Reader,
    *,
    poll: float = 3600,
    at_once: int = 4,
    drain_seconds: float = 20,
) -> AsyncIterator[asyncio.Event]:
    """A worker in the background, stopped at the end. With its default it never looks by itself after its start."""
    stop = asyncio.Event()
    worker = Worker(
        jobs=store.jobs,
        notifier=notifier,
        clock=SystemClock(),
        services=services(reader),
        poll=poll,
        at_once=at_once,
        drain_seconds=drain_seconds,
    )
    serving = asyncio.create_task(worker.serve(stop))
    await asyncio.sleep(0.1)
    try:
        yield stop
    finally:
        stop.set()
        await serving


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """The truth."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", SystemClock())
    yield store
    await store.close()


@pytest.fixture
async def bell(redis_server: RedisServer) -> AsyncIterator[ArqNotifier]:
    """Rings at the test's Redis; a worker of this process waits on it."""
    bell = ArqNotifier(redis_server.url, PATIENCE)
    yield bell
    await bell.close()


async def brought(store: SqlStore, bell: Notifier, *numbers: int) -> list[bytes]:
    """So many mails, accepted and rung for."""
    raws = [b"%d" % number for number in numbers]
    for raw in raws:
        now = SystemClock().now()
        await bell.notify(await store.inbox.accept(received_from_file(raw.decode(), raw, now)))
    return raws


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


class TestWorkerBehindRedis:
    """The one worker, woken through Redis."""

    async def test_ring_starts_work(self, store: SqlStore, bell: ArqNotifier) -> None:
        """A ring starts the work, though the worker would not look for an hour."""
        reader = Reader()
        async with running(store, bell, reader):
            raws = await brought(store, bell, 1)
            await until(lambda: reader.ended == raws)

        assert reader.ended == raws

    async def test_ids_only(self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier) -> None:
        """All that Redis ever holds is the id, as JSON; after the work it holds nothing of it."""
        raws, reader = await brought(store, bell, 1), Reader()
        queued = redis_server.keys()
        (job,) = (value for key, value in queued.items() if key.startswith("arq:job:"))

        assert len(queued) == 2
        assert b'"a": ["case-1"], "k": {}' in job

        async with running(store, bell, reader):
            await until(lambda: len(redis_server.keys()) <= 1)

        assert reader.ended == raws
        assert {"triage:queue:health-check"} >= set(redis_server.keys())

    async def test_ring_while_running(self, store: SqlStore, bell: ArqNotifier) -> None:
        """A case that is rung for again and again while it is in hand is worked on once."""
        reader = Reader(seconds=0.3)
        async with running(store, bell, reader):
            raws = await brought(store, bell, 1)
            for _ in range(20):
                await bell.notify("case-1")
            await until(lambda: reader.ended == raws)

        assert reader.begun == reader.ended == raws

    async def test_flush_in_the_middle(self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier) -> None:
        """FLUSHALL under load delays work and loses none."""
        reader, raws = Reader(seconds=0.02), list[bytes]()
        async with running(store, bell, reader, poll=0.3):
            for number in range(100):
                raws += await brought(store, bell, number)
                if number % 25 == 20:
                    redis_server.write(lambda redis: redis.flushall())
            await until(lambda: len(reader.ended) == 100)

        assert sorted(raws) == sorted(reader.ended)

    @pytest.mark.parametrize("policy", ["noeviction", "allkeys-random"])
    async def test_redis_without_room(
        self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier, policy: str
    ) -> None:
        """A Redis that refuses every write, or throws every key away, delays work and loses none; with room it rings again."""
        reader, raws = Reader(seconds=0.02), list[bytes]()
        async with running(store, bell, reader, poll=0.3):
            for number in range(60):
                raws += await brought(store, bell, number)
                if number == 20:
                    redis_server.write(lambda redis: redis.config_set("maxmemory-policy", policy))
                    redis_server.write(lambda redis: redis.config_set("maxmemory", "1"))
            await until(lambda: len(reader.ended) == 60)
            redis_server.write(lambda redis: redis.config_set("maxmemory", "0"))
            raws += await brought(store, bell, 60)
            await until(lambda: len(reader.ended) == 61)

        assert sorted(raws) == sorted(reader.ended)

    async def test_redis_killed_in_the_middle(
        self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier
    ) -> None:
        """SIGKILL of Redis under load: work goes on without it, and rings are heard again when it is back."""
        reader, raws = Reader(seconds=0.02), list[bytes]()
        async with running(store, bell, reader, poll=0.3):
            for number in range(100):
                raws += await brought(store, bell, number)
                if number == 40:
                    redis_server.kill()
            await until(lambda: len(reader.ended) == 100)

        assert sorted(raws) == sorted(reader.ended)

        redis_server.start()
        async with running(store, bell, reader):
            numbers = count(100)
            while len(reader.ended) <= 100:
                await brought(store, bell, next(numbers))
                await asyncio.sleep(0.1)

    async def test_redis_hangs_in_the_middle(self, redis_server: RedisServer, store: SqlStore) -> None:
        """A Redis that stops answering holds up neither the work, nor who rings, nor the end."""
        reader, bell = Reader(seconds=0.02), ArqNotifier(redis_server.url)
        async with running(store, bell, reader, poll=0.3):
            for number in range(60):
                await brought(store, bell, number)
                if number == 20:
                    redis_server.freeze()
            await until(lambda: len(reader.ended) == 60)
        await bell.close()

        assert len(reader.ended) == 60

    async def test_without_redis_at_all(self, store: SqlStore) -> None:
        """The database alone is enough where Redis never answers."""
        reader, bell = Reader(), ArqNotifier(f"redis://127.0.0.1:{free_port()}/0")
        async with running(store, bell, reader, poll=0.1):
            await brought(store, bell, *range(50))
            await until(lambda: len(reader.ended) == 50)
        await bell.close()

        assert len(reader.ended) == 50

    async def test_never_more_than_its_hands(self, store: SqlStore, bell: ArqNotifier) -> None:
        """Rings and looks together stay within the number of hands, and use them all."""
        reader = Reader(held=asyncio.Event())
        await brought(store, bell, *range(40))
        async with running(store, bell, reader, at_once=3, poll=0.05):
            await until(lambda: reader.at_once == 3)
            reader.held.set()
            await until(lambda: len(reader.ended) == 40)

        assert reader.most_at_once == 3
        assert 40 == len(set(reader.ended)) == len(reader.ended)

    async def test_two_workers_share(self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier) -> None:
        """Two workers on one queue do all of it, each case once."""
        both, other = asyncio.Event(), ArqNotifier(redis_server.url, PATIENCE)
        one, two = Reader(held=both), Reader(held=both)
        async with running(store, bell, one), running(store, other, two):
            raws = await brought(store, bell, *range(40))
            await until(lambda: bool(one.begun and two.begun))
            both.set()
            await until(lambda: len(one.ended) + len(two.ended) == 40)
        await other.close()

        assert sorted(raws) == sorted(one.ended + two.ended)

    async def test_stop_lets_work_end(self, store: SqlStore, bell: ArqNotifier) -> None:
        """`stop` begins nothing new and waits for what runs."""
        reader = Reader(held=asyncio.Event())
        await brought(store, bell, *range(3))
        async with running(store, bell, reader, at_once=1) as stop:
            await until(lambda: reader.at_once == 1)
            stop.set()
            reader.held.set()

        assert len(reader.ended) == 1
        assert len(await due(store, SystemClock())) == 2

    async def test_stop_cuts_what_does_not_end(self, store: SqlStore, bell: ArqNotifier) -> None:
        """After the time to drain a case that hangs is cancelled and given back."""
        reader = Reader(seconds=3600)
        await brought(store, bell, 1)
        async with running(store, bell, reader, drain_seconds=0.2):
            await until(lambda: reader.at_once == 1)

        assert await due(store, SystemClock()) == ("case-1",)

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

    async def test_garbage_in_redis(self, redis_server: RedisServer, store: SqlStore, bell: ArqNotifier) -> None:
        """Whatever somebody writes into our keys, work gets done, and the log tells of it."""
        said: list[str] = []
        sink = logger.add(said.append, format="{message}")
        redis_server.write(lambda redis: redis.set("triage:queue", "no sorted set"))
        reader = Reader()
        async with running(store, bell, reader, poll=0.1):
            await brought(store, bell, 1)
            await until(lambda: bool(reader.ended) and any("listen.interrupted" in line for line in said))
            redis_server.write(lambda redis: redis.delete("triage:queue"))
            redis_server.write(lambda redis: redis.zadd("triage:queue", {b"pickled": 1, b"\xff\xfe": 2}))
            redis_server.write(lambda redis: redis.set("arq:job:pickled", b"\x80\x04cos\nsystem\n"))
            await until(lambda: any("listen.crashed" in line for line in said))
            await brought(store, bell, 2)
            await until(lambda: len(reader.ended) == 2)
        logger.remove(sink)

        assert reader.ended == [b"1", b"2"]
        assert any("listen.crashed" in line for line in said)
