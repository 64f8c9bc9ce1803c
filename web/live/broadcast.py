"""Polls once a second for all listeners of a process; without listeners it does not poll."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T")

EVERY: Final = 1.0
"""Seconds between two checks."""
BEHIND: Final = 200
"""Messages that may wait for one listener; who is slower is sent away, and comes again."""


class TooSlow(Exception):  # noqa: N818  # not an error: the stream ends, and the listener comes again
    """The listener has not read its messages in time."""


@dataclass(slots=True)
class Listener(Generic[T]):
    """The queue of messages for one listener."""

    waiting: asyncio.Queue[T] = field(default_factory=lambda: asyncio.Queue(BEHIND))
    lost: bool = False

    async def next(self, seconds: float) -> T | None:
        """Return the next message, None if there is none within so many seconds. Raises `TooSlow`."""
        if self.lost:
            raise TooSlow
        try:
            return await asyncio.wait_for(self.waiting.get(), seconds)
        except TimeoutError:
            return None


@dataclass(slots=True)
class Broadcast(Generic[T]):
    """Calls `look` once a second while there are listeners, and sends each of them what it returns."""

    look: Callable[[], Awaitable[tuple[T, ...]]]
    """Returns what is new since it was asked last. Raises nothing that may be expected."""
    _by_id: dict[int, Listener[T]] = field(default_factory=dict)
    _looking: asyncio.Task[None] | None = None

    @property
    def has_listeners(self) -> bool:
        """Whether anybody listens."""
        return bool(self._by_id)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Listener[T]]:
        """Yield a listener that gets all messages from now on."""
        one = Listener[T]()
        self._by_id[id(one)] = one
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield one
        finally:
            del self._by_id[id(one)]
            if not self._by_id and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        while True:
            for message in await self.look():
                self._tell(message)
            await asyncio.sleep(EVERY)

    def _tell(self, message: T) -> None:
        for one in self._by_id.values():
            try:
                one.waiting.put_nowait(message)
            except asyncio.QueueFull:
                one.lost = True
