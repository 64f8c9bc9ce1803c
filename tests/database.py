"""A SQLite database with our tables: migrated once by each test process, then copied, which takes a twentieth."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

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
    async def make(path: Path) -> None:
        database = Database(f"sqlite:///{path}")
        await migrate(database)
        await database.close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:  # the caller may have an event loop
        path = Path(folder) / "triage.db"
        beside.submit(asyncio.run, make(path)).result()
        return path.read_bytes()
