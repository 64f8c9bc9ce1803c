"""A SQLite database with our tables: migrated once in a test run, then copied, which takes a twentieth."""

import asyncio
import atexit
import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from integrations.sql.database.engine import Database
from integrations.sql.database.migrate import migrate


def migrated(path: Path) -> Path:
    """This file with our tables and nothing in them; one that is there already stays as it is."""
    if not path.exists():
        path.touch(0o600)
        path.write_bytes(_template())
    return path


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
