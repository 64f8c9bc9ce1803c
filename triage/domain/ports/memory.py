"""The team's memory: the vault of notes, and the mails that its agents read."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.cases import Case
from triage.domain.memory.builds import Build, BuildBacklog, BuildKind, ReadMail
from triage.domain.memory.graph import NoteLinks
from triage.domain.memory.notes import MemoryMail, Note, NoteHit, NoteKind, NoteProblem, NoteStatus


class Vault(Protocol):
    """The notes on disk, one Markdown file each; people may edit them at the same time.

    Called by `services/memory` and the memory tools. All methods raise `VaultDown` when the folder is gone or cannot be read.
    """

    async def ready(self) -> None:
        """Nothing, if notes can be read and written; else raises `VaultReadOnly`."""

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
        """Restore the file to its state before our last write or removal, once; return the note, None if there was none.

        Raises `NoteChanged` if somebody has changed it since, `NoteNotFound` if nothing is kept, `VaultReadOnly`.
        """

    async def shred(self, note: str) -> None:
        """Delete all other copies of the file: its text before our last write, copies in the trash. Raises `VaultReadOnly`."""


class NoteIndex(Protocol):
    """A cache of the vault's notes, so that only changed files are read; it can be rebuilt at any time.

    Called by `services/memory`. All methods raise `VaultDown`.
    """

    async def find(
        self, terms: Sequence[str], limit: int, kind: NoteKind | None = None, status: NoteStatus | None = None
    ) -> tuple[NoteHit, ...]:
        """The best notes for these terms, best first; without terms none."""

    async def links(self) -> tuple[NoteLinks, ...]:
        """The edges that each note adds to the graph, by id; the same tuple as before if nothing changed."""

    async def rebuild(self) -> int:
        """Forget what was read and read all files again; return how many there are."""


class MemoryMails(Protocol):
    """Mails for the agents of the memory; called by `services/memory` and the tools of its agents. All methods raise `StoreDown`."""

    async def received(self, after: str, limit: int) -> Sequence[MemoryMail]:
        """Accepted mails in the order of their cases, the first after this case; noise (bulk, spam, alerts) is left out."""

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Mails that our people sent: the Sent folder's where a mailbox has one, else our own letters. Newest first.

        Raises `MailboxDown`.
        """


class BuildStore(Protocol):
    """Builds of the memory and the mails that they have read; called by `services/memory/build`. All methods raise `StoreDown`."""

    async def begin(self, kind: BuildKind, by: str, silence: float) -> Build:
        """Start a build, or go on with one of this kind that was killed: it gave no sign of life for `silence` seconds.

        Raises `BuildRunning` while another one is alive.
        """

    async def beat(self, build: Build) -> Build:
        """Commit stage and figures of a build with a sign of life; one with `ended_at` is over. Raises `BuildLost` if another process went on with it."""

    async def latest(self, kind: BuildKind | None = None) -> Build | None:
        """The build that was started last, of this kind if one is given."""

    async def cases(self, after: str, limit: int, *, unread: bool) -> tuple[Case, ...]:
        """Ended cases in their order, the first after this one; `unread`: only those that no build has read."""

    async def backlog(self) -> BuildBacklog:
        """How many mails a build would read, and of how many it would write the notes that are missing."""

    async def keep(self, mails: Sequence[ReadMail]) -> None:
        """Commit what was read, each mail once."""

    async def unwritten(self, limit: int) -> tuple[ReadMail, ...]:
        """Mails whose notes are not all written yet, in the order of their cases."""

    async def wrote(self, case: str) -> None:
        """Record that a mail's notes are written, and delete its observations."""

    async def kept(self, sender: str, day: str) -> int:
        """How many observations of a sender's mails of a day were kept."""
