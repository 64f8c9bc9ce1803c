"""The store of a dry run: a copy of the tables that decisions read, in a file of its own."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import Connection, Table, inspect, text

from integrations.sql.database import schema
from integrations.sql.database.engine import Database, address_of
from integrations.sql.database.rows import case_number
from integrations.sql.database.sqlite import file_of
from integrations.sql.operations.tables import api_tokens, case_facts, webhook_deliveries, webhooks_out
from integrations.sql.raw_mails.reading import archived_mails
from integrations.sql.store import SqlStore, open_store
from triage.domain.ports import Clock, ObjectStore

NEWEST: Final = 5_000
"""Number of cases copied for a dry run; copying a large store would take minutes."""
LEFT_OUT: Final = frozenset(
    table.name
    for table in (
        schema.raw_mails,
        archived_mails,
        schema.steps,
        schema.agent_runs,
        schema.llm_calls,
        schema.tool_results,
        schema.email_events,
        case_facts,
        api_tokens,
        webhooks_out,
        webhook_deliveries,
    )
)
"""Tables that are not copied: raw bytes, journals and figures of other cases and access tokens, which no decision reads."""
BATCH: Final = 500

Rows = Sequence[Sequence[Any]]


@asynccontextmanager
async def dry_store(
    url: str, clock: Clock, about: str | None = None, objects: ObjectStore | None = None
) -> AsyncIterator[SqlStore]:
    """A temporary store with the newest cases of the one at `url`, and the raw mail of the case `about`, if given.

    Raises `StoreDown`, `SettingsInvalid`.
    """
    with TemporaryDirectory(prefix="triage-dry-run-") as folder:
        file = Path(folder) / "copy.db"
        store = await open_store(f"sqlite:///{file}", clock, objects=objects)
        try:
            if _is_there(url):
                await _copied(url, file, about)
            yield store
        finally:
            await store.close()


def _is_there(url: str) -> bool:
    """Whether there is a database to copy; a dry run does not create a missing file."""
    address = address_of(url)
    file = file_of(address) if address.get_backend_name() == "sqlite" else None
    return Path(file).is_file() if file else address.get_backend_name() == "postgresql"


async def _copied(url: str, file: Path, about: str | None) -> None:
    source = Database(url)
    raw_of = case_number(about) if about else 0
    try:
        await source.read(lambda c: _copy(c, file, raw_of))
    finally:
        await source.close()


def _copy(source: Connection, file: Path, raw_of: int) -> None:
    """Copy in one transaction of the source, so that the copy is consistent."""
    there = inspect(source)
    known = set(there.get_table_names())
    newest = source.scalar(text("SELECT max(id) FROM mails")) if "mails" in known else None
    since = (newest or 0) - NEWEST
    # A plain sqlite3 connection checks no foreign keys: a copied row may refer to a case that is too old to be copied.
    with closing(sqlite3.connect(file)) as target, target:
        for table in schema.metadata.sorted_tables:
            if table.name not in known or table.name in LEFT_OUT:
                continue
            columns = [one["name"] for one in there.get_columns(table.name) if one["name"] in table.c]
            key = "id" if table is schema.mails else "case_id" if "case_id" in table.c else ""
            _fill(target, table, columns, _rows(source, table, columns, f"{key} > {since}" if key else "1 = 1"))
        if raw_of:
            for table in (one for one in (schema.raw_mails, archived_mails) if one.name in known):
                columns = list(table.c.keys())
                _fill(target, table, columns, _rows(source, table, columns, f"case_id = {raw_of}"))


def _rows(source: Connection, table: Table, columns: Sequence[str], where: str) -> Iterator[Rows]:
    """Batches of rows with raw values, without our column types."""
    names = ", ".join(columns)
    found = source.execute(text(f"SELECT {names} FROM {table.name} WHERE {where}"))  # noqa: S608 - names of our schema
    for batch in found.partitions(BATCH):
        yield [[_stored(value) for value in row] for row in batch]


def _fill(target: sqlite3.Connection, table: Table, columns: Sequence[str], batches: Iterator[Rows]) -> None:
    places = ", ".join("?" for _ in columns)
    into = f"INSERT OR REPLACE INTO {table.name} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - as above
    for rows in batches:
        target.executemany(into, rows)


def _stored(value: Any) -> Any:
    """The value as SQLAlchemy stores it in SQLite."""
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, Mapping | list):
        return json.dumps(value)
    return value.value if isinstance(value, Enum) else value
