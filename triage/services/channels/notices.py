"""Sends notices to people: each once, each kind at most once an hour, many as one digest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, Notice, NoticeKind, NoticeSeverity
from triage.domain.ports import Clock, NoticeStore, Notify
from triage.policy.channels.bulletins import bulletin_of, recovery_of

QUIET: Final = timedelta(hours=1)
"""Time between two messages about the same kind of notice."""
LEASE: Final = timedelta(minutes=5)
"""Time that sending may take; after a crash another process sends then."""
AGAIN: Final = timedelta(minutes=2)
"""Pause after all channels have failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """Called by services that record notices, and by the loop that sends them. Without channels a notice is only logged."""

    store: NoticeStore
    clock: Clock
    channels: tuple[Notify, ...] = ()

    async def tell(self, *notices: Notice) -> None:
        """Log the notices and store them for the channels, except those with a known key. Raises `StoreDown`."""
        new = await self.store.add(notices) if self.channels and notices else notices
        for notice in new:
            logger.bind(kind=notice.kind.value, text=notice.text, cure=notice.cure).warning("notice")

    async def now_standing(self, notices: Sequence[Notice]) -> None:
        """Record these states, and the end of earlier states that are not among them. Raises `StoreDown`."""
        keys = {notice.key for notice in notices}
        over = [one for one in await self.store.standing() if one.key not in keys]
        heard = await self.store.end(over) if over else ()
        await self.tell(*notices, *map(recovery_of, heard))

    async def send_due(self) -> int:
        """Send what is due to all channels, one message per kind; return the number of messages. Raises `StoreDown`."""
        sent = 0
        while batch := await self._taken():
            if await self._sent(bulletin_of(batch)):
                await self.store.mark_sent(batch)
                sent += 1
            else:
                await self.store.later(batch, self.clock.now() + AGAIN)
        return sent

    async def is_new(self, version: str) -> bool:
        """Tell, once, that this version runs here for the first time. Raises `StoreDown`."""
        marker = Notice(kind=NoticeKind.UPGRADE, text=version, key=f"version {version}")
        return bool(self.channels and await self.store.add([marker], silently=True))

    async def tell_new(self, found: Sequence[Notice]) -> None:
        """Record what no earlier version found; findings of the first version are stored silently. Raises `StoreDown`."""
        begun = Notice(kind=NoticeKind.UPGRADE, text="the first version", key="version")
        if await self.store.add([begun], silently=True):
            await self.store.add(found, silently=True)
        else:
            await self.tell(*found)

    async def test(self) -> dict[str, str]:
        """Send a test message to each channel; return its error by the channel's name, empty where it works."""
        text = "This is a test: Triage can reach you here."
        bulletin = bulletin_of((Notice(kind=NoticeKind.TEST, severity=NoticeSeverity.INFO, text=text),))
        return {channel.name: await _failure(channel, bulletin) for channel in self.channels}

    async def _taken(self) -> tuple[Notice, ...]:
        now = self.clock.now()
        return await self.store.claim(now - QUIET, now + LEASE)

    async def _sent(self, bulletin: Bulletin) -> bool:
        """Send to every channel; return whether one took it. What one channel lacks is logged, and never sent twice."""
        troubles = {channel.name: await _failure(channel, bulletin) for channel in self.channels}
        for name, trouble in troubles.items():
            if trouble:
                logger.bind(channel=name, error=trouble).warning("notice.unsent")
        return not all(troubles.values())


async def _failure(channel: Notify, bulletin: Bulletin) -> str:
    try:
        await channel.send(bulletin)
    except ChannelDown as e:
        return str(e)
    return ""
