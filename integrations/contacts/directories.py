"""The port `Contacts` over several directories, asked in order."""

from collections.abc import Sequence

from triage.domain.calendar.contacts import Contact
from triage.domain.ports import Contacts


class Directories:
    """The first directory that knows an address answers."""

    def __init__(self, directories: Sequence[Contacts]) -> None:
        self._directories = tuple(directories)

    async def find(self, address: str) -> Contact | None:
        """Ask one after the other. Raises `SourceDown`."""
        for directory in self._directories:
            if found := await directory.find(address):
                return found
        return None
