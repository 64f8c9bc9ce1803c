"""Ways to people: notices that wait in the store, the channels that carry them, and what they are about."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.channels.notices import Bulletin, DeadCase, Delayed, Notice


class Notify(Protocol):
    """One channel: a chat, a push service, addresses. Called by the notice service and by `triage notify`."""

    @property
    def name(self) -> str:
        """How people know the channel; no secret in it."""

    async def send(self, bulletin: Bulletin) -> None:
        """Hand the message to the channel. Raises `ChannelDown` if it does not take it."""


class NoticeStore(Protocol):
    """Notices that wait, are told, or stand; called by the notice service. Raises `StoreDown`."""

    async def add(self, notices: Sequence[Notice], *, silently: bool = False) -> tuple[Notice, ...]:
        """Store those whose key is new, and return them; `silently`: as if they had been told."""

    async def take(self, quiet_since: datetime, until: datetime) -> tuple[Notice, ...]:
        """Lease all waiting notices of one kind of which nothing was told after `quiet_since`; empty if there is none.

        Until `until` no other process gets them, nor others of their kind.
        """

    async def told(self, notices: Sequence[Notice]) -> None:
        """End the lease: people have heard of them."""

    async def later(self, notices: Sequence[Notice], due: datetime) -> None:
        """End the lease: no channel took them, try again at `due`."""

    async def standing(self) -> tuple[Notice, ...]:
        """Notices about states that have not ended, whether told or not."""

    async def end(self, notices: Sequence[Notice]) -> tuple[Notice, ...]:
        """The states of these notices have ended: return those that people had heard of, and tell the others no more."""


class Troubles(Protocol):
    """What goes wrong with cases; called by the watch over conditions. Raises `StoreDown`."""

    async def delayed(self) -> tuple[Delayed, ...]:
        """Mails that wait for something that does not work, by error."""

    async def dead(self, limit: int = 50) -> tuple[DeadCase, ...]:
        """The latest mails that no worker takes any more, latest first."""
