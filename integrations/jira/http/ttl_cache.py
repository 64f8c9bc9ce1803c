"""A cache with a time to live and a single flight per key."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from cachetools import TTLCache

_SECONDS: Final = 300.0

_Thing = TypeVar("_Thing")


class TtlCache(Generic[_Thing]):
    """One thing as of some minutes ago; whoever asks while it is being read waits for that one answer."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._kept: TTLCache[str, _Thing] = TTLCache(maxsize=1, ttl=seconds)
        self._loading = asyncio.Lock()

    async def get(self, load: Callable[[], Awaitable[_Thing]]) -> _Thing:
        """As kept, else as loaded now."""
        async with self._loading:
            thing = self._kept.get("thing")
            if thing is None:
                thing = self._kept["thing"] = await load()
            return thing

    @property
    def now(self) -> _Thing | None:
        """As kept; None where it would have to be loaded."""
        return self._kept.get("thing")

    def put(self, thing: _Thing) -> None:
        """It has been loaded otherwise."""
        self._kept["thing"] = thing

    def forget(self) -> None:
        """What we have is not true any more."""
        self._kept.clear()
