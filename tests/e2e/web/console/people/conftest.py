"""Fixtures of the tests of who gets in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.servers.web.door import Door, console_door


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """The console with Ada (admin), Bob (approver) and Eve (viewer)."""
    async with console_door(tmp_path) as door:
        yield door
