"""Mails in portions, the next one on its way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.mailboxes import Listed
from triage.services.mailbox_sync import one_ahead, planned

SIZES = st.lists(st.integers(0, 2_000), max_size=60)


@given(sizes=SIZES, most=st.integers(1, 9), size=st.integers(1, 3_000))
def test_portions(sizes: list[int], most: int, size: int) -> None:
    """All mails in their order, never too many, and too large only where one mail is."""
    mails = [Listed(uid=uid, size=s, at=None) for uid, s in enumerate(sizes, 1)]
    portions = list(planned(mails, most, size))

    assert [mail for portion in portions for mail in portion] == mails
    assert all(1 <= len(portion) <= most for portion in portions)
    assert all(len(portion) == 1 or sum(m.size for m in portion) <= size for portion in portions)


async def numbers(begun: list[int], count: int = 4) -> AsyncIterator[int]:
    """Says which it has begun."""
    for number in range(count):
        begun.append(number)
        await asyncio.sleep(0)
        yield number


async def test_one_ahead() -> None:
    """The next item is begun while the last is looked at, and never more than that."""
    begun: list[int] = []
    seen = []
    async for number in one_ahead(numbers(begun)):
        await asyncio.sleep(0.01)
        seen.append((number, len(begun)))

    assert seen == [(0, 2), (1, 3), (2, 4), (3, 4)]


async def test_stopped() -> None:
    """Who stops half-way leaves nothing running."""
    begun: list[int] = []
    async with aclosing(one_ahead(numbers(begun))) as items:
        async for _ in items:
            break
    await asyncio.sleep(0.01)

    assert len(begun) <= 2
    assert len(asyncio.all_tasks()) == 1


async def test_trouble_arrives_in_its_place() -> None:
    """What goes wrong ahead is raised behind the items before it."""

    async def breaking() -> AsyncIterator[int]:
        yield 1
        raise ConnectionResetError

    items = one_ahead(breaking())

    assert await anext(items) == 1
    with pytest.raises(ConnectionResetError):
        await anext(items)
