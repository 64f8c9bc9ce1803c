"""Looks at a tracker and at a mailbox without writing anything: what `triage doctor` judges."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.ports import Mailbox, MailReader, TrackerView
from triage.domain.tickets import Project, Ticket, TicketQuery

NEWEST: Final = 20
"""Mails whose headers are read."""
AS_FAR: Final = 200
"""Numbers below the next one in which those are looked for."""


@dataclass(frozen=True, slots=True)
class TrackerCheck:
    """Called by `triage doctor`. All methods raise what the tracker raises."""

    tracker: TrackerView

    async def project(self) -> Project:
        """The project with its people, types and statuses. Raises `TicketGone` where our account does not see it."""
        return await self.tracker.metadata.project()

    async def latest(self) -> str:
        """Key of the latest ticket, empty where there is none."""
        found = await self.tracker.tickets.search(TicketQuery(limit=1))
        return found[0].key if found else ""

    async def recently_assigned(self) -> Sequence[Ticket]:
        """The tickets that assignment learns from."""
        return await self.tracker.people.assigned()


@dataclass(frozen=True, slots=True)
class MailboxCheck:
    """Called by `triage doctor`; nothing is marked as read. All methods raise what the mailbox raises."""

    mailbox: Mailbox
    reader: MailReader

    async def open(self) -> int:
        """Log in and open the folder; the number of its next mail."""
        return (await self.mailbox.open()).next_uid

    async def newest_headers(self, next_uid: int) -> list[tuple[tuple[str, str], ...]]:
        """The header fields of the newest mails, parsed where mails are parsed; what cannot be read is left out."""
        uids = await self.mailbox.uids(above=max(next_uid - AS_FAR, 0))
        found: list[tuple[tuple[str, str], ...]] = []
        for mail in await self.mailbox.fetch(await self.mailbox.listed(uids[-NEWEST:])):
            with suppress(NotAMail, MailUnreadable):
                found.append((await self.reader.read(mail.raw)).headers)
        return found

    async def close(self) -> None:
        """Log out."""
        await self.mailbox.close()
