"""Reads all assignable people, although Jira truncates its lists.

Atlassian's documentation: Data Center returns a hundred at most and has no paging; Cloud takes a page of all users, up to
the thousandth, and drops those who cannot be assigned, so that a page may be short or empty while more follow.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from string import ascii_lowercase, digits
from typing import Final

from triage.domain.conversation import Json

PATH: Final = "user/assignable/search"

Ask = Callable[[Mapping[str, str | int]], Awaitable[list[Json]]]
"""Sends one request for people of the project, with these additional parameters."""

PAGE: Final = 1000
_FARTHEST: Final = 10_000
CUTS: Final = (100, PAGE)
"""Lengths of a truncated list: Data Center before version 10 returned a thousand."""
_BEGINNINGS: Final = ascii_lowercase + digits
_MOST_BEGINNINGS: Final = 400
_AT_ONCE: Final = 8
"""Concurrent requests: others share our rate limit."""


async def everybody(ask: Ask, *, cloud: bool) -> tuple[list[Json], bool]:
    """Return the users, with duplicates, and whether some may still be missing."""
    return await (by_pages(ask) if cloud else _by_beginnings(ask))


async def by_pages(ask: Ask) -> tuple[list[Json], bool]:
    """Read pages by requested size, since pages may be short; stop at an empty one."""
    found: list[Json] = []
    for start in range(0, _FARTHEST, PAGE):
        page = await ask({"startAt": start, "maxResults": PAGE})
        if not page:
            break
        found += page
    return found, False


async def _by_beginnings(ask: Ask) -> tuple[list[Json], bool]:
    """If the list is truncated, ask again for each first letter of names, and go on to longer prefixes if needed."""
    first = await ask({"maxResults": PAGE})
    if len(first) not in CUTS:
        return first, False
    found, asked, turns = list(first), 0, asyncio.Semaphore(_AT_ONCE)

    async def beginning(start: str) -> list[Json]:
        async with turns:
            return await ask({"maxResults": PAGE, "username": start})

    beginnings = list(_BEGINNINGS)
    while beginnings and asked < _MOST_BEGINNINGS:
        asked += len(beginnings)
        lists = await asyncio.gather(*map(beginning, beginnings))
        found += [user for users in lists for user in users]
        full = [start for start, users in zip(beginnings, lists, strict=True) if len(users) in CUTS]
        beginnings = [start + letter for start in full for letter in _BEGINNINGS]
    return found, bool(beginnings)
