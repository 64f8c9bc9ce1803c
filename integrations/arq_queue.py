"""The notifier for several processes: arq carries ids of cases over Redis, and may lose them at any time.

Redis holds hints only. Whatever it loses, delays or delivers twice, the worker finds due cases in the database,
with Redis or without; the lease there decides who works on a case.
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
"""Pub/sub ignores database numbers: installations that share a Redis server wake each other, which is harmless."""
JOB: Final = "work"

PATIENCE: Final = 0.5
"""Longest time of a notification, in seconds."""
_SULK: Final = 1.0
"""Seconds without a try after a failed notification, so that a hanging Redis slows one mail, not each."""
_POLL: Final = 0.05
"""Seconds between arq's polls of the queue, the fallback if pub/sub loses a message."""
_AT_ONCE: Final = 100
"""Concurrent arq jobs; each only wakes a waiter of this process."""
_FORGET_MS: Final = 7 * 24 * 3600 * 1000
"""Expiry of queued jobs: arq's default is a day, with a warning for each job dropped."""
_PAUSES: Final = (0.1, 2.0)
"""First and longest pause in seconds before a retry."""
_GONE: Final = (RedisError, OSError)
"""Errors of a failing Redis; `TimeoutError` is an `OSError` too."""


class ArqNotifier:
    """Notifier over Redis: a call in any process wakes a waiter in one of the waiting processes."""

    def __init__(self, redis_url: str, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._redis = _connect(redis_url, patience)
        self._here = LocalNotifier()
        self._listener: asyncio.Task[None] | None = None
        self._backoff_until = 0.0

    async def notify(self, case: str) -> None:
        """Queue the id and wake a worker; give up when patience ends."""
        if time.monotonic() < self._backoff_until:
            return
        try:
            async with asyncio.timeout(self._patience):
                # A new job id each time: arq refuses a known id, and those of running jobs are known too.
                await self._redis.enqueue_job(JOB, case, _job_id=f"{case}.{uuid4().hex}")
                await self._redis.publish(CHANNEL, case)
        except _GONE as e:
            self._backoff_until = time.monotonic() + _SULK
            logger.bind(case=case, error=type(e).__name__).warning("ring.lost")

    async def wait(self, seconds: float) -> str | None:
        """The next case notified by any process; from the first wait on, notifications between two waits are kept."""
        if self._listener is None:
            self._listener = asyncio.create_task(_forever(self._listen))
        return await self._here.wait(seconds)

    async def close(self) -> None:
        """Stop listening and close the connections."""
        if self._listener is not None:
            await _end(self._listener)
        await self._redis.aclose(close_connection_pool=True)

    async def _listen(self) -> None:
        """Take jobs with one arq worker until Redis fails.

        A connection lost while arq starts a job leaks one of the worker's job slots, so each call makes a new worker.
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
            await _end(*both, again_after=PATIENCE)
            for job in worker.tasks.values():
                job.add_done_callback(_seen)

    async def _hasten(self, worker: Worker) -> None:
        """Start jobs on each pub/sub message, before arq's next poll."""
        async with self._redis.pubsub() as ears:
            await ears.subscribe(CHANNEL)
            while True:
                if await ears.get_message(ignore_subscribe_messages=True, timeout=5.0):
                    await worker.start_jobs(await self._redis.zrange(QUEUE, 0, worker.queue_read_limit - 1))

    async def _wake(self, ctx: dict[Any, Any], case: str) -> None:
        """The arq job: wake a waiter of this process."""
        del ctx
        await self._here.notify(str(case))


async def trouble_of(redis_url: str, patience: float = PATIENCE) -> str:
    """Return why Redis is of no use now, for `triage doctor`; empty if it answers."""
    redis = _connect(redis_url, patience)
    try:
        await redis.ping()
    except _GONE as e:
        return str(e).rstrip(".") or type(e).__name__
    else:
        return ""
    finally:
        await redis.aclose(close_connection_pool=True)


async def _forever(work: Callable[[], Awaitable[None]]) -> None:
    """Repeat the work whenever it fails, with growing pauses."""
    first, longest = _PAUSES
    pause = first
    while True:
        began = time.monotonic()
        try:
            await work()
        except _GONE as e:
            logger.bind(error=type(e).__name__).warning("listen.interrupted")
        except Exception:  # noqa: BLE001 - whatever lies in Redis, listening goes on
            logger.exception("listen.crashed")
        pause = first if time.monotonic() - began > longest else min(2 * pause, longest)
        await asyncio.sleep(pause)


async def _end(*tasks: asyncio.Task[Any], again_after: float = 3.0) -> None:
    """Cancel the tasks and wait until they have ended.

    One cancel is not enough: `asyncio.wait_for` of Python 3.11 swallows a cancel that comes together with the result it
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
    """Retrieve the task's exception, so that asyncio does not log it: the database has what Redis missed."""
    if not task.cancelled():
        task.exception()


def _to_json(job: dict[str, Any]) -> bytes:
    """Serialise a job as JSON; with pickle, whoever can write to Redis could run code here."""
    return json.dumps(job, default=str).encode()


def _connect(redis_url: str, patience: float) -> ArqRedis:
    """A client whose pool connects on demand and reconnects by itself; an answer may take longer than a connection."""
    pool = ConnectionPool.from_url(
        redis_url, socket_connect_timeout=patience, socket_timeout=4 * patience, health_check_interval=10
    )
    return ArqRedis(pool, job_serializer=_to_json, default_queue_name=QUEUE, expires_extra_ms=_FORGET_MS)
