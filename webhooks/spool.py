"""Buffers request bodies: small ones in memory, large ones in a file.

The total is bounded, since strangers can send before any signature is checked.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Final

from triage.domain.errors import StoreDown

SMALL: Final = 1024 * 1024
"""Bytes up to which a body stays in memory."""
MEMORY: Final = 64 * 1024 * 1024
"""Bytes of all bodies in memory together."""
DISK: Final = 1024 * 1024 * 1024
"""Bytes of all bodies in files together."""
LARGE_AT_ONCE: Final = 2
"""Large bodies processed at the same time; each takes a few times its size in memory."""


@dataclass(eq=False)
class RequestBody:
    """The bytes of one request received so far."""

    spool: "Spool"
    size: int = 0
    _on_disk: int = 0
    _held: bytearray = field(default_factory=bytearray)
    _file: IO[bytes] | None = None

    @property
    def large(self) -> bool:
        return self._file is not None

    def add(self, chunk: bytes) -> None:
        """Append a piece. Raises `StoreDown` if there is no room."""
        self.size += len(chunk)
        if self._file is None and self.size > SMALL:
            self._to_file()
        if self._file is None:
            self.spool.reserve(memory=len(chunk))
            self._held += chunk
        else:
            self._write(chunk)

    def whole(self) -> bytes:
        if self._file is None:
            return bytes(self._held)
        self._file.seek(0)
        return self._file.read()

    def close(self) -> None:
        self.spool.release(memory=len(self._held), disk=self._on_disk)
        if self._file:
            self._file.close()

    def _to_file(self) -> None:
        try:
            self._file = TemporaryFile(prefix="triage-mail-", buffering=0)  # noqa: SIM115 - closed with the body
        except OSError as e:
            raise StoreDown(f"no file for a large mail: {e.strerror}") from e
        self._write(bytes(self._held))
        self.spool.release(memory=len(self._held))
        self._held.clear()

    def _write(self, chunk: bytes) -> None:
        self.spool.reserve(disk=len(chunk))
        self._on_disk += len(chunk)
        left = memoryview(chunk)
        try:
            while self._file and left:
                left = left[self._file.write(left) :]
        except OSError as e:
            raise StoreDown(f"no room for a large mail: {e.strerror}") from e


@dataclass(eq=False)
class Spool:
    """Counts the bytes of all bodies that are being received."""

    memory: int = 0
    disk: int = 0
    _large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LARGE_AT_ONCE))

    def body(self) -> closing[RequestBody]:
        """Return an empty body that releases its room when the context ends."""
        return closing(RequestBody(self))

    def whole(self, body: RequestBody) -> AbstractAsyncContextManager[bytes]:
        """Give the whole body; a large one waits until fewer than `LARGE_AT_ONCE` are in memory."""
        return self._turn_of_large(body) if body.large else nullcontext(body.whole())

    @asynccontextmanager
    async def _turn_of_large(self, body: RequestBody) -> AsyncIterator[bytes]:
        async with self._large:
            yield await asyncio.to_thread(body.whole)

    def reserve(self, *, memory: int = 0, disk: int = 0) -> None:
        """Reserve bytes. Raises `StoreDown` above the limit."""
        if self.memory + memory > MEMORY or self.disk + disk > DISK:
            raise StoreDown("more mail comes in at once than there is room for")
        self.memory += memory
        self.disk += disk

    def release(self, *, memory: int = 0, disk: int = 0) -> None:
        """Release reserved bytes."""
        self.memory -= memory
        self.disk -= disk
