"""Makes a database of many finished cases from a few real ones: every row that a mail left, again and again, with names of its own."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Final

from sqlalchemy import Column, Table

import integrations.sql.store  # noqa: F401 - with it all tables are known
from integrations.sql.database.schema import metadata
from integrations.sql.database.types import UtcDateTime

NAMES: Final = {
    "mails": {"source_id"},
    "cases": {"lane", "ticket"},
    "effects": {"key", "target", "label", "body_hash"},
    "letters": {"key"},
    "mentions": {"message_id"},
    "thread_ids": {"message_id", "content", "ticket"},
    "traces": {"content", "message_id", "sender", "thread", "storm", "newcomers", "scope", "topic"},
}
"""Columns by which mails, tickets and senders are told from each other."""
YEAR: Final = 365 * 86_400
RUN: Final = "CAST(substr(t.run, 6, instr(t.run, '/') - 6) AS INTEGER)"
"""The case of a run: `case-17/1`."""


def multiply(file: Path, cases: int) -> int:
    """Copy the cases of a database until there are so many, spread over a year, the oldest first; return their number."""
    with connect(file, isolation_level=None) as rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.execute("PRAGMA synchronous=OFF")
        made = int(rows.execute("SELECT max(id) FROM mails").fetchone()[0])
        times = max(1, cases // made) - 1
        rows.execute("CREATE TEMP TABLE k (n INTEGER PRIMARY KEY)")
        rows.execute("BEGIN")
        rows.executemany("INSERT INTO k VALUES (?)", ((n,) for n in range(1, times + 1)))
        for table in filter(_of_a_case, metadata.sorted_tables):
            _copy(rows, table, made, times)
        rows.execute("COMMIT")
        rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rows.close()
    return made * (times + 1)


def _of_a_case(table: Table) -> bool:
    return not {"case_id", "run"}.isdisjoint(table.c.keys()) or table.name == "mails"


def _copy(rows: Connection, table: Table, made: int, times: int) -> None:
    """Copy the rows of a table, then move the first ones to the beginning of the year."""
    values = dict(_values(table, made, times))
    columns = ", ".join(f'"{name}"' for name in values)
    rows.execute(
        f"INSERT INTO {table.name} ({columns}) SELECT {', '.join(values.values())} FROM k CROSS JOIN {table.name} t"  # noqa: S608 - our own names
        f" WHERE {_case(table)} <= {made}"
    )
    moved = {name: value.replace("k.n", "0") for name, value in values.items() if _is_time(table.c[name])}
    if moved:
        sets = ", ".join(f'"{name}" = {value}' for name, value in moved.items())
        rows.execute(f"UPDATE {table.name} AS t SET {sets} WHERE {_case(table)} <= {made}")  # noqa: S608 - our own names


def _case(table: Table) -> str:
    """The number of a row's case."""
    return "t.id" if table.name == "mails" else "t.case_id" if "case_id" in table.c else RUN


def _is_time(column: Column[object]) -> bool:
    return isinstance(column.type, UtcDateTime) or column.name == "day"


def _values(table: Table, made: int, times: int) -> Iterator[tuple[str, str]]:
    """Yield each column with what a copy has in it; the numbers of rows are given anew."""
    older = f"'-' || ((SELECT {times} + 1 - k.n) * {YEAR // (times + 1)}) || ' seconds'"
    case = _case(table)
    for column in table.columns:
        mine = f't."{column.name}"'
        match column.name:
            case "case_id":
                yield column.name, f"{case} + k.n * {made}"
            case "id" if table.name == "mails":
                yield column.name, f"{case} + k.n * {made}"
            case "id":
                continue
            case "run":
                yield (
                    column.name,
                    f"replace({mine}, 'case-' || {case} || '/', 'case-' || ({case} + k.n * {made}) || '/')",
                )
            case "data" if table.name == "cases":
                yield (
                    column.name,
                    f"replace({mine}, '\"case-' || {case} || '\"', '\"case-' || ({case} + k.n * {made}) || '\"')",
                )
            case "day":
                yield column.name, f"date({mine}, {older})"
            case name if _is_time(column):
                yield name, f"strftime('%Y-%m-%d %H:%M:%f', {mine}, {older}) || '000'"
            case name if name in NAMES.get(table.name, ()):
                yield name, f"CASE WHEN {mine} <> '' THEN {mine} || printf('%07d', k.n) ELSE {mine} END"
            case name:
                yield name, mine
