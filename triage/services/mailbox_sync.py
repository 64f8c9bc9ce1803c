"""Copies the mails of one mailbox into the store; the cursor moves only after the commit."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeVar

from loguru import logger

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mail import Received, Stub
from triage.domain.mailboxes import Fetched, Folder, Listed, Phase, SyncCursor
from triage.domain.ports import Clock, Mailbox, Mailboxes
from triage.domain.text.counts import many
from triage.services.intake import Intake

T = TypeVar("T")

LISTED: Final = 1000
"""Mails whose sizes one request asks for."""
STRIKES: Final = 3
"""Lost connections while fetching one mail after which the sync skips it."""
LOOK_BACK: Final = timedelta(days=7)
"""After a new UIDVALIDITY the backfill starts so long before the last complete sync, since older mails may have
been moved into the folder. Mails whose bytes are in the store are skipped."""
SLACK: Final = timedelta(minutes=5)
"""Allowed difference between a server's clock and ours."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Fetched mails, and how far the cursor may move once they are stored."""

    mails: tuple[Fetched, ...]
    upto: int
    """Every listed mail up to this UID was fetched, is gone or is in `missing`."""
    missing: tuple[int, ...] = ()
    """UIDs that exist but could not be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxSync:
    """Called by `Watch` with an open mailbox. All methods raise what `Mailbox` and `Mailboxes` raise."""

    mailbox: Mailbox
    mailboxes: Mailboxes
    intake: Intake
    clock: Clock
    most: int = 200
    """Most mails of a batch."""
    size: int = 8 * 2**20
    """Most bytes of a batch."""
    strikes: Counter[int] = field(default_factory=Counter)
    unsettled: dict[int, str] = field(default_factory=dict)
    """UIDs of stored mails that the server would not mark or move, and why not; tried again with each look."""

    @property
    def refusal(self) -> str:
        """Say for an admin that stored mails stay where they were; empty if none does."""
        why = next(iter(self.unsettled.values()), "")
        mails = many(len(self.unsettled), "stored mail")
        return f"{mails} cannot be moved or marked as read (IMAP_AFTER): {why}" if why else ""

    @property
    def source(self) -> str:
        """`Received.source` of this mailbox's mails."""
        return f"imap:{self.mailbox.name}"

    async def enter(self, folder: Folder, since: datetime | None = None) -> SyncCursor:
        """Return the cursor for the opened folder. The first time it covers mails from now on, or from `since`;
        after a new UIDVALIDITY it asks for a backfill of recent mails.
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
            self.unsettled.clear()
            at = self._numbered(at, folder, min(again, at.backfill or again))
        if since is not None:
            at = replace(at, backfill=min(since, at.backfill or since), floor=min(since, at.floor))
        await self.mailboxes.keep(at)
        return at

    async def backfill(self, at: SyncCursor) -> SyncCursor:
        """Fetch mails since `at.backfill`, without those in the store by UID or by bytes."""
        if at.backfill is None:
            return at
        uids = [uid for uid in await self.mailbox.uids(since=at.backfill) if uid <= at.uid]
        missing = await self._fill(at, await self._unknown(at, uids), since=at.backfill)
        at = replace(at, backfill=None, missing=at.missing + missing)
        await self.mailboxes.keep(at)
        return at

    async def new(self, at: SyncCursor) -> SyncCursor:
        """Fetch mails above the cursor; for each batch store it, move the cursor, then mark or move the mails."""
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
        if self.unsettled:
            await self._settle(list(self.unsettled))
        return replace(at, complete_at=began)

    async def reconciled(self, at: SyncCursor) -> SyncCursor:
        """Compare mailbox and store; fetch mails that the store lacks, and log them."""
        uids = [uid for uid in await self.mailbox.uids(above=at.base) if uid <= at.uid]
        unknown = await self._unknown(at, uids)
        for uid in unknown:  # each gets one more try
            self.strikes[uid] = min(self.strikes[uid], STRIKES - 1)
        missing = await self._fill(at, sorted(unknown, key=lambda uid: (self.strikes[uid], uid)))
        if unknown:
            logger.bind(mailbox=at.name, gap=len(unknown), still_missing=missing).error("mailbox.gap")
        # A crash between cursor and IMAP_AFTER leaves mails unmarked.
        otherwise = {*unknown, *self.unsettled}
        await self._settle([uid for uid in uids if uid not in otherwise], again=True)
        return replace(at, missing=missing)

    # --- one batch ------------------------------------------------------------------------------

    async def _fill(self, at: SyncCursor, uids: Sequence[int], since: datetime | None = None) -> int:
        """Fetch and store these; return how many could not be fetched."""
        missing = 0
        async with aclosing(one_ahead(self._portions(uids, since))) as portions:
            async for portion in portions:
                await self._accept(at, await self._not_same(portion.mails))
                await self._settle([mail.uid for mail in portion.mails])
                missing += len(portion.missing)
        return missing

    async def _portions(self, uids: Sequence[int], since: datetime | None = None) -> AsyncGenerator[Batch, None]:
        """Yield batches: ask for sizes, plan batches by them, then fetch."""
        for start in range(0, len(uids), LISTED):
            some = uids[start : start + LISTED]
            listed = [m for m in await self.mailbox.listed(some) if since is None or m.at is None or m.at >= since]
            for plan in planned(listed, self.most, self.size):
                for part in [(mail,) for mail in plan] if self._struck(plan) else [plan]:
                    yield await self._portion(part)
            yield Batch((), upto=some[-1])
            if len(uids) > LISTED:
                logger.bind(mailbox=self.mailbox.name, mails=start + len(some), of=len(uids)).info("mailbox.progress")

    async def _portion(self, plan: Sequence[Listed]) -> Batch:
        """Fetch one batch; leave a mail that keeps breaking the connection to the reconciliation."""
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
        """Return UIDs that were not fetched but still exist."""
        absent = {mail.uid for mail in plan} - {mail.uid for mail in got}
        if not absent:
            return ()
        return tuple(sorted(absent & set(await self.mailbox.uids(above=min(absent) - 1))))

    async def _accept(self, at: SyncCursor, mails: Sequence[Fetched]) -> None:
        """Store all concurrently, so that they share commits; then raise the first error, if any."""
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
        """Mark or move mails by IMAP_AFTER; keep a refusal, since the mails are stored and fetching can go on."""
        try:
            await self.mailbox.settle(uids, again=again)
        except MailboxDenied as e:
            if not self.unsettled:
                logger.bind(mailbox=self.mailbox.name, error=e.detail).warning("mailbox.not_settled")
            self.unsettled.update(dict.fromkeys(uids, e.detail))
        else:
            for uid in uids:
                self.unsettled.pop(uid, None)
        self.intake.failpoint("imap.flagged")

    # --- what is known ----------------------------------------------------------------------------

    async def _unknown(self, at: SyncCursor, uids: Sequence[int]) -> list[int]:
        """Return the UIDs that are not in the store; a large mailbox is compared in parts, to keep memory small."""
        unknown: list[int] = []
        for start in range(0, len(uids), LISTED):
            some = {at.source_id(uid): uid for uid in uids[start : start + LISTED]}
            known = await self.mailboxes.accepted(self.source, list(some))
            unknown += [uid for source_id, uid in some.items() if source_id not in known]
        return unknown

    async def _not_same(self, mails: Sequence[Fetched]) -> list[Fetched]:
        """Drop mails whose bytes this mailbox delivered before under another UID."""
        digests = {mail.uid: hashlib.sha256(mail.raw).hexdigest() for mail in mails}
        same = await self.mailboxes.same(self.source, list(digests.values()))
        return [mail for mail in mails if digests[mail.uid] not in same]

    def _numbered(self, at: SyncCursor, folder: Folder, backfill: datetime | None) -> SyncCursor:
        last = folder.next_uid - 1
        return replace(at, validity=folder.validity, uid=last, base=last, backfill=backfill)


def unseen(mailbox: Mailbox, now: datetime) -> SyncCursor:
    """Return the cursor of a mailbox that was never opened."""
    return SyncCursor(name=mailbox.name, account=mailbox.account, floor=now, complete_at=now, changed_at=now)


def in_phase(at: SyncCursor, phase: Phase, now: datetime, trouble: str = "") -> SyncCursor:
    """Return the cursor in this phase; `changed_at` moves only if the phase changes."""
    return replace(at, phase=phase, trouble=trouble, changed_at=at.changed_at if at.phase is phase else now)


def planned(mails: Iterable[Listed], most: int, size: int) -> Iterator[tuple[Listed, ...]]:
    """Group mails, in order, into batches of `most` mails and `size` bytes; a larger mail is a separate batch."""
    portion: list[Listed] = []
    held = 0
    for mail in mails:
        if portion and (len(portion) >= most or held + mail.size > size):
            yield tuple(portion)
            portion, held = [], 0
        portion.append(mail)
        held += mail.size
    if portion:
        yield tuple(portion)


async def one_ahead(source: AsyncIterator[T]) -> AsyncGenerator[T, None]:
    """Yield the source's items; fetch the next one while the caller handles the current one."""
    coming = asyncio.create_task(_next(source))
    try:
        while items := await coming:
            coming = asyncio.create_task(_next(source))
            yield items[0]
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def _next(source: AsyncIterator[T]) -> tuple[T, ...]:
    """Return the next item as a 1-tuple, empty at the end."""
    async for item in source:
        return (item,)
    return ()
