"""An empty store and a clock for the services of operations."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.database import migrated


@pytest.fixture
def clock() -> HeldClock:
    """The time stands until a test lets it pass."""
    return HeldClock()


@pytest.fixture
async def store(tmp_path: Path, clock: HeldClock) -> AsyncIterator[SqlStore]:
    """An empty store."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock)
    yield store
    await store.close()
