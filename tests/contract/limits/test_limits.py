"""Rate limits that all processes share: over a real Redis, and the part of each where there is none."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import pytest
from loguru import logger
from redis import Redis

from integrations.own_part import OwnPart
from integrations.redis_limits import RedisLimits
from integrations.request_pacer import RequestPacer
from tests.conftest import PATIENCE
from tests.servers.redis import RedisServer
from triage.domain.operations.limits import Allowance, Permit

SLOW = [Allowance("POST issue", burst=3, rate=0.0001)]
"""Three at once, and then none while a test runs."""
FREE = Permit(wait=0.0, granted=True)


@pytest.fixture
async def processes(redis_server: RedisServer) -> AsyncIterator[Sequence[RedisLimits]]:
    """Two processes of one installation, and one of another."""
    async with AsyncExitStack() as stack:
        made = [RedisLimits(redis_server.url, about, patience=PATIENCE) for about in ("acme", "acme", "other")]
        for one in made:
            stack.push_async_callback(one.close)
        yield made


async def granted(limits: RedisLimits, times: int, patience: float = 0.0) -> int:
    """How many of some requests at once get a place."""
    permits = await asyncio.gather(*(limits.take(SLOW, (), patience) for _ in range(times)))
    return sum(permit is not None and permit.granted for permit in permits)


async def test_one_bucket_for_all(processes: Sequence[RedisLimits]) -> None:
    """Two processes together get what the limit allows, in whatever order they ask; another installation has its own."""
    one, two, other = processes

    assert sum(await asyncio.gather(granted(one, 5), granted(two, 5))) == 3
    assert await granted(other, 5) == 3
    assert (one.processes, two.processes, other.processes) == (2, 2, 1)


async def test_the_wait_is_told(processes: Sequence[RedisLimits]) -> None:
    """Who is patient has a place and hears when it is; who is not takes nothing from the others."""
    one, two, _ = processes
    rate = [Allowance("GET search", burst=1, rate=0.001)]
    waits = [await one.take(rate, (), 2500), await two.take(rate, (), 500), await two.take(rate, (), 2500)]

    assert waits[0] == FREE
    assert [permit and permit.granted for permit in waits] == [True, False, True]
    assert [permit and permit.wait for permit in waits[1:]] == [pytest.approx(1000, abs=PATIENCE)] * 2


async def test_all_or_none(processes: Sequence[RedisLimits]) -> None:
    """A request that one limit holds takes nothing of another one."""
    one, two, _ = processes
    await granted(one, 3)
    await two.take([*SLOW, Allowance("issue OPS-7", burst=1, rate=0.0001)], (), 0)

    assert await one.take([Allowance("issue OPS-7", burst=1, rate=0.0001)], (), 0) == FREE


async def test_a_pause_is_everybodys(processes: Sequence[RedisLimits]) -> None:
    """What one process hears from the server all keep, the longest counts, and other scopes go on."""
    one, two, other = processes
    await one.hold("POST issue", 6000, "429")
    await two.hold("POST issue", 500, "shorter")

    told = await two.take(SLOW, ("", "POST issue"), 100)
    assert told is not None
    assert (told.granted, told.why) == (False, "429")
    assert told.wait == pytest.approx(6000, abs=PATIENCE)
    assert await two.take(SLOW, ("", "GET search"), 100) == FREE
    assert await other.take(SLOW, ("", "POST issue"), 100) == FREE


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param(lambda redis: redis.flushall(), id="evicted"),
        pytest.param(lambda redis: redis.script_flush(), id="scripts forgotten"),
    ],
)
async def test_what_is_lost(
    processes: Sequence[RedisLimits], redis_server: RedisServer, lose: Callable[[Redis], object]
) -> None:
    """Evicted keys are full buckets, and a forgotten script is sent again."""
    one, *_ = processes
    await one.take(SLOW, (), 0)
    redis_server.write(lose)

    assert await one.take(SLOW, (), 0) == FREE


@pytest.mark.parametrize("trouble", ["killed", "full", "foreign"])
async def test_redis_in_trouble(processes: Sequence[RedisLimits], redis_server: RedisServer, trouble: str) -> None:
    """Nobody waits for it: the caller counts for himself, by the number of processes that it knew last."""
    one, two, _ = processes
    await granted(one, 1)
    await granted(two, 1)
    await granted(one, 1)
    if trouble == "killed":
        redis_server.kill()
    elif trouble == "full":
        redis_server.write(lambda redis: redis.config_set("maxmemory", "1"))
    else:
        redis_server.write(lambda redis: redis.set("{triage:limits:acme}:processes", "no set"))

    assert await one.take(SLOW, (), 0) is None
    await one.hold("POST issue", 60, "429")
    assert one.processes == 2


async def test_a_hanging_redis(redis_server: RedisServer) -> None:
    """It costs one request half a second, not each, and comes back by itself."""
    limits = RedisLimits(redis_server.url, "acme", processes=4)
    redis_server.freeze()
    first = await limits.take(SLOW, (), 0)
    others = [await limits.take(SLOW, (), 0) for _ in range(100)]
    redis_server.kill()
    redis_server.start()
    while await limits.take(SLOW, (), 0) is None:
        await asyncio.sleep(0.05)

    assert (first, set(others)) == (None, {None})
    await limits.close()


async def test_own_part() -> None:
    """Without Redis nobody is asked, and four processes send together what one may."""
    part = OwnPart(4)
    pacers = [RequestPacer(size=20, rate=2, level=20 / 4, at=0) for _ in range(4)]

    def sent(seconds: int) -> int:
        count = 0
        for pacer in pacers:
            while pacer.reserve(0, part.processes) <= seconds:
                count += 1
        return count

    assert await part.take(SLOW, (), 0) is None
    assert sent(100) == pytest.approx(20 + 100 * 2, abs=4)


async def test_an_outage_is_logged_at_its_beginning_and_its_end(redis_server: RedisServer) -> None:
    """However many requests meet it: a night without Redis is two lines, and the next one is two more."""
    limits, events = RedisLimits(redis_server.url, "acme", patience=PATIENCE, sulk=0.0), list[str]()
    sink = logger.add(lambda line: events.append(line.record["message"]), level="INFO")
    for _ in range(2):
        await granted(limits, 2)
        redis_server.kill()
        for _ in range(5):
            await granted(limits, 2)
        redis_server.start()
    await granted(limits, 1)
    logger.remove(sink)
    await limits.close()

    assert events == ["limits.alone", "limits.shared"] * 2
