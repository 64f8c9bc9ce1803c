"""Opens the site's SQLite database: one connection, one writer, and snapshots to restore."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

SCHEMA: Final = tuple(
    Path(__file__).with_name(name) for name in ("schema.sql", "people.sql", "rights.sql", "boards.sql", "plans.sql")
)

Row: TypeAlias = sqlite3.Row

_NUMBERS: Final = "ALTER TABLE account ADD COLUMN number INTEGER; UPDATE account SET number = 10000 + 100 * rowid;"
"""For a file of the time when user keys were made of names."""

_WHOLE: Final = ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
_PART: Final = ("SAVEPOINT part", "RELEASE part", ("ROLLBACK TO part", "RELEASE part"))
"""How a write begins, how it ends well, and how it ends badly."""


class Database:
    """One SQLite connection: handlers run one after another on one event loop, so nothing waits for a lock."""

    def __init__(self, path: str | Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
        self._connection.row_factory = sqlite3.Row
        self._kept: dict[str, sqlite3.Connection] = {}
        # WAL without a sync per commit: the process may die at any moment and lose nothing, the machine may not.
        self._connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;"
            "PRAGMA cache_size=-65536"
        )
        self.fresh: bool = self.one("SELECT 1 FROM sqlite_master WHERE name = 'issue'") is None
        if self.fresh:
            for part in SCHEMA:
                self._connection.executescript(part.read_text(encoding="utf-8"))
        elif "number" not in {column["name"] for column in self.all("PRAGMA table_info(account)")}:
            self._connection.executescript(_NUMBERS + SCHEMA[1].read_text(encoding="utf-8"))

    def all(self, sql: str, *values: Any) -> list[Row]:
        return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> Row | None:
        """Return the first row of a query, None if there is none."""
        row: Row | None = self._connection.execute(sql, values).fetchone()
        return row

    def find(self, table: str, **columns: Any) -> Row | None:
        """Return the first row of a table with these values."""
        where = " AND ".join(f"{name} = ?" for name in columns)
        return self.one(f"SELECT * FROM {table} WHERE {where}", *columns.values())

    def value(self, sql: str, *values: Any) -> Any:
        """Return the first column of the first row."""
        row = self.one(sql, *values)
        return None if row is None else row[0]

    def of_ids(self, table: str, ids: Iterable[Any]) -> list[Row]:
        """Return the rows of a table with these ids, in this order; missing ones are left out."""
        wanted = list(ids)
        found = self.all(f"SELECT * FROM {table} WHERE id IN (SELECT value FROM json_each(?))", json.dumps(wanted))
        rows = {row["id"]: row for row in found}
        return [rows[each] for each in wanted if each in rows]

    def run(self, sql: str, *values: Any) -> int:
        """Execute a statement; return the id of an inserted row."""
        return self._connection.execute(sql, values).lastrowid or 0

    def insert(self, table: str, columns: dict[str, Any]) -> int:
        """Insert a row; return its id."""
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        return self.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", *columns.values())

    def update(self, table: str, key: Any, columns: dict[str, Any]) -> None:
        """Update a row by its id."""
        if columns:
            marks = ", ".join(f"{name} = ?" for name in columns)
            self.run(f"UPDATE {table} SET {marks} WHERE id = ?", *columns.values(), key)

    def insert_all(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert rows that hold all columns of the table in order."""
        for row in rows:
            self.run(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", *row)

    @contextmanager
    def write(self) -> Iterator[None]:
        """Open a transaction; inside another one it is a savepoint."""
        begin, commit, rollback = _PART if self._connection.in_transaction else _WHOLE
        self._connection.execute(begin)
        try:
            yield
        except BaseException:
            for sql in rollback:
                self._connection.execute(sql)
            raise
        self._connection.execute(commit)

    @property
    def changes(self) -> int:
        """Return the number of rows written so far, by which a reader sees that something has changed."""
        return self._connection.total_changes

    def keep(self, name: str = "") -> None:
        """Save a copy of all tables under a name."""
        if name not in self._kept:
            self._kept[name] = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.backup(self._kept[name])

    def restore(self, name: str = "") -> bool:
        """Restore the copy of this name; False if there is none."""
        if name in self._kept:
            self._kept[name].backup(self._connection)
        return name in self._kept

    def dump(self) -> dict[str, list[dict[str, Any]]]:
        """Return all tables with their rows as JSON; of files only their size."""
        tables = self.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        return {table: [_plain(row) for row in self.all(f"SELECT * FROM {table}")] for (table,) in tables}

    def close(self) -> None:
        for connection in (self._connection, *self._kept.values()):
            connection.close()


def _plain(row: Row) -> dict[str, Any]:
    return {name: len(row[name]) if isinstance(row[name], bytes) else row[name] for name in row.keys()}  # noqa: SIM118 - a sqlite3.Row iterates over its values
