"""The port `ObjectStore` where ARCHIVE_TO is not set: whoever asks for an archived mail hears why there is none."""

from typing import Final, NoReturn

from triage.domain.operations.errors import ArchiveDown

WHY: Final = "ARCHIVE_TO is not set: name the archive that was used until now"


class NoObjects:
    """Every question fails, and may be asked again once the setting is there."""

    async def put(self, key: str, content: bytes) -> None:
        """Raise `ArchiveDown`."""
        del content
        self._none(key)

    async def get(self, key: str) -> bytes:
        """Raise `ArchiveDown`."""
        self._none(key)

    async def delete(self, key: str) -> None:
        """Raise `ArchiveDown`."""
        self._none(key)

    async def close(self) -> None:
        """Nothing is open."""

    def _none(self, key: str) -> NoReturn:
        del key
        raise ArchiveDown(WHY)
