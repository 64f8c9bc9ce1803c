"""The webhook's application, served: with a store in memory, and with a real one."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.database import migrated
from tests.e2e.webhooks import webhook_door
from tests.e2e.webhooks.webhook_door import BOTH, MORNING, Door, HandClock, MemoryStore
from triage_sandbox.server import Served


@pytest.fixture(scope="module")
def running_door() -> Iterator[Door]:
    """One server for all tests of this file; `door` cleans up before each."""
    door = Door("", HandClock(), MemoryStore())
    with Served(door.application(BOTH), lifespan="off") as served:
        door.url = served.url
        yield door


@pytest.fixture
def door(running_door: Door) -> Door:
    """Both providers, and an empty store in memory."""
    running_door.clock.time = MORNING
    running_door.store.mails, running_door.store.down = {}, False
    running_door.landmarks.clear()
    running_door.parts, running_door.nobody_can_tell = {"database": True}, False
    return running_door


@pytest.fixture
async def sql_door(tmp_path: Path) -> AsyncIterator[Door]:
    """Both providers, and the real store."""
    async with webhook_door.sql_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", BOTH) as door:
        yield door
