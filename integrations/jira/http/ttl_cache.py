"""A cache for one value, with a time to live and one load at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from cachetools import TTLCache

_SECONDS: Final = 300.0

_Thing = TypeVar("_Thing")


class TtlCache(Generic[_Thing]):
    """One value, kept for `seconds`; concurrent callers wait for the same load."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._kept: TTLCache[str, _Thing] = TTLCache(maxsize=1, ttl=seconds)
        self._loading = asyncio.Lock()

    async def get(self, load: Callable[[], Awaitable[_Thing]]) -> _Thing:
        """Return the kept value, else load it."""
        async with self._loading:
            thing = self._kept.get("thing")
            if thing is None:
                thing = self._kept["thing"] = await load()
            return thing

    @property
    def now(self) -> _Thing | None:
        """The kept value; None if there is none."""
        return self._kept.get("thing")

    def put(self, thing: _Thing) -> None:
        """Keep a value that was loaded elsewhere."""
        self._kept["thing"] = thing

    def forget(self) -> None:
        """Drop the kept value."""
        self._kept.clear()
