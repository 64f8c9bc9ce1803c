"""PostgreSQL by asyncpg, in the main event loop; transactions with many statements run in a second loop.

In the main loop each statement waits behind all requests that arrived meanwhile, and while a commit waits for the
disk no new requests are read. A thread with its own loop runs both concurrently.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sqlalchemy import URL, Connection, event, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from integrations.sql.database.compiled import SHARED, SharedCacheDialect
from triage.domain.errors import SettingsInvalid
from triage.domain.extras import missing

T = TypeVar("T")

POOL: Final = 8
ON_DISK: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)

NO_JIT: Final = "SELECT set_config('jit', 'off', false)"
"""A search of 100,000 cases takes 3 ms, and the code that the server would compile for it 170 ms more."""


class SharedCachePostgres(SharedCacheDialect, PGDialect_asyncpg):
    """PostgreSQL by asyncpg."""

    supports_statement_cache = True


registry.register("postgresql.alike", __name__, SharedCachePostgres.__name__)


class PostgresLoops:
    """A pool, and one connection for `write_many`. Raises `SettingsInvalid` if the driver is not installed."""

    unclean = False
    """Always false: PostgreSQL recovers by itself after a crash."""

    def __init__(self, url: URL) -> None:
        self.engine = _engine(url, pool_size=POOL, max_overflow=POOL)
        # Tested before each use: with a single connection no other use would reveal that the server has cut it.
        self._beside = _engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        self._once = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._runner = asyncio.Runner()
        self._thread = ThreadPoolExecutor(1, "postgres-many")

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await _written(self.engine, work)

    async def write_many(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work with many statements: one transaction at a time, in the thread of the second loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: self._runner.run(_written(self._beside, work)))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return the result of `work`, which writes nothing."""
        async with self.engine.connect() as connection:
            return await connection.run_sync(work)

    async def read_once(self, work: Callable[[Connection], T]) -> T:
        """As `read`, for a single statement: one round trip instead of three."""
        async with self._once.connect() as connection:
            return await connection.run_sync(work)

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """As `write`: PostgreSQL alters tables in place."""
        return await self.write(work)

    async def check(self) -> None:
        """Check nothing: the PostgreSQL server looks after its own files."""

    async def shred(self) -> bool:
        """Write the tables anew; each is locked meanwhile. The server's WAL keeps old rows until it is recycled."""
        engine = _engine(self.engine.url, pool_size=1, patience=None)
        try:
            async with engine.connect() as connection:
                alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
                await alone.execute(text("VACUUM (FULL)"))
        finally:
            await engine.dispose()
        return True

    async def close(self) -> None:
        await self.engine.dispose()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown()

    def _end(self) -> None:
        with self._runner:
            self._runner.run(self._beside.dispose())


def without_driver() -> SettingsInvalid:
    """The error where asyncpg is not installed."""
    return SettingsInvalid((f"DATABASE_URL: PostgreSQL needs its driver: {missing('postgres')}",))


async def _written(engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
    async with engine.begin() as connection:
        return await connection.run_sync(work)


def _engine(url: URL, patience: float | None = 60, **pool: Any) -> AsyncEngine:
    """An engine whose statements may take `patience` seconds; None: any time."""
    url = url.set(drivername="postgresql+alike")
    try:
        limits = {"timeout": 10, "command_timeout": patience}
        engine = create_async_engine(url, connect_args=limits, execution_options=SHARED, **pool)
    except ModuleNotFoundError:
        raise without_driver() from None
    event.listen(engine.sync_engine, "connect", _prepared)
    return engine


def _prepared(connection: Any, _record: Any) -> None:
    """Switch `synchronous_commit` on if it is off for server, database or user, since accepted mail must survive a power cut; and JIT off."""
    cursor = connection.cursor()
    cursor.execute(ON_DISK)
    cursor.execute(NO_JIT)
    cursor.close()
    connection.commit()
