"""One database, SQLite or PostgreSQL: connection, transactions, errors."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from sqlalchemy import URL, Connection, Executable, Table, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from integrations.sql.database.sqlite import SqliteThreads, file_of
from triage.domain.errors import SettingsInvalid, StoreDown

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

T = TypeVar("T")

DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+asyncpg"}


class Transactions(Protocol):
    """How a kind of database runs what is a plain function of a connection; errors are the driver's."""

    @property
    def unclean(self) -> bool:
        """Its last end was none, or somebody else has it open."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What the work gives, committed."""

    async def write_many(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work of many statements."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; it writes nothing."""

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work that changes tables."""

    async def check(self) -> None:
        """What is on the disk is what was written. Raises `StoreDown`."""

    async def close(self) -> None:
        """Let the connections go."""


class Database:
    """Runs transactions.

    Each is carried to its end even where its caller is cancelled: a cancelled transaction would hold SQLite's one write
    lock until the garbage collector finds it (measured: 5 s).
    """

    def __init__(self, url: str) -> None:
        address = address_of(url)
        self.postgres = address.get_backend_name() == "postgresql"
        """It is PostgreSQL."""
        self._file = file_of(address)
        with our_words():
            self._way = _way_to(address)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def unclean(self) -> bool:
        """Who had the file last has not closed it, or has it still."""
        return self._way.unclean

    @property
    def free(self) -> int | None:
        """Bytes left on the disk of the file, None where there is no file of ours."""
        with our_words():
            return disk_usage(Path(self._file).absolute().parent).free if self._file else None

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """An insert that may say what happens on conflict."""
        return insert_into(table, postgres=self.postgres)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What the work gives, committed. Raises `StoreDown`."""
        return await self._whole(self._way.write(work))

    async def write_many(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work of many statements. Raises `StoreDown`."""
        return await self._whole(self._way.write_many(work))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; it writes nothing. Raises `StoreDown`."""
        return await self._whole(self._way.read(work))

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """As `write`, for work that changes tables. Raises `StoreDown`, also where it leaves a reference to nothing.

        SQLite changes a table by making it anew and dropping the old one, which takes away the rows that refer to it,
        unless it is told before the transaction to look away.
        """
        return await self._whole(self._way.rebuild(work))

    async def check(self) -> None:
        """What is on the disk is what was written. Raises `StoreDown`; PostgreSQL looks after its own pages."""
        with our_words():
            await self._way.check()

    async def close(self) -> None:
        """Let what is under way end, then the connections go."""
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if not self._closed:
            self._closed = True
            await self._way.close()

    async def _whole(self, transaction: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(transaction)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        with our_words():
            return await asyncio.shield(task)


def insert_into(table: Table, *, postgres: bool) -> "sqlite.Insert | postgresql.Insert":
    """An insert that may say what happens on conflict."""
    if not postgres:
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - most houses have none

    return postgresql.insert(table)


@cache
def insert_once(table: Table, *, postgres: bool) -> Executable:
    """An insert that leaves the row that is there already."""
    return insert_into(table, postgres=postgres).on_conflict_do_nothing()


def _way_to(address: URL) -> Transactions:
    """Raises `SettingsInvalid` where the driver is not installed."""
    if address.get_backend_name() == "sqlite":
        return SqliteThreads(address)
    from integrations.sql.database.postgres import PostgresLoops  # noqa: PLC0415 - most houses have none

    return PostgresLoops(address)


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
    """The URL as its driver wants it. Raises `SettingsInvalid`, which does not show it: it may hold a password."""
    try:
        given = make_url(url)
        driver = DRIVERS[given.drivername]
    except (ArgumentError, KeyError):
        raise SettingsInvalid(("DATABASE_URL: must start with sqlite:/// or postgresql://",)) from None
    query = {"ssl" if name == "sslmode" else name: value for name, value in given.query.items()}  # libpq's word
    return given.set(drivername=driver, query=query)
