"""One database, SQLite or PostgreSQL: connection, transactions, errors."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from sqlalchemy import URL, Connection, Executable, Table, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from integrations.sql.database.sqlite import SqliteThreads, file_of, obstacle_behind, obstacle_to
from triage.domain.errors import SettingsInvalid, StoreDown
from triage.domain.ports import Clock

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

T = TypeVar("T")

DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+asyncpg"}


class Transactions(Protocol):
    """How a kind of database runs a function of a connection; raises the driver's errors."""

    @property
    def unclean(self) -> bool:
        """The last process did not close it, or another one has it open."""

    def write(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Commit `work` and return its result."""

    def write_many(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """As `write`, for work with many statements."""

    def read(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Return the result of `work`, which writes nothing."""

    def read_once(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """As `read`, for a single statement."""

    def rebuild(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """As `write`, for work that changes tables."""

    async def check(self) -> None:
        """Raise `StoreDown` if the data on disk is damaged."""

    async def shred(self) -> bool:
        """Leave no deleted row readable in the files; False while another process keeps old ones open."""

    async def close(self) -> None:
        """Close the connections."""


class Database:
    """Runs transactions, called from one event loop.

    Each runs to its end even if the caller is cancelled: a cancelled transaction would hold SQLite's only write
    lock until garbage collection (measured: 5 s).
    """

    def __init__(self, url: str) -> None:
        address = address_of(url)
        self.postgres = address.get_backend_name() == "postgresql"
        """Whether it is PostgreSQL."""
        self._file = file_of(address)
        with self._our_words():
            self._way = _transactions_of(address)
        self._under_way: set[asyncio.Future[Any]] = set()
        self._closed = False

    @property
    def unclean(self) -> bool:
        """The last process did not close the file, or still has it open."""
        return self._way.unclean

    @property
    def free(self) -> int | None:
        """Free bytes on the disk of the file; None for PostgreSQL and a database in memory."""
        with self._our_words():
            return disk_usage(Path(self._file).absolute().parent).free if self._file else None

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """An insert that may say what happens on conflict."""
        return insert_into(table, postgres=self.postgres)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Commit `work` and return its result. Raises `StoreDown`."""
        return await self._whole(self._way.write(work))

    async def write_many(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work with many statements. Raises `StoreDown`."""
        return await self._whole(self._way.write_many(work))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return the result of `work`, which writes nothing. Raises `StoreDown`."""
        return await self._whole(self._way.read(work))

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Return the result of a single statement, which needs no transaction around it. Raises `StoreDown`.

        It reads a few rows by index: SQLite has them sooner than another thread begins.
        """
        if not (self._file and isinstance(self._way, SqliteThreads)):
            return await self._whole(self._way.read_once(work))
        with self._our_words():
            return self._way.look(work)

    async def snapshot(self, work: Callable[[Connection], T]) -> T:
        """As `look`, for several statements, which see the same state. Raises `StoreDown`."""
        if not (self._file and isinstance(self._way, SqliteThreads)):
            return await self.read(work)
        with self._our_words():
            return self._way.snapshot(work)

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work that changes tables. Raises `StoreDown`, also for a dangling reference.

        SQLite changes a table by copying it and dropping the old one, which deletes the rows that refer to it,
        unless foreign keys are switched off before the transaction.
        """
        return await self._whole(self._way.rebuild(work))

    async def check(self) -> None:
        """Raise `StoreDown` if the data on disk is damaged; checks nothing on PostgreSQL, whose server looks after its own files."""
        with self._our_words():
            await self._way.check()

    async def shred(self) -> bool:
        """Rewrite the files, so that no deleted or replaced row can be read in them. Raises `StoreDown`.

        False while another process keeps old pages open. PostgreSQL keeps them in its WAL until that is recycled.
        """
        with self._our_words():
            return await self._way.shred()

    async def close(self) -> None:
        """Wait for running transactions, then close the connections."""
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if not self._closed:
            self._closed = True
            await self._way.close()

    def check_access(self) -> None:
        """Raise `StoreDown` if this process may not write SQLite's file, or its disk is full or read-only."""
        if self._file and (obstacle := obstacle_to(Path(self._file))):
            raise StoreDown(obstacle)

    def _our_words(self) -> AbstractContextManager[None]:
        return our_words(self._file)

    async def _whole(self, transaction: Awaitable[T]) -> T:
        task = asyncio.ensure_future(transaction)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        with self._our_words():
            return await asyncio.shield(task)


def insert_into(table: Table, *, postgres: bool) -> "sqlite.Insert | postgresql.Insert":
    """An insert that may say what happens on conflict."""
    if not postgres:
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - most installations use SQLite

    return postgresql.insert(table)


@cache
def insert_once(table: Table, *, postgres: bool) -> Executable:
    """An insert that leaves an existing row unchanged."""
    return insert_into(table, postgres=postgres).on_conflict_do_nothing()


def _transactions_of(address: URL) -> Transactions:
    """Raises `SettingsInvalid` if the driver is not installed."""
    if address.get_backend_name() == "sqlite":
        return SqliteThreads(address)
    from integrations.sql.database.postgres import PostgresLoops  # noqa: PLC0415 - most installations use SQLite

    return PostgresLoops(address)


@contextmanager
def our_words(file: str | Path | None = None) -> Iterator[None]:
    """Turn a driver's errors into `StoreDown`, without the statement and its values, which hold people's mail.

    With SQLite's file the message says why the file system refuses it.
    """
    try:
        yield
    except DBAPIError as e:
        raise StoreDown(_detail(e.orig, file)) from e
    except (PoolExhausted, sqlite3.Error, OSError) as e:
        raise StoreDown(_detail(e, file)) from e


def _detail(error: BaseException | None, file: str | Path | None) -> str:
    obstacle = obstacle_behind(error, Path(file)) if file else ""
    if not obstacle:
        return _first_line(error)
    return obstacle if isinstance(error, OSError) else f"{_first_line(error)}: {obstacle}"


def _first_line(error: BaseException | None) -> str:
    """The error's message without the class name that asyncpg puts before it and the row's values in later lines."""
    text = str(error).partition("\n")[0]
    return text.rpartition("'>: ")[2] or type(error).__name__


def address_of(url: str) -> URL:
    """The URL for our driver. Raises `SettingsInvalid` without the URL, which may hold a password."""
    try:
        given = make_url(url)
        driver = DRIVERS[given.drivername]
    except (ArgumentError, KeyError):
        raise SettingsInvalid(("DATABASE_URL: must start with sqlite:/// or postgresql://",)) from None
    query = {"ssl" if name == "sslmode" else name: value for name, value in given.query.items()}  # libpq's word
    return given.set(drivername=driver, query=query)


class StorePart:
    """A port over the database."""

    def __init__(self, database: Database) -> None:
        self._database = database


class TimedPart(StorePart):
    """A port that also writes when something was done."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock
