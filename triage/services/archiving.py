"""Moves raw mails of finished cases out of the database, and removes from the archive what is forgotten."""

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex
from typing import Final

from loguru import logger

from triage.domain.mail import ArchivedMail, CopyState, UnwantedCopy
from triage.domain.operations.errors import ArchivedMailLost
from triage.domain.ports import Clock, MailArchive, ObjectStore

PAGE: Final = 100
"""Mails that are looked for at once."""
AT_ONCE: Final = 4
"""Mails that are moved at the same time: as many are in memory."""
GRACE: Final = timedelta(minutes=15)
"""How long after a mail is forgotten its copy is removed again: a process that was writing it may not have heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailArchiving:
    """Several processes may run it at once, and each may end at any point.

    A row says that a copy may be in the archive before there is one, until there is none. Bytes leave the database only after
    the copy was read back and has the mail's hash. So a mail is always in one of both, and nothing is in the archive that
    forgetting would not find.
    """

    store: MailArchive
    objects: ObjectStore
    clock: Clock
    days: int = 0

    async def run_once(self) -> None:
        """Remove what is unwanted, then move. Raises as both do."""
        await self.remove_unwanted()
        await self.move()

    async def move(self) -> int:
        """Move the mails that are old enough; return their number. Raises `StoreDown`, `ArchiveDown`, `ArchiveDenied`."""
        before, moved, last = self.clock.now() - timedelta(days=self.days), 0, ""
        while mails := await self.store.movable(before, last, PAGE):
            for group in (mails[place : place + AT_ONCE] for place in range(0, len(mails), AT_ONCE)):
                moved += sum(await asyncio.gather(*(self._moved(mail) for mail in group)))
            last = mails[-1].case
        if moved:
            logger.bind(mails=moved, days=self.days).info("archive.moved")
        return moved

    async def remove_unwanted(self) -> int:
        """Remove the copies of mails that are forgotten; return their number. Raises `StoreDown`, `ArchiveDown`, `ArchiveDenied`."""
        copies = await self.store.unwanted()
        for copy in copies:
            await self._remove(copy)
        return len(copies)

    async def kept(self) -> int:
        """How many mails are in the archive alone. Raises `StoreDown`."""
        return await self.store.kept()

    async def test(self) -> None:
        """Store something, read it, and remove it. Raises `ArchiveDown`, `ArchiveDenied`, `ArchivedMailLost`."""
        key, content = f"doctor-{token_hex(8)}", token_hex(8).encode()
        await self.objects.put(key, content)
        try:
            if await self.objects.get(key) != content:
                raise ArchivedMailLost(key)
        finally:
            await self.objects.delete(key)

    async def _moved(self, mail: ArchivedMail) -> bool:
        raw = await self.store.begin(mail)
        if raw is None:
            return False
        await self.objects.put(mail.key, raw)
        if not await self._same(mail):
            logger.bind(case=mail.case, key=mail.key).error("archive.differs")
            return False
        state = await self.store.keep(mail)
        if state is CopyState.UNWANTED:  # forgotten while we wrote
            await self.objects.delete(mail.key)
        return state is CopyState.KEPT

    async def _same(self, mail: ArchivedMail) -> bool:
        """Whether the archive gives the mail as it came; not so either where the database has changed it."""
        try:
            return hashlib.sha256(await self.objects.get(mail.key)).hexdigest() == mail.sha256
        except ArchivedMailLost:
            return False

    async def _remove(self, copy: UnwantedCopy) -> None:
        await self.objects.delete(copy.key)
        if copy.since <= self.clock.now() - GRACE:
            await self.store.removed(copy)
