"""Copies a SQLite file while others write to it, by SQLite's backup API: https://www.sqlite.org/backup.html."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from integrations.sql.database.engine import address_of
from integrations.sql.database.sqlite import file_of, obstacle_behind
from triage.domain.errors import StoreDown
from triage.domain.operations.errors import CopyFailed

PATIENCE: Final = 30.0
"""Seconds to wait for a lock."""


def sqlite_file(url: str) -> Path | None:
    """The file of this database; None for PostgreSQL and for a database in memory. Raises `SettingsInvalid`."""
    address = address_of(url)
    file = file_of(address) if address.get_backend_name() == "sqlite" else None
    return Path(file) if file else None


def copy_to(source: Path, file: Path) -> int:
    """Copy and check the database; return its number of cases. `file` is a finished copy or absent.

    Raises `CopyFailed`, or `StoreDown` where the database itself cannot be read.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it holds people's mail: owner only
        cases = _copied(source, part)
        part.rename(file)
    except (OSError, sqlite3.Error) as e:
        with suppress(OSError):  # the first one is told
            part.unlink(missing_ok=True)
        if isinstance(e, OSError) or getattr(e, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
            raise CopyFailed(file=str(file), detail=getattr(e, "strerror", "") or str(e)) from None
        cause = obstacle_behind(e, source)
        raise StoreDown(f"no backup of {source} in {file}: {e}{cause and f': {cause}'}") from None
    return cases


def _copied(source: Path, part: Path) -> int:
    there = f"file:{source.absolute().as_posix().replace('?', '%3f').replace('#', '%23')}?mode=ro"
    with (
        closing(sqlite3.connect(there, uri=True, timeout=PATIENCE)) as ours,
        closing(sqlite3.connect(part, timeout=PATIENCE)) as copy,
    ):
        # In one step: a backup in pieces restarts whenever somebody writes in between, and might never end.
        ours.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # a single file, without a WAL
        if (found := copy.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged: {found}")
        return int(copy.execute("SELECT count(*) FROM cases").fetchone()[0])
