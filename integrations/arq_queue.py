"""The doorbell behind many processes: arq carries the ids of cases, wakes at once, and may lose everything at any time.

The database is the truth and Redis holds hints. Whatever Redis forgets, delays or keeps twice, the worker finds what is due
in the database, with Redis or without; the lease there decides who works on a case.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final
from uuid import uuid4

from arq.connections import ArqRedis
from arq.worker import Worker, func
from loguru import logger
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from integrations.local_notifier import LocalNotifier

QUEUE: Final = "triage:queue"
CHANNEL: Final = "triage:rings"
"""Pub/sub knows no database numbers: installations on one Redis server hear each other, which wakes and no more."""
JOB: Final = "work"

_PATIENCE: Final = 0.5
"""Seconds that a ring may take at most."""
_SULK: Final = 1.0
"""Seconds without a try after a ring that failed: a Redis that hangs slows one mail, not each."""
_POLL: Final = 0.05
"""arq's own look at the queue, the net below pub/sub."""
_AT_ONCE: Final = 100
"""Jobs of arq: each only wakes a waiter of this process."""
_FORGET_MS: Final = 7 * 24 * 3600 * 1000
"""arq drops jobs after a day and warns about each; after a week of nobody there are other worries."""
_PAUSES: Final = (0.1, 2.0)
"""First and longest wait in seconds before something that failed is tried again."""
_GONE: Final = (RedisError, OSError)
"""How Redis fails; a timeout is an OSError too."""


class ArqNotifier:
    """Doorbell over Redis: a ring in any process wakes a waiter in one of those that wait."""

    def __init__(self, redis_url: str) -> None:
        self._redis = _connect(redis_url)
        self._here = LocalNotifier()
        self._listener: asyncio.Task[None] | None = None
        self._backoff_until = 0.0

    async def notify(self, case: str) -> None:
        """Queue the id and wake the workers, within half a second or not at all."""
        if time.monotonic() < self._backoff_until:
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                # A new job id each time: arq refuses an id that it knows, and it knows those of running jobs too.
                await self._redis.enqueue_job(JOB, case, _job_id=f"{case}.{uuid4().hex}")
                await self._redis.publish(CHANNEL, case)
        except _GONE as e:
            self._backoff_until = time.monotonic() + _SULK
            logger.bind(case=case, error=type(e).__name__).warning("ring.lost")

    async def wait(self, seconds: float) -> str | None:
        """The case that any process has rung for; from the first wait on, rings between two waits are kept."""
        if self._listener is None:
            self._listener = asyncio.create_task(_forever(self._listen))
        return await self._here.wait(seconds)

    async def close(self) -> None:
        """Let the connections go."""
        if self._listener is not None:
            await _end(self._listener)
        await self._redis.aclose(close_connection_pool=True)

    async def _listen(self) -> None:
        """Take jobs with one arq worker for as long as Redis is there.

        A connection lost while arq starts a job leaks one of the worker's places, so it is not used again.
        """
        worker = Worker(
            [func(self._wake, name=JOB)],
            redis_pool=self._redis,
            queue_name=QUEUE,
            handle_signals=False,
            max_jobs=_AT_ONCE,
            poll_delay=_POLL,
            keep_result=0,
            retry_jobs=False,
            job_serializer=_to_json,
            job_deserializer=json.loads,
        )
        both = [asyncio.create_task(worker.main()), asyncio.create_task(self._hasten(worker))]
        try:
            failed, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            await failed.pop()
        finally:
            await _end(*both, again_after=_PATIENCE)
            for job in worker.tasks.values():
                job.add_done_callback(_seen)

    async def _hasten(self, worker: Worker) -> None:
        """Start jobs when somebody rings, not only at arq's next poll."""
        async with self._redis.pubsub() as ears:
            await ears.subscribe(CHANNEL)
            while True:
                if await ears.get_message(ignore_subscribe_messages=True, timeout=5.0):
                    await worker.start_jobs(await self._redis.zrange(QUEUE, 0, worker.queue_read_limit - 1))

    async def _wake(self, ctx: dict[Any, Any], case: str) -> None:
        """The job: a waiter of this process handles the case."""
        del ctx
        await self._here.notify(str(case))


async def ping(redis_url: str) -> bool:
    """Redis answers now, for `triage doctor`."""
    redis = _connect(redis_url)
    try:
        return bool(await redis.ping())
    except _GONE:
        return False
    finally:
        await redis.aclose(close_connection_pool=True)


async def _forever(work: Callable[[], Awaitable[None]]) -> None:
    """Do it again when it fails, soon at first, then more slowly."""
    first, longest = _PAUSES
    pause = first
    while True:
        began = time.monotonic()
        try:
            await work()
        except _GONE as e:
            logger.bind(error=type(e).__name__).warning("listen.interrupted")
        except Exception:  # noqa: BLE001 - whatever lies in Redis, rings are heard again
            logger.exception("listen.crashed")
        pause = first if time.monotonic() - began > longest else min(2 * pause, longest)
        await asyncio.sleep(pause)


async def _end(*tasks: asyncio.Task[Any], again_after: float = 3.0) -> None:
    """Cancel them and wait until they are gone.

    Once is not enough: `asyncio.wait_for` of Python 3.11 swallows a cancel that comes together with the result it
    waits for, and redis-py sends through it (seen here as a worker that never stopped).
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=again_after)
    for task in tasks:
        _seen(task)


def _seen(task: asyncio.Task[Any]) -> None:
    """Nobody waits for its result: what it could not tell Redis does not matter, the database knows."""
    if not task.cancelled():
        task.exception()


def _to_json(job: dict[str, Any]) -> bytes:
    """Never pickle: whoever can write to Redis could run code here."""
    return json.dumps(job, default=str).encode()


def _connect(redis_url: str) -> ArqRedis:
    """Connections are made when needed and mended by themselves."""
    pool = ConnectionPool.from_url(
        redis_url, socket_connect_timeout=_PATIENCE, socket_timeout=2.0, health_check_interval=10
    )
    return ArqRedis(pool, job_serializer=_to_json, default_queue_name=QUEUE, expires_extra_ms=_FORGET_MS)
