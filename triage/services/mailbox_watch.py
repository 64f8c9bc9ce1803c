"""Watches one mailbox: syncs, waits for new mail, reconnects after errors."""

import random
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from loguru import logger

from triage.domain.errors import MailboxDenied, MailboxDown, StoreDown
from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.mailbox_sync import MailboxSync, in_phase, unseen

SILENT: Final = 5
"""Polls that a watch may miss before it counts as dead."""
Stalling = MailboxDown | MailboxDenied | StoreDown


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPace:
    """Intervals of a watch, in seconds."""

    look: float = 120.0
    """Longest time between two polls, also with IDLE, since some connections die without an error."""
    first_pause: float = 1.0
    longest_pause: float = 60.0
    denied_pause: float = 300.0
    """Wait after a refused login, which a person must cure."""
    reconcile: float = 3600.0


class Watch:
    """Fetches new mail of one mailbox as it arrives, over one connection at a time."""

    def __init__(self, sync: MailboxSync, pace: WatchPace, since: datetime | None = None) -> None:
        self._sync = sync
        self._clock = sync.clock
        self._mailbox = sync.mailbox
        self._pace = pace
        self._since = since
        self._failures = 0
        self._stalled = False
        self._reconciled_at: datetime | None = None

    async def run(self) -> None:
        """Watch until cancelled. Cancelling is safe at any moment: mails that are not committed are fetched again."""
        while True:
            try:
                await self._session()
            except (MailboxDown, MailboxDenied, StoreDown) as e:
                pause = await self._failed(e)
            finally:
                await self._mailbox.close()
            await self._clock.sleep(pause)

    async def once(self) -> SyncCursor:
        """Fetch all mails, compare with the store, and return the cursor. Raises what the mailbox and store raise."""
        try:
            return await self._everything(await self._entered())
        finally:
            await self._mailbox.close()

    async def _session(self) -> None:
        """Run one connection until it breaks."""
        at = await self._entered()
        while True:
            at = await self._everything(at)
            await self._mailbox.wait(self._pace.look)

    async def _entered(self) -> SyncCursor:
        at = await self._sync.enter(await self._mailbox.open(), self._since)
        self._since = None
        self._stalled = self._stalled or at.phase is Phase.STALLED
        return at

    async def _everything(self, at: SyncCursor) -> SyncCursor:
        """Run backfill, new mail and, when due, reconciliation; then clear the trouble."""
        at = await self._sync.new(await self._sync.backfill(at))
        if self._reconcile_is_due():
            self._reconciled_at = self._clock.now()  # first: a mail may break the connection
            at = await self._sync.reconciled(at)
        phase = Phase.RECOVERED if self._stalled else Phase.IDLE
        at = in_phase(at, phase, self._clock.now(), self._sync.refusal)
        await self._sync.mailboxes.keep(at)
        if self._stalled:
            logger.bind(mailbox=at.name).info("mailbox.recovered")
        self._stalled, self._failures = False, 0
        return at

    def _reconcile_is_due(self) -> bool:
        last = self._reconciled_at
        return last is None or (self._clock.now() - last).total_seconds() >= self._pace.reconcile

    async def _failed(self, e: Stalling) -> float:
        """Report the error and return seconds until the next try. A first lost connection is normal: it is not shown."""
        self._failures += 1
        denied = isinstance(e, MailboxDenied)
        if denied or self._failures > 1:
            await self._stall(e)
        longest = self._pace.denied_pause if denied else self._pace.longest_pause
        pause = longest if denied else min(self._pace.first_pause * 2.0 ** min(self._failures - 1, 16), longest)
        return pause * random.uniform(0.5, 1.0)  # noqa: S311 - spreads out those that lost the same server

    async def _stall(self, e: Stalling) -> None:
        if not self._stalled:
            logger.bind(mailbox=self._mailbox.name, error=str(e)).error("mailbox.stalled")
        self._stalled = True
        with suppress(StoreDown):  # the log has the error, too
            mailboxes, now = self._sync.mailboxes, self._clock.now()
            at = await mailboxes.cursor(self._mailbox.name) or unseen(self._mailbox, now)
            await mailboxes.keep(in_phase(at, Phase.STALLED, now, str(e)))


def problem_of(at: SyncCursor, now: datetime, poll_seconds: float) -> str:
    """Describe what an admin should solve: an error, missing mails, or a dead watch; empty if nothing."""
    if at.phase is Phase.STALLED:
        return at.trouble
    if at.missing:
        return (
            "1 mail on the server is not here" if at.missing == 1 else f"{at.missing} mails on the server are not here"
        )
    if at.phase is not Phase.FETCHING and (now - at.complete_at).total_seconds() > SILENT * poll_seconds:
        return "nobody watches it: is `triage watch` running?"
    return at.trouble
