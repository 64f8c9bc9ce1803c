"""Duties as locks of files beside a SQLite database: the kernel gives up those of a process that ends."""

import fcntl
import hashlib
import os
from pathlib import Path
from typing import Final

from triage.domain.errors import StoreDown

OWNER_ONLY: Final = 0o600


class FileLocks:
    """The port `Leadership` for the processes of one host; without a file, a database in memory, this process has every duty."""

    def __init__(self, database: Path | None) -> None:
        self._database = database
        self._held: dict[str, int] = {}

    async def hold(self, duty: str) -> bool:
        """Take the duty if it is free, or keep it."""
        if self._database is None or duty in self._held:
            return True
        try:
            handle = os.open(_file_of(self._database, duty), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
        except OSError as e:
            raise StoreDown(f"{self._database.parent}: {e.strerror}") from e
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        self._held[duty] = handle
        return True

    async def release(self, duty: str) -> None:
        """Give it up; the file stays, since a removed one could be locked twice."""
        if (handle := self._held.pop(duty, None)) is not None:
            os.close(handle)

    async def close(self) -> None:
        for duty in tuple(self._held):
            await self.release(duty)


def _file_of(database: Path, duty: str) -> Path:
    """Return one file per duty; names of mailboxes are no names of files."""
    return database.with_name(f"{database.name}.{hashlib.sha256(duty.encode()).hexdigest()[:12]}.lock")
