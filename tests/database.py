"""A SQLite database with our tables: migrated once in a test run, then copied, which takes a twentieth."""

import asyncio
import atexit
import fcntl
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from integrations.sql.database.engine import Database
from integrations.sql.database.migrate import migrate
from integrations.sql.store import SqlStore, open_store
from triage.domain.ports import Clock, Failpoint, no_failpoint


def migrated(path: Path) -> Path:
    """This file with our tables and nothing in them; one that is there already stays as it is."""
    if not path.exists():
        path.touch(0o600)
        path.write_bytes(_template())
    return path


@asynccontextmanager
async def opened_store(url: str, clock: Clock, failpoint: Failpoint = no_failpoint) -> AsyncIterator[SqlStore]:
    """The store at this URL, closed afterwards."""
    store = await open_store(url, clock, failpoint)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def empty_store(clock: Clock, failpoint: Failpoint = no_failpoint) -> AsyncIterator[SqlStore]:
    """A store with nothing in it, gone afterwards; one in memory would be migrated for each test."""
    with TemporaryDirectory() as folder:
        async with opened_store(f"sqlite:///{migrated(Path(folder) / 'triage.db')}", clock, failpoint) as store:
            yield store


@cache
def _template() -> bytes:
    """Made by the process of a test run that comes first: a second of processor time; the others read its file."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if not run:
        return _made()
    shared = Path(gettempdir()) / f"triage-tables-{run}.db"
    with Path(__file__).open() as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not shared.exists():
            whole = shared.with_suffix(f".{os.getpid()}")
            whole.write_bytes(_made())
            whole.rename(shared)
            atexit.register(_remove, shared, os.getpid())
        return shared.read_bytes()


def _remove(shared: Path, maker: int) -> None:
    """Whoever made it removes it, not what was forked from there."""
    if os.getpid() == maker:
        shared.unlink(missing_ok=True)


def _made() -> bytes:
    async def make(path: Path) -> None:
        database = Database(f"sqlite:///{path}")
        await migrate(database)
        await database.close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:  # the caller may have an event loop
        path = Path(folder) / "triage.db"
        beside.submit(asyncio.run, make(path)).result()
        return path.read_bytes()
