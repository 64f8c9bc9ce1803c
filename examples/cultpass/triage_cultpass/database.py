"""The culture pass's SQLite file: made from schema and invented data at the first call, changed once per call."""

import json
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from triage.domain.errors import ToolRefused

FILE: Final = "cultpass.db"
WAIT: Final = 10.0
"""Seconds that a call waits for another one that writes."""


def folded(text: str) -> str:
    """Fold for comparison: lower case, without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the file in this folder; all statements of the block are one transaction. Raises `ToolRefused`."""
    connection = _connected(folder)
    try:
        connection.row_factory = sqlite3.Row
        connection.create_function("folded", 1, folded, deterministic=True)
        _make(connection)
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except sqlite3.Error as e:
        raise ToolRefused(f"the database is not available: {e}", action="escalate") from e
    finally:  # a block that raises leaves the transaction open, and closing takes it back
        connection.close()


def _connected(folder: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(folder / FILE, timeout=WAIT, isolation_level=None)
    except sqlite3.Error as e:
        raise ToolRefused(f"the database is not available: {e}", action="escalate") from e


def _make(connection: sqlite3.Connection) -> None:
    """Make tables and data in a new file; where two processes do so at a time, the second changes nothing."""
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return
    scripts = ((files(__package__) / name).read_text(encoding="utf-8") for name in ("schema.sql", "seed.sql"))
    connection.executescript("\n".join(("BEGIN IMMEDIATE;", *scripts, "PRAGMA user_version = 1;", "COMMIT;")))


def once(folder: Path, key: str, change: Callable[[sqlite3.Connection], Any]) -> Any:
    """Change the data for this call; the same key again gets the first answer and changes nothing."""
    with opened(folder) as connection:
        known = connection.execute("SELECT answer FROM calls WHERE once = ?", (key,)).fetchone()
        if known:
            return json.loads(known["answer"])
        answer = change(connection)
        connection.execute("INSERT INTO calls VALUES (?, ?)", (key, json.dumps(answer, ensure_ascii=False)))
        return answer
