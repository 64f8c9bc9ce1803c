"""Tells how Triage does: whether mail can be accepted, how each mailbox and the tracker do, whether the store is whole."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from triage.domain.errors import StoreDown
from triage.domain.mailboxes import SyncCursor
from triage.domain.ports import Clock, Mailboxes, StoreHealth
from triage.services.mailbox_watch import trouble_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxHealth:
    """One mailbox, whichever process watches it."""

    cursor: SyncCursor
    trouble: str
    """What an admin should see to; empty where all is well."""
    public_name: str
    """The name with addresses shortened: anybody may ask for health."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthService:
    """Called by `/health/ready`, `triage watch --status`, `triage doctor`, and by services when they start."""

    store: StoreHealth
    cursors: Mailboxes
    clock: Clock
    poll_seconds: float
    """IMAP_POLL_SECONDS: a mailbox that was not looked at for several times as long is watched by nobody."""
    redact: Callable[[str], str] = str
    """Shortens addresses."""
    tracker_trouble: Callable[[], str] = str
    """What is wrong with the tracker, empty where nothing is or nobody knows."""

    async def parts(self) -> Mapping[str, bool]:
        """What must work for a mail to be accepted: the database, and room on its disk. The tracker may be down."""
        return {"database": await _works(self.store.probe()), "room": await _works(self.store.look_for_room())}

    async def mailboxes(self) -> tuple[MailboxHealth, ...]:
        """All that were ever watched, by name. Raises `StoreDown`."""
        now = self.clock.now()
        return tuple(
            MailboxHealth(
                cursor=cursor,
                trouble=trouble_of(cursor, now, self.poll_seconds),
                public_name=self.redact(cursor.name),
            )
            for cursor in await self.cursors.cursors()
        )

    async def check(self) -> None:
        """Read the whole store: minutes where there are years of mail. Raises `StoreDown` where it is damaged."""
        await self.store.check()

    async def beside_check(self, work: Coroutine[Any, Any, None]) -> None:
        """The work, to its end; where the last process has not closed the store, it is checked meanwhile.

        Raises `StoreDown` as soon as the store turns out to be damaged. Reading all of a large file takes minutes: no
        start waits for it, and no end.
        """
        working, checking = asyncio.create_task(work), asyncio.create_task(self._check_if_unclean())
        try:
            await asyncio.wait({working, checking}, return_when=asyncio.FIRST_COMPLETED)
            if checking.done():
                checking.result()
            await working
        finally:
            for task in (working, checking):
                task.cancel()
            await asyncio.gather(working, checking, return_exceptions=True)

    async def _check_if_unclean(self) -> None:
        if self.store.unclean:
            await self.store.check()


async def _works(answer: Awaitable[object]) -> bool:
    try:
        await answer
    except StoreDown:
        return False
    return True
