"""The port `ObjectStore` in a folder, which may be a mounted one."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from triage.config.durable_files import sync_folder, write_new
from triage.domain.operations.errors import ArchivedMailLost, ArchiveDown

T = TypeVar("T")


class FolderObjects:
    """A file for each key. The folder itself must be there: a mount that is missing is trouble, and no empty archive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, key: str, content: bytes) -> None:
        """Write a file beside, sync it, rename it, and sync its folder."""
        await self._run(lambda: _put(self._file(key), content))

    async def get(self, key: str) -> bytes:
        """The file's bytes. Raises `ArchivedMailLost`."""

        def read() -> bytes:
            try:
                return self._file(key).read_bytes()
            except FileNotFoundError:
                raise ArchivedMailLost(key) from None

        return await self._run(read)

    async def delete(self, key: str) -> None:
        """Remove the file, and those that were not renamed."""

        def remove() -> None:
            file = self._file(key)
            for one in (file, *file.parent.glob(f"{file.name}.*.part")):
                one.unlink(missing_ok=True)
            if file.parent.exists():
                sync_folder(file.parent)
            if file.parent != self._folder:
                with suppress(OSError):  # others are in it
                    file.parent.rmdir()

        await self._run(remove)

    async def close(self) -> None:
        """Nothing is open."""

    def _file(self, key: str) -> Path:
        if not self._folder.is_dir():
            raise ArchiveDown(f"there is no folder {self._folder}")
        return self._folder / key

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except OSError as e:
            raise ArchiveDown(f"{self._folder}: {e.strerror or e}") from e


def _put(file: Path, content: bytes) -> None:
    new = not file.parent.exists()
    file.parent.mkdir(mode=0o700, exist_ok=True)
    if new:
        sync_folder(file.parent.parent)
    # A name of its own for each try: two processes that wrote the same file would cut each other's.
    part = file.with_name(f"{file.name}.{token_hex(4)}.part")
    write_new(part, content)
    part.replace(file)
    sync_folder(file.parent)
