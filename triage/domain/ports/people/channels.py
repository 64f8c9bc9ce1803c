"""Ways to people: notices that wait in the store, the channels that carry them, and what they are about."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.channels.notices import Bulletin, DeadCase, Delayed, Notice
from triage.domain.channels.ticket_notes import HeardCommand, Hearing, TicketNote


class Notify(Protocol):
    """One channel: a chat, a push service, addresses. Called by the notice service and by `triage notify`."""

    @property
    def name(self) -> str:
        """The channel's name for people; contains no secret."""

    async def send(self, bulletin: Bulletin) -> None:
        """Hand the message to the channel. Raises `ChannelDown` if it does not take it."""


class NoticeStore(Protocol):
    """Stores notices: waiting, sent, and open states; called by the notice service. Raises `StoreDown`."""

    async def add(self, notices: Sequence[Notice], *, silently: bool = False) -> tuple[Notice, ...]:
        """Store those whose key is new, and return them; `silently`: marked as sent."""

    async def claim(self, quiet_since: datetime, until: datetime) -> tuple[Notice, ...]:
        """Lease all waiting notices of one kind that was not sent after `quiet_since`; empty if there is none.

        Until `until` no other process gets them, nor others of their kind.
        """

    async def mark_sent(self, notices: Sequence[Notice]) -> None:
        """End the lease: the notices are sent."""

    async def later(self, notices: Sequence[Notice], due: datetime) -> None:
        """End the lease: no channel took them, try again at `due`."""

    async def standing(self) -> tuple[Notice, ...]:
        """Notices about states that have not ended, sent or not."""

    async def end(self, notices: Sequence[Notice]) -> tuple[Notice, ...]:
        """Record that the states of these notices ended: return those that were sent, and drop the others."""


class Troubles(Protocol):
    """What goes wrong with cases; called by the watch over conditions. Raises `StoreDown`."""

    async def delayed(self) -> tuple[Delayed, ...]:
        """Mails that wait for something that does not work, by error."""

    async def dead(self, limit: int = 50) -> tuple[DeadCase, ...]:
        """The latest mails that no worker takes any more, latest first."""


class TicketNotes(Protocol):
    """Our notes on tickets: what they shall say, and what they say; called by the service that writes them. Raises `StoreDown`."""

    async def want(self, note: TicketNote) -> None:
        """Set the wanted text of this note; writes nothing if it is the same. A final note is not changed."""

    async def standing(self) -> tuple[TicketNote, ...]:
        """The notes that are not final, oldest first."""

    async def due(self, until: datetime) -> TicketNote | None:
        """Lease a note whose comment does not yet have the wanted text, and count the attempt; None if there is none."""

    async def written(self, note: TicketNote, comment: str) -> None:
        """Record that this comment has the note's text; ends the lease."""

    async def later(self, note: TicketNote, due: datetime | None) -> None:
        """It could not be written: try again at `due`; None: never."""


class Commands(Protocol):
    """Comments that were read as commands; called by the service that reads them. Raises `StoreDown`."""

    async def position(self, project: str) -> int | None:
        """Number of the last change of a project's tickets that was looked at; None before the first look."""

    async def moved(self, project: str, change: int) -> None:
        """All changes up to this one have been looked at."""

    async def written_by_us(self, key: str) -> str:
        """The latest case that wrote to this ticket; empty if none did."""

    async def touched(self, key: str) -> bool:
        """Whether we have written to this ticket, apart from making it."""

    async def hear(self, command: HeardCommand, until: datetime) -> Hearing:
        """Lease a command, unless it was carried out or another process has it."""

    async def obeyed(self, comment: str, answer: str) -> None:
        """Record that the command of this comment was carried out or refused."""
