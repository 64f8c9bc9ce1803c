"""Fixtures of the API's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[ApiDoor]:
    """The API over an empty store."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}") as door:
        yield door
