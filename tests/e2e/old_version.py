"""The database of an older version, put back into SQLite or PostgreSQL as that version left it."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Boolean, Column, Connection, DateTime, MetaData, text

from integrations.sql import migrations
from integrations.sql.database.engine import Database
from tests.conftest import ROOT

OLD: Final = ROOT / "tests" / "fixtures" / "old_version"
"""Its README says what each case is and how it was made."""
REVISION: Final = "0015"
"""Of its tables."""
READ_AGAIN: Final = frozenset({"alembic_version", "tickets", "ticket_coverage", "ticket_words"})
"""What the tables of PostgreSQL have already, and the index of tickets, which SQLite keeps in a form of its own."""


def restore(name: str, file: Path) -> None:
    """One of its two databases in a file."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript((OLD / f"{name}.sql").read_text(encoding="utf-8"))


def restore_postgres(file: Path, url: str) -> None:
    """What a restored file holds, in an empty database of a server."""
    asyncio.run(_copied(file, url))


def version(url: str) -> str:
    """The revision of a database's tables."""
    return asyncio.run(_version(url))


async def _copied(file: Path, url: str) -> None:
    database = Database(url)
    try:
        with closing(sqlite3.connect(file, check_same_thread=False)) as old:
            old.row_factory = sqlite3.Row
            await database.rebuild(lambda connection: _copy(old, connection))
    finally:
        await database.close()


async def _version(url: str) -> str:
    database = Database(url)
    try:
        return await database.read(lambda c: str(c.scalar(text("SELECT version_num FROM alembic_version"))))
    finally:
        await database.close()


def _copy(old: sqlite3.Connection, connection: Connection) -> None:
    """The tables of that revision, and every row that is not made again."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    command.upgrade(config, REVISION)
    made = MetaData()
    made.reflect(connection)
    for table in made.sorted_tables:
        if table.name in READ_AGAIN:
            continue
        rows = old.execute(f"SELECT * FROM {table.name}").fetchall()  # noqa: S608 - a name of ours
        if rows:
            values = [{column.name: _value(column, row[column.name]) for column in table.c} for row in rows]
            connection.execute(table.insert(), values)
        if rows and "id" in table.c:
            last = {"last": max(row["id"] for row in rows)}
            connection.execute(text(f"SELECT setval('{table.name}_id_seq', :last)"), last)


def _value(column: Column[Any], value: Any) -> Any:
    """SQLite knows neither times nor truth."""
    if value is not None and isinstance(column.type, DateTime):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return bool(value) if value is not None and isinstance(column.type, Boolean) else value
