"""Token buckets and pauses in Redis, which all processes share: one script a request, and the time is the server's.

Redis holds nothing that is needed: whatever it loses or evicts is a full bucket or a pause that the server asks for again.
While it does not answer each process keeps to its part of the limits, by the number of processes that were last seen.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final
from uuid import uuid4

from loguru import logger
from redis.asyncio import ConnectionPool, Redis
from redis.exceptions import RedisError

from triage.domain.operations.limits import Allowance, Permit

PATIENCE: Final = 0.5
"""Seconds that a request waits for Redis."""
SULK: Final = 2.0
"""Seconds without a try after Redis has failed."""
PRESENT: Final = 60.0
"""Seconds after its last request for which a process counts as one that has a part."""

_TAKE: Final = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
local here = redis.call('ZCARD', KEYS[1])
local count = (#ARGV - 3) / 2
local paused, why = 0, ''
for i = 2 + count, #KEYS do
  local left = redis.call('PTTL', KEYS[i])
  if left > paused then paused, why = left, redis.call('GET', KEYS[i]) end
end
if paused > 0 then return {here, 0, paused, why} end
local wait, levels = 0, {}
for i = 1, count do
  local size, rate = tonumber(ARGV[2 + 2 * i]), tonumber(ARGV[3 + 2 * i])
  local kept = redis.call('HMGET', KEYS[1 + i], 'level', 'at')
  local level, at = tonumber(kept[1] or size), tonumber(kept[2] or now)
  level = math.min(size, level + math.max(0, now - at) / 1000 * rate) - 1
  levels[i] = level
  wait = math.max(wait, -level / rate * 1000)
end
if wait > tonumber(ARGV[2]) then return {here, 0, math.ceil(wait), ''} end
for i = 1, count do
  local size, rate = tonumber(ARGV[2 + 2 * i]), tonumber(ARGV[3 + 2 * i])
  redis.call('HSET', KEYS[1 + i], 'level', tostring(levels[i]), 'at', now)
  redis.call('PEXPIRE', KEYS[1 + i], math.ceil((size - levels[i]) / rate * 1000) + 1000)
end
return {here, 1, math.ceil(wait), ''}
"""
_HOLD: Final = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end
"""


class RedisLimits:
    """The port `RequestLimits` over one Redis; `about` names the server and account whose limits they are."""

    def __init__(
        self, redis_url: str, about: str, processes: int = 1, patience: float = PATIENCE, sulk: float = SULK
    ) -> None:
        self._patience = patience
        self._sulk = sulk
        pool = ConnectionPool.from_url(redis_url, socket_connect_timeout=patience, socket_timeout=patience)
        self._redis: Redis = Redis(connection_pool=pool)
        self._take = self._redis.register_script(_TAKE)
        self._hold = self._redis.register_script(_HOLD)
        # One slot of a cluster, since a script may only touch one.
        self._prefix = f"{{triage:limits:{about}}}"
        self._name = uuid4().hex
        self._processes = processes
        self._asks_again = 0.0
        self._is_alone = False

    @property
    def processes(self) -> int:
        """How many processes shared the limits when Redis was last asked."""
        return self._processes

    async def take(self, allowances: Sequence[Allowance], pauses: Sequence[str], patience: float) -> Permit | None:
        """Take a place in every allowance, or in none; None while Redis does not answer."""
        keys = [f"{self._prefix}:processes", *(f"{self._prefix}:bucket:{one.scope}" for one in allowances)]
        keys += [self._pause(scope) for scope in pauses]
        values = [self._name, patience * 1000, PRESENT * 1000]
        values += [number for one in allowances for number in (one.burst, one.rate)]
        answer = await self._run(self._take, keys, values)
        if answer is None:
            return None
        here, granted, wait, why = answer
        self._processes = max(1, here)
        return Permit(wait=wait / 1000, granted=bool(granted), why=why.decode(errors="replace"))

    async def hold(self, scope: str, seconds: float, why: str) -> None:
        """Have nobody ask for so long."""
        await self._run(self._hold, [self._pause(scope)], [max(1, int(seconds * 1000)), why])

    async def close(self) -> None:
        await self._redis.aclose(close_connection_pool=True)

    def _pause(self, scope: str) -> str:
        return f"{self._prefix}:pause:{scope}"

    async def _run(self, script: Any, keys: Sequence[str], values: Sequence[object]) -> Any:
        """Return what the script returns; None if Redis fails, and for a while after it has failed."""
        if time.monotonic() < self._asks_again:
            return None
        try:
            async with asyncio.timeout(self._patience):
                answer = await script(keys=keys, args=values) or ()
        except (RedisError, OSError) as e:
            self._asks_again = time.monotonic() + self._sulk
            self._log_alone(type(e).__name__)
            return None
        self._log_alone("")
        return answer

    def _log_alone(self, error: str) -> None:
        """Log the beginning and the end of an outage, and not each try in between."""
        if error and not self._is_alone:
            logger.bind(error=error).warning("limits.alone")
        elif self._is_alone and not error:
            logger.info("limits.shared")
        self._is_alone = bool(error)
