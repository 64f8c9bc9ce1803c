"""Checks a SQLite file after an unclean end, in the background; a damaged file stops the process."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from triage.domain.ports import StoreHealth


async def beside_check(health: StoreHealth, work: Coroutine[Any, Any, None]) -> None:
    """The work, to its end. Raises `StoreDown` as soon as the file turns out to be damaged.

    Reading all of a large file takes minutes: no start waits for it, and no end.
    """
    working = asyncio.create_task(work)
    looking = asyncio.create_task(_look(health))
    try:
        await asyncio.wait({working, looking}, return_when=asyncio.FIRST_COMPLETED)
        if looking.done():
            looking.result()
        await working
    finally:
        for task in (working, looking):
            task.cancel()
        await asyncio.gather(working, looking, return_exceptions=True)


async def _look(health: StoreHealth) -> None:
    if health.unclean:
        await health.check()
