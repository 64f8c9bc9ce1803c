"""Reads all assignable people, although Jira cuts its lists.

Atlassian's documents: Data Center gives a hundred at most and turns no pages; Cloud takes a page of all users, up to the
thousandth, and leaves out who cannot be assigned, so that a page may be short or empty while more follow.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from string import ascii_lowercase, digits
from typing import Final

from triage.domain.conversation import Json

PATH: Final = "user/assignable/search"

Ask = Callable[[Mapping[str, str | int]], Awaitable[list[Json]]]
"""One request for people of the project, with these parameters more."""

PAGE: Final = 1000
_FARTHEST: Final = 10_000
CUTS: Final = (100, PAGE)
"""A list as long as this is cut: before version 10 a Data Center gave a thousand."""
_BEGINNINGS: Final = ascii_lowercase + digits
_MOST_BEGINNINGS: Final = 400
_AT_ONCE: Final = 8
"""Our own limit of requests has others waiting, too."""


async def everybody(ask: Ask, *, cloud: bool) -> tuple[list[Json], bool]:
    """The users, some of them twice, and whether the list may be cut all the same."""
    return await (by_pages(ask) if cloud else _by_beginnings(ask))


async def by_pages(ask: Ask) -> tuple[list[Json], bool]:
    """Turned by what was asked for, not by what came; an empty page is the end."""
    found: list[Json] = []
    for start in range(0, _FARTHEST, PAGE):
        page = await ask({"startAt": start, "maxResults": PAGE})
        if not page:
            break
        found += page
    return found, False


async def _by_beginnings(ask: Ask) -> tuple[list[Json], bool]:
    """A full list is asked for again by how user names, names and addresses begin, letter by letter while it is full."""
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
