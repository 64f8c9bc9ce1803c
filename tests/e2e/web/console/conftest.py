"""Fixtures of the console's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.servers.sandbox import RunningJira
from tests.servers.web.console import chrome, site
from tests.servers.web.desk import DeskDoor, desk_door

__all__ = ["chrome", "site"]


@pytest.fixture
async def desk(tmp_path: Path, cloud_jira: RunningJira) -> AsyncIterator[DeskDoor]:
    """The console with nothing in it."""
    async with desk_door(tmp_path, cloud_jira) as door:
        yield door
