"""The team's memory: the vault of notes, and the mails that its agents read."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.memory.notes import MemoryMail, Note, NoteProblem


class Vault(Protocol):
    """The notes on disk, one Markdown file each; people edit them beside us.

    Called by `services/memory` and the memory tools. All methods raise `VaultDown` when the folder is gone or cannot be read.
    """

    async def notes(self) -> tuple[Note, ...]:
        """All notes, by id; files that changed since the last call are read again, others are not."""

    async def problems(self) -> tuple[NoteProblem, ...]:
        """Files that are no notes, each with its line; they are kept as they are."""

    async def note(self, note: str) -> Note | None:
        """The note of this id as it is on disk; None if there is none."""

    async def write(self, note: Note, *, before: Note | None) -> Note:
        """Write a note atomically, and return it. `before` is what the caller has read, None for a new one.

        Raises `NoteChanged` if somebody has changed the file since, `VaultReadOnly` where nothing can be written.
        """

    async def remove(self, note: str) -> None:
        """Move the file to the vault's `.trash`; a note that is gone is no error. Raises `VaultReadOnly`."""

    async def undo(self, note: str) -> Note | None:
        """Make the file what it was before our last write or removal, once; return the note, None if there was none.

        Raises `NoteChanged` if somebody has changed it since, `NoteNotFound` if nothing is kept, `VaultReadOnly`.
        """

    async def shred(self, note: str) -> None:
        """Delete for good what is kept beside the file: its text before our last write, copies in the trash. Raises `VaultReadOnly`."""


class MemoryMails(Protocol):
    """Mails for the agents of the memory; called by `services/memory` and the tools of its agents. All methods raise `StoreDown`."""

    async def received(self, after: str, limit: int) -> Sequence[MemoryMail]:
        """Accepted mails in the order of their cases, the first after this case; noise (bulk, spam, alerts) is left out."""

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Mails that our people sent: the Sent folder's where a mailbox has one, else our own letters. Newest first.

        Raises `MailboxDown`.
        """
