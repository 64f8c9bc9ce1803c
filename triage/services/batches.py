"""Fetches mails in batches bounded by count and bytes, one batch ahead of the one being stored."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from typing import TypeVar

from triage.domain.mailboxes import Listed

T = TypeVar("T")


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
