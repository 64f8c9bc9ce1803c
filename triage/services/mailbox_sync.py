"""Copies the mails of one mailbox into the store; the cursor moves only after the commit."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from loguru import logger

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mail import Received, Stub
from triage.domain.mailboxes import Fetched, Folder, Listed, Phase, SyncCursor
from triage.domain.ports import Clock, Mailbox, Mailboxes
from triage.services.batches import one_ahead, planned
from triage.services.intake import Intake

LISTED: Final = 1000
"""Mails whose sizes are asked for at once."""
STRIKES: Final = 3
"""Times that fetching one mail may end the connection; then the others go first."""
LOOK_BACK: Final = timedelta(days=7)
"""After a new UIDVALIDITY mails are looked through from so long before we last had everything: somebody may have
moved older ones into the folder meanwhile. What is known by its bytes is not taken again."""
SLACK: Final = timedelta(minutes=5)
"""By which clocks of servers differ from ours."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some mails, and what is said by having them."""

    mails: tuple[Fetched, ...]
    upto: int
    """Nothing is left of what we asked for up to this number,"""
    missing: tuple[int, ...] = ()
    """but for these, which are there and cannot be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxSync:
    """The mailbox must be open. All methods raise what `Mailbox` and `Mailboxes` do."""

    mailbox: Mailbox
    mailboxes: Mailboxes
    intake: Intake
    clock: Clock
    most: int = 200
    """Mails of a portion."""
    size: int = 8 * 2**20
    """Its bytes."""
    strikes: Counter[int] = field(default_factory=Counter)

    @property
    def source(self) -> str:
        """As it stands at its mails."""
        return f"imap:{self.mailbox.name}"

    async def enter(self, folder: Folder, since: datetime | None = None) -> SyncCursor:
        """Where we stand on opening. At first only what comes from now on is ours, and what came since a time if one
        is given; behind a new UIDVALIDITY we owe another look at what came lately.
        """
        now, at = self.clock.now(), await self.mailboxes.cursor(self.mailbox.name)
        if at is None or at.validity == 0:
            phase = at.phase if at else Phase.FETCHING
            at = replace(self._numbered(unseen(self.mailbox, now), folder, None), phase=phase)
        elif at.account != self.mailbox.account:
            raise MailboxDenied(self.mailbox.name, f"it was {at.account} before; give another account another name")
        elif at.validity != folder.validity:
            again = max(at.complete_at - LOOK_BACK, at.floor - SLACK)
            logger.bind(mailbox=at.name, since=str(again)).warning("mailbox.renumbered")
            at = self._numbered(at, folder, min(again, at.backfill or again))
        if since is not None:
            at = replace(at, backfill=min(since, at.backfill or since), floor=min(since, at.floor))
        await self.mailboxes.keep(at)
        return at

    async def backfill(self, at: SyncCursor) -> SyncCursor:
        """Look through what is owed, skipping what is here already by number or by its bytes."""
        if at.backfill is None:
            return at
        uids = [uid for uid in await self.mailbox.uids(since=at.backfill) if uid <= at.uid]
        missing = await self._fill(at, await self._unknown(at, uids), since=at.backfill)
        at = replace(at, backfill=None, missing=at.missing + missing)
        await self.mailboxes.keep(at)
        return at

    async def new(self, at: SyncCursor) -> SyncCursor:
        """Take what is above the cursor, portion by portion: store, move the cursor, mark."""
        began = self.clock.now()
        uids = await self.mailbox.uids(above=at.uid)
        async with aclosing(one_ahead(self._portions(uids))) as portions:
            async for portion in portions:
                await self._accept(at, portion.mails)
                at = replace(at, uid=portion.upto, missing=at.missing + len(portion.missing))
                at = in_phase(at, Phase.FETCHING, self.clock.now())
                await self.mailboxes.keep(at)
                self.intake.failpoint("imap.cursor_saved")
                await self._settle([mail.uid for mail in portion.mails])
        return replace(at, complete_at=began)

    async def reconciled(self, at: SyncCursor) -> SyncCursor:
        """Compare mailbox and store: what should be here and is not is fetched, and somebody is told."""
        uids = [uid for uid in await self.mailbox.uids(above=at.base) if uid <= at.uid]
        unknown = await self._unknown(at, uids)
        for uid in unknown:  # one more try for each, the well-behaved first
            self.strikes[uid] = min(self.strikes[uid], STRIKES - 1)
        missing = await self._fill(at, sorted(unknown, key=lambda uid: (self.strikes[uid], uid)))
        if unknown:
            logger.bind(mailbox=at.name, gap=len(unknown), still_missing=missing).error("mailbox.gap")
        # A crash may have come between cursor and move.
        await self._settle([uid for uid in uids if uid not in set(unknown)], again=True)
        return replace(at, missing=missing)

    # --- one portion ------------------------------------------------------------------------------

    async def _fill(self, at: SyncCursor, uids: Sequence[int], since: datetime | None = None) -> int:
        """Take exactly these; how many could not be had."""
        missing = 0
        async with aclosing(one_ahead(self._portions(uids, since))) as portions:
            async for portion in portions:
                await self._accept(at, await self._not_same(portion.mails))
                await self._settle([mail.uid for mail in portion.mails])
                missing += len(portion.missing)
        return missing

    async def _portions(self, uids: Sequence[int], since: datetime | None = None) -> AsyncGenerator[Batch, None]:
        """Sizes first, then bytes."""
        for start in range(0, len(uids), LISTED):
            some = uids[start : start + LISTED]
            listed = [m for m in await self.mailbox.listed(some) if since is None or m.at is None or m.at >= since]
            for plan in planned(listed, self.most, self.size):
                for part in [(mail,) for mail in plan] if self._struck(plan) else [plan]:
                    yield await self._portion(part)
            yield Batch((), upto=some[-1])

    async def _portion(self, plan: Sequence[Listed]) -> Batch:
        """A mail over which the connection breaks again and again is left for the reconciliation."""
        if len(plan) == 1 and self.strikes[plan[0].uid] >= STRIKES:
            logger.bind(mailbox=self.mailbox.name, uid=plan[0].uid).error("mailbox.unfetchable")
            return Batch((), upto=plan[0].uid, missing=(plan[0].uid,))
        try:
            mails = await self.mailbox.fetch(plan)
        except MailboxDown:
            self.strikes.update(mail.uid for mail in plan)
            raise
        for mail in mails:
            self.strikes.pop(mail.uid, None)
        return Batch(mails, upto=plan[-1].uid, missing=await self._still_there(plan, mails))

    def _struck(self, plan: Iterable[Listed]) -> bool:
        return any(mail.uid in self.strikes for mail in plan)

    async def _still_there(self, plan: Sequence[Listed], got: Sequence[Fetched]) -> tuple[int, ...]:
        """Those that did not come although nobody has removed them."""
        absent = {mail.uid for mail in plan} - {mail.uid for mail in got}
        if not absent:
            return ()
        return tuple(sorted(absent & set(await self.mailbox.uids(above=min(absent) - 1))))

    async def _accept(self, at: SyncCursor, mails: Sequence[Fetched]) -> None:
        """All of them, in one commit or a few; the first trouble of any is raised when all are done."""
        if not mails:
            return
        self.intake.failpoint("imap.fetched")
        received = [self._received(at, mail) for mail in mails]
        for became in await asyncio.gather(*map(self.intake.accept, received), return_exceptions=True):
            if isinstance(became, BaseException):
                raise became
        logger.bind(mailbox=at.name, mails=len(mails)).info("mailbox.accepted")

    def _received(self, at: SyncCursor, mail: Fetched) -> Received:
        if mail.oversize is not None:
            logger.bind(mailbox=at.name, uid=mail.uid, size=mail.oversize).warning("mailbox.oversize")
        now = self.clock.now()
        return Received(
            source=self.source,
            source_id=at.source_id(mail.uid),
            raw=mail.raw,
            at=min(mail.at or now, now),
            stub=Stub.OVERSIZE if mail.oversize is not None else None,
        )

    async def _settle(self, uids: Sequence[int], *, again: bool = False) -> None:
        """The mails are here already: a folder that cannot be tidied up is no reason to fetch none."""
        try:
            await self.mailbox.settle(uids, again=again)
        except MailboxDenied as e:
            logger.bind(mailbox=self.mailbox.name, error=e.detail).warning("mailbox.not_settled")
        self.intake.failpoint("imap.flagged")

    # --- what is known ----------------------------------------------------------------------------

    async def _unknown(self, at: SyncCursor, uids: Sequence[int]) -> list[int]:
        """Those that are not in the store."""
        known = await self.mailboxes.accepted(self.source, [at.source_id(uid) for uid in uids])
        return [uid for uid in uids if at.source_id(uid) not in known]

    async def _not_same(self, mails: Sequence[Fetched]) -> list[Fetched]:
        """Those whose very bytes did not come from here before, under another number."""
        digests = {mail.uid: hashlib.sha256(mail.raw).hexdigest() for mail in mails}
        same = await self.mailboxes.same(self.source, list(digests.values()))
        return [mail for mail in mails if digests[mail.uid] not in same]

    def _numbered(self, at: SyncCursor, folder: Folder, backfill: datetime | None) -> SyncCursor:
        last = folder.next_uid - 1
        return replace(at, validity=folder.validity, uid=last, base=last, backfill=backfill)


def unseen(mailbox: Mailbox, now: datetime) -> SyncCursor:
    """A mailbox before we were ever inside."""
    return SyncCursor(name=mailbox.name, account=mailbox.account, floor=now, complete_at=now, changed_at=now)


def in_phase(at: SyncCursor, phase: Phase, now: datetime, trouble: str = "") -> SyncCursor:
    """The same standing in this phase."""
    return replace(at, phase=phase, trouble=trouble, changed_at=at.changed_at if at.phase is phase else now)
