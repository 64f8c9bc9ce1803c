"""Many workers behind Redis: arq carries the ids of cases, wakes at once, and may lose everything at any time.

The database is the truth and Redis holds hints. Whatever Redis forgets, delays or keeps twice, the sweep takes what is
due straight from the database, with Redis or without; the lease there decides who works on a case.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from uuid import uuid4

from arq.connections import ArqRedis
from arq.worker import Worker, func
from loguru import logger
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from integrations.local_notifier import LocalNotifier
from triage.domain.errors import Transient

QUEUE: Final = "triage:queue"
CHANNEL: Final = "triage:rings"
"""Pub/sub knows no database numbers: installations on one Redis server hear each other, which wakes and no more."""
JOB: Final = "work"

_PATIENCE: Final = 0.5
"""Seconds that a ring may take at most."""
_SULK: Final = 1.0
"""Seconds without a try after a ring that failed: a Redis that hangs slows one mail, not each."""
_POLL: Final = 0.25
"""arq's own look at the queue, the net below pub/sub; its cost idle is a quarter of a percent of a core."""
_STUCK_SECONDS: Final = 3600
"""When arq gives up on a job. Limits of the case end it long before, and a lease never depends on this."""
_FORGET_MS: Final = 7 * 24 * 3600 * 1000
"""arq drops jobs after a day and warns about each; after a week of nobody there are other worries."""
_PAUSES: Final = (0.1, 2.0)
"""First and longest wait in seconds before something that failed is tried again."""
_GONE: Final = (RedisError, OSError)
"""How Redis fails; a timeout is an OSError too."""

Handle = Callable[[str], Awaitable[None]]
Due = Callable[[], Awaitable[Sequence[str]]]


class ArqNotifier:
    """Doorbell over Redis: a ring reaches the arq workers, and whoever waits in any process."""

    def __init__(self, redis_url: str) -> None:
        self._redis = _connect(redis_url)
        self._heard = LocalNotifier()
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

    async def wait(self, seconds: float) -> None:
        """Until any process has rung; from the first wait on, rings between two waits are kept."""
        if self._listener is None:
            self._listener = asyncio.create_task(_forever("listen", lambda: _listen(self._redis, self._heard.notify)))
        await self._heard.wait(seconds)

    async def close(self) -> None:
        """Let the connections go."""
        if self._listener is not None:
            await _end(self._listener)
        await self._redis.aclose(close_connection_pool=True)


async def ping(redis_url: str) -> bool:
    """Redis answers now, for `triage doctor`."""
    redis = _connect(redis_url)
    try:
        return bool(await redis.ping())
    except _GONE:
        return False
    finally:
        await redis.aclose(close_connection_pool=True)


async def run_arq_worker(
    redis_url: str,
    handle: Handle,
    due: Due,
    *,
    max_jobs: int,
    stop: asyncio.Event,
    sweep_seconds: float = 2.0,
    drain_seconds: float = 20.0,
) -> None:
    """Handle the cases that are rung or found due, `max_jobs` at a time, until `stop`; then let what runs end.

    What still runs after `drain_seconds` is cancelled. `handle` must take it calmly to be asked for a case that is
    finished or somebody else's: a hint may come twice and late.
    """
    crew = _Pool(handle, max_jobs)
    queue = _Queue(_connect(redis_url), crew, max_jobs)
    sweep = asyncio.create_task(_forever("sweep", lambda: _sweep(crew, due, sweep_seconds)))
    try:
        queue.open()
        await stop.wait()
    finally:
        await _end(sweep)
        queue.pick_no_more()
        await crew.drain(drain_seconds)
        await queue.close()


class _Pool:
    """The hands of one worker process: so many cases at a time, each case once at a time."""

    def __init__(self, handle: Handle, most: int) -> None:
        self._handle = handle
        self._free = asyncio.Semaphore(most)
        self._at_work: dict[str, asyncio.Task[Any] | None] = {}
        self._again: set[str] = set()
        self._going_home = False

    async def take(self, case: str) -> None:
        """Handle it; if it is in hand, once more afterwards: the ring may be about something new."""
        if case in self._at_work:
            self._again.add(case)
            return
        self._at_work[case] = asyncio.current_task()
        try:
            async with self._free:
                await self._work(case)
        finally:
            del self._at_work[case]

    async def take_when_free(self, case: str) -> None:
        """Begin as soon as a hand is free; nothing where it is in hand already."""
        async with self._free:
            pass
        if case not in self._at_work:
            asyncio.create_task(self.take(case))  # noqa: RUF006 - `take` holds its task by the case
            await asyncio.sleep(0)

    async def drain(self, seconds: float) -> None:
        """Begin nothing more, wait for what runs, cut what does not end."""
        self._going_home = True
        running = {task for task in self._at_work.values() if task}
        if running:
            _, late = await asyncio.wait(running, timeout=seconds)
            await _end(*late)

    async def _work(self, case: str) -> None:
        while not self._going_home:
            self._again.discard(case)
            try:
                await self._handle(case)
            except Exception:  # noqa: BLE001 - the worker's edge: the lease runs out and the case comes again
                logger.bind(case=case).exception("case.crashed")
            if case not in self._again:
                return


class _Queue:
    """arq's side of the work: a `Worker` is made anew whenever Redis has failed it, the running cases go on."""

    def __init__(self, redis: ArqRedis, crew: _Pool, max_jobs: int) -> None:
        self._redis = redis
        self._crew = crew
        self._max_jobs = max_jobs
        self._rung = asyncio.Event()
        self._picks = True
        self._worker = self._new_worker()
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    def open(self) -> None:
        """Begin to take jobs."""
        self._tasks = (
            asyncio.create_task(_forever("listen", lambda: _listen(self._redis, self._hear))),
            asyncio.create_task(_forever("serve", self._serve)),
        )

    def pick_no_more(self) -> None:
        """Leave what is queued to others."""
        self._picks = self._worker.allow_pick_jobs = False

    async def close(self) -> None:
        """Let arq note what has ended, then let the connections go."""
        if self._worker.tasks:
            await asyncio.wait(self._worker.tasks.values(), timeout=_PATIENCE)
        await _end(*self._tasks)
        await self._redis.aclose(close_connection_pool=True)

    async def _serve(self) -> None:
        """One `Worker` for as long as Redis is there.

        A connection lost while arq starts a job leaks one of the worker's places, so it is not used again.
        """
        self._worker = worker = self._new_worker()
        worker.allow_pick_jobs = self._picks
        both = [asyncio.create_task(worker.main()), asyncio.create_task(self._pick_when_rung(worker))]
        try:
            failed, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            await failed.pop()
        finally:
            await _end(*both, again_after=_PATIENCE)
            for job in worker.tasks.values():
                job.add_done_callback(_seen)

    async def _pick_when_rung(self, worker: Worker) -> None:
        """Start jobs when somebody rings or a place comes free, not only at arq's next poll."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            if worker.allow_pick_jobs and worker.job_counter < worker.max_jobs:
                ids = await self._redis.zrange(QUEUE, 0, worker.queue_read_limit - 1)
                await worker.start_jobs(ids)

    async def _hear(self, case: str) -> None:
        del case
        self._rung.set()

    async def _after_job(self, ctx: dict[Any, Any]) -> None:
        """The place of this job comes free in the loop's next round: the one that `call_soon` makes."""
        del ctx
        asyncio.get_running_loop().call_soon(self._rung.set)

    async def _work(self, ctx: dict[Any, Any], case: str) -> None:
        del ctx
        await self._crew.take(str(case))

    def _new_worker(self) -> Worker:
        return Worker(
            [func(self._work, name=JOB)],
            redis_pool=self._redis,
            queue_name=QUEUE,
            handle_signals=False,
            max_jobs=self._max_jobs,
            poll_delay=_POLL,
            job_timeout=_STUCK_SECONDS,
            keep_result=0,
            retry_jobs=False,
            after_job_end=self._after_job,
            job_serializer=_to_json,
            job_deserializer=json.loads,
        )


async def _sweep(crew: _Pool, due: Due, seconds: float) -> None:
    """Take what the database says is due; nobody needs to have rung for it."""
    while True:
        for case in await due():
            await crew.take_when_free(case)
        await asyncio.sleep(seconds)


async def _listen(redis: ArqRedis, heard: Handle) -> None:
    """Pass on every ring, until the connection breaks."""
    async with redis.pubsub() as ears:
        await ears.subscribe(CHANNEL)
        while True:
            message = await ears.get_message(ignore_subscribe_messages=True, timeout=5.0)
            if message is not None:
                await heard(message["data"].decode("utf-8", "replace"))


async def _forever(what: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do it again when it fails, soon at first, then more slowly."""
    first, longest = _PAUSES
    pause = first
    while True:
        began = time.monotonic()
        try:
            await work()
        except* (*_GONE, Transient) as e:
            logger.bind(error=type(e.exceptions[0]).__name__).warning(f"{what}.interrupted")
        except* Exception:  # noqa: BLE001 - the worker's edge: whatever lies in Redis, the sweep goes on
            logger.exception(f"{what}.crashed")
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
