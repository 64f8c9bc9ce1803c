"""Reports health: whether mail can be accepted, the state of mailboxes and tracker, damage to the store."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from triage.domain.approvals import Pause
from triage.domain.errors import StoreDown
from triage.domain.mailboxes import SyncCursor
from triage.domain.ports import Clock, KillSwitch, Mailboxes, StoreHealth
from triage.services.mailbox_watch import problem_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxHealth:
    """State of one mailbox, from the database, so any process can report it."""

    cursor: SyncCursor
    trouble: str
    """Problem that an admin should solve; empty if none."""
    public_name: str
    """The name with addresses shortened, since the health page is public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthService:
    """Called by `/health/ready`, `triage watch --status`, `triage doctor`, and by services when they start."""

    store: StoreHealth
    cursors: Mailboxes
    kill_switch: KillSwitch
    clock: Clock
    poll_seconds: float
    """IMAP_POLL_SECONDS; a mailbox not polled for several times as long counts as unwatched."""
    redact: Callable[[str], str] = str
    """Shortens addresses."""
    tracker_trouble: Callable[[], str] = str
    """Returns the tracker's problem; empty if there is none or it is unknown."""
    settings_conflict: Callable[[], str] = str
    """Returns which other Jira project another process on this database writes to; empty if none does."""
    config_trouble: Callable[[], str] = str
    """Returns why the present triage.yaml is not used; empty if it is."""

    async def parts(self) -> Mapping[str, bool]:
        """Check what accepting a mail needs: the database and free disk space, by name. The tracker may be down.

        `jira_settings` is named, as broken, only where another process on this database writes to another Jira project.
        """
        parts = {"database": await _works(self.store.probe()), "room": await _works(self.store.look_for_room())}
        return parts | ({"jira_settings": False} if self.settings_conflict() else {})

    async def no_room(self) -> str:
        """Return why no mail is taken for want of free disk space; empty if there is enough."""
        try:
            await self.store.look_for_room()
        except StoreDown as e:
            return e.detail
        return ""

    async def pause(self) -> Pause | None:
        """Return the pause in force; None if there is none. Raises `StoreDown`."""
        return await self.kill_switch.paused()

    async def mailboxes(self) -> tuple[MailboxHealth, ...]:
        """Return all mailboxes ever watched, by name. Raises `StoreDown`."""
        now = self.clock.now()
        return tuple(
            MailboxHealth(
                cursor=cursor,
                trouble=problem_of(cursor, now, self.poll_seconds),
                public_name=self.redact(cursor.name),
            )
            for cursor in await self.cursors.cursors()
        )

    async def check(self) -> None:
        """Read the whole store; takes minutes for years of mail. Raises `StoreDown` if it is damaged or takes no writes."""
        await self.store.probe()
        await self.store.check()

    async def missing_indexes(self) -> tuple[str, ...]:
        """Return the SQL statements by which an administrator makes searches quick; empty: they are. Raises `StoreDown`."""
        return await self.store.missing_indexes()

    async def newer_tables(self) -> str:
        """Return the revision of tables that a newer version has made; empty if this one knows them. Raises `StoreDown`."""
        return await self.store.newer_tables()

    async def beside_check(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the work; if the last process did not close the store, check the store concurrently.

        Raises `StoreDown` as soon as the check finds damage. Reading a large file takes minutes, so neither start nor
        end of the work waits for it.
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
