"""The log of what was kept: one line for one moment, and every case in it."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from loguru import logger

from webhooks.acceptance_log import LONGEST, AcceptanceLog


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """The fields of each line."""
    said: list[dict[str, Any]] = []
    sink = logger.add(lambda message: said.append(dict(message.record["extra"])), level="INFO", format="{message}")
    yield said
    logger.remove(sink)


async def test_a_lone_mail(lines: list[dict[str, Any]]) -> None:
    """It has a line of its own, at once."""
    log = AcceptanceLog()
    log.add("mime", ["case-1"], 100)
    await asyncio.sleep(0)
    log.add("mime", ["case-2"], 50)
    await asyncio.sleep(0)

    assert lines == [
        {"provider": "mime", "cases": ["case-1"], "bytes": 100},
        {"provider": "mime", "cases": ["case-2"], "bytes": 50},
    ]


async def test_of_the_same_moment(lines: list[dict[str, Any]]) -> None:
    """Mails that are kept together are logged together, each provider's apart."""
    log = AcceptanceLog()
    log.add("mime", ["case-1"], 100)
    log.add("mandrill", ["case-2", "case-3"], 70)
    log.add("mime", ["case-4"], 10)
    await asyncio.sleep(0)

    assert lines == [
        {"provider": "mime", "cases": ["case-1", "case-4"], "bytes": 110},
        {"provider": "mandrill", "cases": ["case-2", "case-3"], "bytes": 70},
    ]


async def test_more_than_a_line_shows(lines: list[dict[str, Any]]) -> None:
    """No line is so long that the log would cut cases off."""
    log = AcceptanceLog()
    for number in range(LONGEST + 1):
        log.add("mime", [f"case-{number}"], 1)
    await asyncio.sleep(0)

    assert [len(line["cases"]) for line in lines] == [LONGEST, 1]
    assert sum(line["bytes"] for line in lines) == LONGEST + 1
