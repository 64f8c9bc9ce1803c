"""Ports of outgoing mail: the queue of letters, the mail server that takes them, the folders of our own mailbox."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.letters import Letter, LetterKind, LetterState, MailFolder, Returned


class LetterStore(Protocol):
    """The queue of letters; called by the letter tools, the letter sender and the letter service. Raises `StoreDown`."""

    async def queue(self, letter: Letter, *, most: int | None = None) -> Letter:
        """Store a letter once by its key, durably; return the stored one, which is the first of this key.

        With `most`, raises `TooManyLetters` if so many automatic letters were queued to its person within a day.
        """

    async def lease(self, seconds: float, *, per_minute: int) -> Letter | None:
        """The next letter that is due, for so many seconds; None if there is none.

        A waiting one comes as `sending`, if fewer than `per_minute` were begun within the last minute and no person has
        paused all writing; one whose lease ran out while it was sent comes as `unknown`; others (`unknown`, `sent`, `draft`) come as they are.
        """

    async def settle(self, letter: Letter, *, was: Collection[LetterState]) -> bool:
        """Commit state, note, `due_at` and attempts of a letter; False if it was in none of these states."""

    async def cancel(self, number: int, by: str) -> Letter:
        """Cancel a letter that waits. Raises `LetterGone` if it is not waiting or does not exist."""

    async def returned(self, back: Returned) -> Letter | None:
        """Record what came back to a letter; None if there is no letter of this key."""

    async def letters(
        self,
        limit: int = 50,
        *,
        case: str | None = None,
        number: int | None = None,
        state: LetterState | None = None,
        before: int | None = None,
    ) -> tuple[Letter, ...]:
        """The latest letters first, of one case, with this number, in this state, with a number below `before` if given."""

    async def written(self, person: str, since: datetime) -> int:
        """Number of automatic letters to this address that were queued since then, without cancelled ones."""

    async def next_due(self) -> float | None:
        """Seconds until the next letter is due, 0 if one is, None if there is none."""

    async def began(self, kind: LetterKind, at: datetime) -> datetime:
        """The moment from which letters of this kind are sent: `at` of the first call ever, to the second."""


class Outbox(Protocol):
    """A mail server that takes our letters; called by the letter sender and the doctor.

    Raises `OutboxDown` while nothing was sent, `OutboxDenied` if it does not accept our account, `LetterRefused` if it
    rejects the letter, `LetterUnconfirmed` if the answer to the letter's last byte was lost.
    """

    async def send(self, raw: bytes, sender: str, to: Sequence[str]) -> Mapping[str, str]:
        """Send a mail once to these recipients; return the refused ones with the server's answers."""

    async def check(self) -> str:
        """Log in; return what the server offers, in words."""

    async def close(self) -> None:
        """Close connections."""


class MailFolders(Protocol):
    """The folders of drafts and of sent mail of our mailbox; called by the letter sender and the doctor.

    Raises `MailboxDown`, and `MailboxDenied` if only a person can help.
    """

    async def name(self, folder: MailFolder) -> str:
        """The folder's name on the server; empty if the mailbox has none."""

    async def holds(self, folder: MailFolder, message_id: str) -> bool:
        """Whether a mail with this Message-ID is in the folder."""

    async def recent(self, folder: MailFolder, since: datetime, limit: int) -> tuple[bytes, ...]:
        """The folder's mails since that day, the newest first; none without such a folder. Larger ones than the mailbox takes are left out."""

    async def append(self, folder: MailFolder, raw: bytes) -> None:
        """Store a mail there: marked as a draft in the one, as read in the other."""
