"""One database, SQLite or PostgreSQL: how it is reached, its transactions, and its trouble in our words."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.pool import AsyncAdaptedQueuePool

from integrations.sql.straight import Straight, StraightPostgres, StraightSqlite
from triage.domain.errors import SettingsInvalid, StoreDown

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")

DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
NO_DRIVER: Final = (
    "DATABASE_URL: PostgreSQL needs the driver: pip install 'triage[postgres]', or in a checkout "
    ".venv/bin/uv sync --no-dev --inexact --extra postgres"
)
POOL: Final = 8
PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between tries to prepare a file that others prepare at the same moment."""
PRAGMAS: Final = (
    "busy_timeout=5000",  # first of all: the next line may have to wait for another process
    "journal_mode=WAL",
    "synchronous=FULL",  # an accepted mail outlives a power cut
    "foreign_keys=ON",
)
ON_DISK: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
READING: Final = "triage_reading"
"""Execution option of transactions that only read."""


class Database:
    """Runs transactions.

    What runs in one is a plain function of a connection. It is carried to its end even where its caller is cancelled:
    a cancelled transaction would hold SQLite's one write lock until the garbage collector finds it (measured: 5 s).
    """

    def __init__(self, url: str) -> None:
        self._engine = engine_of(address_of(url))
        self._reading = self._engine.execution_options(**{READING: True})
        self._under_way: set[asyncio.Task[Any]] = set()
        self._straight = _straight(self._engine.url)
        # Writers of one process queue up here; SQLite alone would let them poll for its lock, unfairly.
        self._turn: AbstractAsyncContextManager[Any] = nullcontext() if self.postgres else asyncio.Lock()

    @property
    def postgres(self) -> bool:
        """It is PostgreSQL."""
        return self._engine.dialect.name == "postgresql"

    @property
    def free(self) -> int | None:
        """Bytes left on the disk of the file, None where there is no file of ours."""
        file = file_of(self._engine.url)
        with our_words():
            return disk_usage(Path(file).absolute().parent).free if file else None

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """An insert that may say what happens on conflict."""
        if not self.postgres:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - most houses have none

        return postgresql.insert(table)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What the work gives, committed. Raises `StoreDown`."""
        return await self._whole(self._write(work))

    async def write_straight(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work of many statements. Raises `StoreDown`."""
        return await self._whole(self._write_straight(self._straight, work) if self._straight else self._write(work))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; it writes nothing. Raises `StoreDown`."""
        return await self._whole(self._read(work))

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work that changes tables. Raises `StoreDown`, also where it leaves a reference to nothing.

        SQLite changes a table by making it anew and dropping the old one, which takes away the rows that refer to it,
        unless it is told before the transaction to look away.
        """
        return await self._whole(self._write(work) if self.postgres else self._rebuild(work))

    async def check(self) -> None:
        """What is on the disk is what was written. Raises `StoreDown`; PostgreSQL looks after its own pages."""
        if self.postgres:
            return
        found = await self.read(lambda c: c.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        if found != "ok":
            raise StoreDown(f"the file is damaged, put the last good copy in its place: {found}")

    async def close(self) -> None:
        """Let what is under way end, then the connections go."""
        await asyncio.gather(*self._under_way, return_exceptions=True)
        await self._engine.dispose()
        straight, self._straight = self._straight, None
        if straight:
            await straight.close()

    async def _write(self, work: Callable[[Connection], T]) -> T:
        async with self._turn:
            with our_words():
                async with self._engine.begin() as connection:
                    return await connection.run_sync(work)

    async def _write_straight(self, straight: Straight, work: Callable[[Connection], T]) -> T:
        async with self._turn:
            with our_words():
                return await straight.run(work)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        with our_words():
            async with self._reading.connect() as connection:
                return await connection.run_sync(work)

    async def _rebuild(self, work: Callable[[Connection], T]) -> T:
        def checked(connection: Connection) -> T:
            result = work(connection)
            if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise StoreDown(f"{broken[0]} refers to rows of {broken[2]} that are not there")
            return result

        async with self._turn:
            with our_words():
                async with self._engine.connect() as connection:
                    driver: Any = (await connection.get_raw_connection()).driver_connection
                    await driver.execute("PRAGMA foreign_keys=OFF")
                    try:
                        async with connection.begin():
                            return await connection.run_sync(checked)
                    finally:
                        await driver.execute("PRAGMA foreign_keys=ON")

    async def _whole(self, transaction: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(transaction)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)


@contextmanager
def our_words() -> Iterator[None]:
    """Turn what a driver says into `StoreDown`, without the statement and its values: those are people's mail."""
    try:
        yield
    except DBAPIError as e:
        raise StoreDown(_first_line(e.orig)) from e
    except (PoolExhausted, OSError) as e:
        raise StoreDown(_first_line(e)) from e


def _first_line(error: BaseException | None) -> str:
    """What went wrong; asyncpg puts its class in front and values of the row behind."""
    text = str(error).partition("\n")[0]
    return text.rpartition("'>: ")[2] or type(error).__name__


def address_of(url: str) -> URL:
    """The URL as its async driver wants it. Raises `SettingsInvalid`, which does not show it: it may hold a password."""
    try:
        given = make_url(url)
        driver = DRIVERS[given.drivername]
    except (ArgumentError, KeyError):
        raise SettingsInvalid(("DATABASE_URL: must start with sqlite:/// or postgresql://",)) from None
    query = {"ssl" if name == "sslmode" else name: value for name, value in given.query.items()}  # libpq's word
    return given.set(drivername=driver, query=query)


def engine_of(url: URL) -> "AsyncEngine":
    """The engine for an address. Raises `SettingsInvalid` where the driver is not installed."""
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url, pool_size=POOL, max_overflow=POOL)


def _postgres(url: URL, **pool: Any) -> "AsyncEngine":
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415 - see `_sqlite`

    try:
        engine = create_async_engine(url, connect_args={"timeout": 10, "command_timeout": 60}, **pool)
    except ModuleNotFoundError:
        raise SettingsInvalid((NO_DRIVER,)) from None
    event.listen(engine.sync_engine, "connect", _durable)
    return engine


def _durable(connection: Any, _record: Any) -> None:
    """An accepted mail outlives a power cut, also where a server, a database or a user is set to forget the last ones."""
    cursor = connection.cursor()
    cursor.execute(ON_DISK)
    cursor.close()
    connection.commit()


def _sqlite(url: URL) -> "AsyncEngine":
    """A file that only its owner reads, or one connection to a database in memory, lent to one user at a time."""
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415 - a listing does without, a fifth quicker

    file = file_of(url)
    if file:
        _private(Path(file))
    size = POOL if file else 1
    engine = create_async_engine(url, poolclass=AsyncAdaptedQueuePool, pool_size=size, max_overflow=0)
    event.listen(engine.sync_engine, "connect", _set_up)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _straight(url: URL) -> Straight | None:
    """The way beside the loop; a database in memory has but the one connection."""
    if url.get_backend_name() == "postgresql":
        # Asked before each use: with one connection, nobody else notices that the server has cut it.
        return StraightPostgres(_postgres(url, pool_size=1, max_overflow=0, pool_pre_ping=True))
    if not file_of(url):
        return None
    return StraightSqlite(plain_engine(url))


def plain_engine(url: URL) -> Engine:
    """One connection to a file, by the driver that is not asynchronous."""
    engine = create_engine(url.set(drivername="sqlite"), pool_size=1, max_overflow=0)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def file_of(url: URL) -> str | None:
    """The file of a database that is one."""
    return None if url.get_backend_name() != "sqlite" or url.database in {"", ":memory:"} else url.database


def _private(path: Path) -> None:
    """Make the file, for its owner's eyes only, before SQLite makes it for everybody's."""
    with our_words():
        if not path.exists():
            path.touch(mode=0o600)


def _set_up(connection: Any, _record: Any) -> None:
    """Prepare a new connection."""
    connection.isolation_level = None  # else the driver begins late, at the first write, and without IMMEDIATE
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        _patiently(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _patiently(cursor: Any, statement: str) -> None:
    """Run it, a few times where the file is locked: busy_timeout does not cover the change of a new file to WAL."""
    for pause in PAUSES:
        try:
            cursor.execute(statement)
        except sqlite3.OperationalError as e:
            if "locked" not in str(e):
                raise
            time.sleep(pause)
        else:
            return
    cursor.execute(statement)


def _begin(connection: Connection) -> None:
    """Take the write lock at once: a reader that turns writer half-way may find the lock gone and must fail."""
    reading = connection.get_execution_options().get(READING)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
