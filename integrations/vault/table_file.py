"""A SQLite file of this host that can be lost: opened, made anew where it is damaged or of another format, in memory where it cannot stand."""

import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from triage.domain.memory.errors import VaultDown

BUSY: Final = "locked"


class DamagedError(Exception):
    """The file is no such table, or cannot be written."""


class TableFile:
    """One connection, opened at first use, for one thread at a time."""

    def __init__(self, file: Path | None, schema: str, made_for: str, patience: float) -> None:
        """Empty the tables where they were made by another schema or for something else than `made_for`.

        `patience`: seconds to wait for another process that writes.
        """
        self._file = file
        self._schema = schema
        self._made_for = made_for
        self._patience = patience
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection. Raises `DamagedError`, `VaultDown` if another process writes for too long."""
        try:
            if self._connection is None:
                self._connection = self._opened()
            yield self._connection
        except sqlite3.Error as e:
            if BUSY in str(e):
                raise VaultDown("another process of Triage has been reading the notes for too long") from e
            raise DamagedError(str(e)) from e

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection in a transaction that no other process shares; it is committed whole or not at all."""
        with self.using() as at:
            at.execute("BEGIN IMMEDIATE")
            try:
                yield at
                at.execute("COMMIT")
            finally:
                if at.in_transaction:
                    at.execute("ROLLBACK")

    def replace(self, *, in_memory: bool) -> None:
        """Begin with empty tables: in a new file, or in memory."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if in_memory or self._file is None:
            self._file = None
            return
        for name in (self._file.name, f"{self._file.name}-wal", f"{self._file.name}-shm"):
            try:
                self._file.with_name(name).unlink(missing_ok=True)
            except OSError:
                self._file = None
                return

    def clear(self) -> None:
        with self.writing() as at:
            self._make(at)

    def settle(self) -> None:
        """Leave nothing of what was deleted in the file's log."""
        with self.using() as at:
            at.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _opened(self) -> sqlite3.Connection:
        if self._file is not None:
            _make_private(self._file)
        at = sqlite3.connect(
            self._file or ":memory:", timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, at.close)
        # A commit that a power failure takes back is read from the notes again, so none waits for the disk.
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
            at.execute(f"PRAGMA {pragma}").fetchall()
        if not self._is_ours(at):
            at.execute("BEGIN IMMEDIATE")
            if not self._is_ours(at):
                self._make(at)
            at.execute("COMMIT")
        return at

    def _is_ours(self, at: sqlite3.Connection) -> bool:
        if not at.execute("SELECT 1 FROM sqlite_master WHERE name = 'made'").fetchall():
            return False
        return at.execute("SELECT schema, made_for FROM made").fetchall() == [(self._schema, self._made_for)]

    def _make(self, at: sqlite3.Connection) -> None:
        for (name,) in at.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall():
            at.execute(f'DROP TABLE "{name}"')
        at.execute("CREATE TABLE made (schema TEXT NOT NULL, made_for TEXT NOT NULL)")
        at.execute("INSERT INTO made VALUES (?, ?)", (self._schema, self._made_for))
        for statement in filter(str.strip, self._schema.split(";")):
            at.execute(statement)


def _make_private(file: Path) -> None:
    """Make a file that nobody else can read, unless it is there. Raises `DamagedError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as e:
        raise DamagedError(str(e)) from e
