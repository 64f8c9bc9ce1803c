"""Reads a tracker and a mailbox for `triage doctor`; it writes nothing."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.mail import OWN_HEADER
from triage.domain.ports import Mailbox, MailReader, TrackerView
from triage.domain.tickets import Project, Ticket, TicketQuery

NEWEST: Final = 20
"""Mails whose headers are read."""
AS_FAR: Final = 200
"""UIDs below the next one among which `NEWEST` mails are looked for."""

LOOK: Final = 1.0
"""Seconds between two looks for a mail that is to arrive."""


@dataclass(frozen=True, slots=True)
class TrackerCheck:
    """Called by `triage doctor`. All methods raise what the tracker raises."""

    tracker: TrackerView

    async def project(self) -> Project:
        """Return project, people, types and statuses. Raises `ProjectHidden` if our account cannot see the project."""
        return await self.tracker.metadata.project()

    async def latest(self) -> str:
        """Return the newest ticket's key, empty if there is none."""
        found = await self.tracker.tickets.search(TicketQuery(limit=1))
        return found[0].key if found else ""

    async def recently_assigned(self) -> Sequence[Ticket]:
        """Return the tickets that smart assignment learns from."""
        return await self.tracker.people.assigned()


@dataclass(frozen=True, slots=True)
class MailboxCheck:
    """Called by `triage doctor`; it marks nothing as read. All methods raise what the mailbox raises."""

    mailbox: Mailbox
    reader: MailReader

    async def open(self) -> int:
        """Log in, open the folder, and return its next UID."""
        return (await self.mailbox.open()).next_uid

    async def newest_headers(self, next_uid: int) -> list[tuple[tuple[str, str], ...]]:
        """Return the (name, value) header fields of the newest mails, without mails that cannot be parsed."""
        uids = await self.mailbox.uids(above=max(next_uid - AS_FAR, 0))
        return await self._headers(uids[-NEWEST:])

    async def arrived(self, message_id: str, above: int, seconds: float) -> bool:
        """Wait until a mail with this Message-ID (without brackets) is among those above a UID; False after `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    if any(message_id in value for value in await self._message_ids(above)):
                        return True
                    await asyncio.sleep(LOOK)
        return False

    async def _message_ids(self, above: int) -> list[str]:
        """Return the ids of the mails above a UID; some servers give a mail another one, so our own header counts, too."""
        headers = await self._headers(await self.mailbox.uids(above=above))
        return [value for mail in headers for name, value in mail if name in {"message-id", OWN_HEADER}]

    async def _headers(self, uids: Sequence[int]) -> list[tuple[tuple[str, str], ...]]:
        found: list[tuple[tuple[str, str], ...]] = []
        for mail in await self.mailbox.fetch(await self.mailbox.listed(uids)):
            with suppress(NotAMail, MailUnreadable):
                found.append((await self.reader.read(mail.raw)).headers)
        return found

    async def close(self) -> None:
        """Log out."""
        await self.mailbox.close()
