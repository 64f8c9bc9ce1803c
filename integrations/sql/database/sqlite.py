"""SQLite by the standard driver: one writer thread, a few reader threads, one round trip per transaction.

The asynchronous driver switches to a thread and back for each statement: half of the cost of a mail (decision 038).
"""

import asyncio
import os
import pwd
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event

from integrations.sql.database.compiled import SHARED, SQLITE
from triage.domain.errors import StoreDown
from triage.domain.text.counts import many

T = TypeVar("T")

READERS: Final = 4
"""Threads; several, so that a long list does not delay a health check."""
PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between tries to prepare a file that another process prepares at the same moment."""
PRAGMAS: Final = (
    "busy_timeout=1000",  # of each try of the next pragma, which may have to wait for another process
    "journal_mode=WAL",
    "busy_timeout=5000",
    "synchronous=FULL",  # an accepted mail survives a power cut
    "foreign_keys=ON",
)

FULL: Final = 64 * 1024
"""Free bytes below which SQLite cannot make its WAL and the index of it."""
ACCESS: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""Kinds of errors that the file system causes; SQLite tells neither the file nor the reason."""


class SqliteThreads:
    """Writers of one process queue for one thread; with SQLite alone they would poll for its lock, unfairly."""

    def __init__(self, url: URL) -> None:
        self._file = file_of(url)
        self.unclean = _left_open(self._file)
        if self._file:
            _private(Path(self._file))
        self.engine = plain_engine(url)
        # A database in memory has only one connection.
        self._reading = plain_engine(url, begin="BEGIN") if self._file else self.engine
        self._writer = ThreadPoolExecutor(1, "sqlite-writer")
        self._readers = ThreadPoolExecutor(READERS, "sqlite-reader") if self._file else self._writer

    def write(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        def written() -> T:
            with self.engine.begin() as connection:
                return work(connection)

        return _run(self._writer, written)

    def write_many(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """As `write`: every transaction is one switch to the thread anyway."""
        return self.write(work)

    def read(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Return the result of `work`, which writes nothing."""

        def read() -> T:
            with self._reading.connect() as connection:
                return work(connection)

        return _run(self._readers, read)

    read_once = read

    def look(self, work: Callable[[Connection], T]) -> T:
        """As `read`, for a single statement, in this thread; SQLite ends its transaction with the last row that is read.

        Not for a database in memory, whose only connection belongs to the writer.
        """
        try:
            return work(self._looking)
        except BaseException:
            self._looking.rollback()
            raise

    def snapshot(self, work: Callable[[Connection], T]) -> T:
        """As `look`, for several statements, which see the same state."""
        try:
            return work(self._snapshots)
        finally:
            self._snapshots.rollback()

    @cached_property
    def _looking(self) -> Connection:
        """A connection that is kept: to take one out of the pool and put it back costs as much as a look."""
        return plain_engine(self.engine.url, begin="").connect()

    @cached_property
    def _snapshots(self) -> Connection:
        return self._reading.connect()

    def rebuild(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """As `write`, with foreign keys checked only at the end. Raises `StoreDown` for a dangling reference."""

        def rebuilt() -> T:
            with self.engine.connect() as connection:
                driver: Any = connection.connection.driver_connection
                driver.execute("PRAGMA foreign_keys=OFF")
                try:
                    with connection.begin():
                        return _sound(work, connection)
                finally:
                    driver.execute("PRAGMA foreign_keys=ON")

        return _run(self._writer, rebuilt)

    async def check(self) -> None:
        """Raise `StoreDown` if the file is damaged. Reads the whole file; a cancelled call stops."""
        if not self._file:
            return
        connection = _to_look_at(self._file)
        looking = asyncio.create_task(asyncio.to_thread(_damage, connection))
        try:
            found = await asyncio.shield(looking)
        finally:
            connection.interrupt()
            await asyncio.gather(looking, return_exceptions=True)
            connection.close()
        if found:
            raise StoreDown(f"the file is damaged, put the last good copy in its place: {found}")

    async def shred(self) -> bool:
        """Write the file anew without free pages, and empty its WAL; False while another process reads an old page.

        Raises `StoreDown` while another process writes for longer than `busy_timeout`, and if the disk has no room for the copy.
        """
        return await _run(self._writer, self._shredded)

    def _shredded(self) -> bool:
        with self.engine.connect() as connection:
            cursor = connection.connection.cursor()
            try:
                cursor.execute("PRAGMA secure_delete=ON")
                cursor.execute("VACUUM")
                # Waits for readers as long as `busy_timeout`, too.
                busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as e:
                raise StoreDown(f"the file cannot be written anew: {e}") from e
            return not busy

    async def close(self) -> None:
        if "_looking" in self.__dict__:
            self._looking.close()
            self._looking.engine.dispose()
        if "_snapshots" in self.__dict__:
            self._snapshots.close()
        await _run(self._writer, self._reading.dispose)
        await _run(self._writer, self.engine.dispose)
        self._writer.shutdown()
        self._readers.shutdown()


def _run(thread: Executor, work: Callable[[], T]) -> Awaitable[T]:
    return asyncio.get_running_loop().run_in_executor(thread, work)


def _sound(work: Callable[[Connection], T], connection: Connection) -> T:
    """Return the result of `work`. Raises `StoreDown` if it leaves a dangling reference."""
    result = work(connection)
    if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise StoreDown(f"{broken[0]} refers to rows of {broken[2]} that are not there")
    return result


def _to_look_at(file: str) -> sqlite3.Connection:
    """A read-only connection that another thread may interrupt."""
    uri = f"file:{quote(str(Path(file).absolute()))}?mode=ro"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _damage(connection: sqlite3.Connection) -> str:
    """The first damage found in the file, empty if none."""
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as e:
        return str(e)
    return "" if found == "ok" else found


def _left_open(file: str | None) -> bool:
    """Whether SQLite's WAL is not empty: the last connection to close removes it, so somebody did not close the file."""
    log = Path(f"{file}-wal")
    return bool(file) and log.exists() and log.stat().st_size > 0


def plain_engine(url: URL, begin: str = "BEGIN IMMEDIATE") -> Engine:
    """An engine for a file, or for a database in memory with one shared connection.

    A writer takes the write lock at once, since a reader that becomes a writer may find it taken and fail. Without
    `begin` each statement is a transaction of its own.
    """
    url = url.set(drivername=SQLITE)
    if file_of(url):
        one_more_for_look = READERS + 1
        engine = create_engine(url, pool_size=one_more_for_look, max_overflow=0, execution_options=SHARED)
    else:
        once = {"check_same_thread": False}
        engine = create_engine(url, poolclass=StaticPool, connect_args=once, execution_options=SHARED)
    event.listen(engine, "connect", _set_up)
    if begin:
        event.listen(engine, "begin", lambda connection: _begin(connection, begin))
    return engine


def file_of(url: URL) -> str | None:
    """The file of a SQLite database; None for one in memory and for PostgreSQL."""
    return None if url.get_backend_name() != "sqlite" or url.database in {None, "", ":memory:"} else url.database


def _private(path: Path) -> None:
    """Create the file for its owner only, before SQLite creates it readable by others."""
    if not path.exists():
        path.touch(mode=0o600)


def _set_up(connection: Any, _record: Any) -> None:
    """Prepare a new connection."""
    connection.isolation_level = None  # otherwise the driver begins only at the first write, and without IMMEDIATE
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        _patiently(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _patiently(cursor: Any, statement: str) -> None:
    """Run it, with retries while the file is locked: busy_timeout does not cover a new file's switch to WAL."""
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


def _begin(connection: Connection, statement: str) -> None:
    """Begin by the driver itself, which costs a fifth of the same by SQLAlchemy. Raises the driver's own error."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement)


# --- why the file system refuses ------------------------------------------------------------------


def obstacle_behind(error: BaseException | None, file: Path) -> str:
    """Return what stands between this process and the file, with its cure, if that is a cause of the error; else empty."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF == sqlite3.SQLITE_BUSY:
        return f"another process holds {file}: wait for its end, or look with `fuser {file}` which one it is"
    if code is not None and code & 0xFF == sqlite3.SQLITE_NOTADB:
        return f"{file}: put the last good copy in its place, or name another file in DATABASE_URL"
    if isinstance(error, OSError) or (code is not None and code & 0xFF in ACCESS):
        return obstacle_to(file)
    return ""


def obstacle_to(file: Path) -> str:
    """Return why this process cannot write the file, with the cure; empty if it can. Asks the file system only."""
    folder = file.absolute().parent
    try:
        if not folder.is_dir():
            return f"there is no folder {folder}: make it, or name another file in DATABASE_URL"
        if file.is_dir():
            return f"{file} is a folder: name a file in it in DATABASE_URL"
        disk = os.statvfs(folder)
        if disk.f_flag & os.ST_RDONLY:
            return f"{folder} is on a disk that is mounted read-only: mount it for writing"
        refused = next((path for path in _written(file, folder) if not _writable(path)), None)
    except OSError as e:
        return f"{file}: {e.strerror}"
    if refused:
        return _refusal(refused)
    free = disk.f_bavail * disk.f_frsize
    return f"the disk of {file} is full, {many(free, 'byte')} left: make room" if free < FULL else ""


def _written(file: Path, folder: Path) -> Iterator[Path]:
    """What SQLite writes: the file, its WAL and the index of it; the folder where one of them has to be made."""
    yield from (path for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm")) if path.exists())
    if not all(path.exists() for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm"))):
        yield folder


def _writable(path: Path) -> bool:
    wanted = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted, effective_ids=True)


def _refusal(path: Path) -> str:
    me, owner = os.geteuid(), path.stat().st_uid
    cure = "give it the right by chmod" if me == owner else f"give it the right, or run as {_name(owner)}, who owns it"
    return f"user {_name(me)} may not write {path}: {cure}"


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
