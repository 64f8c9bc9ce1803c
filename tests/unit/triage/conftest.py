"""A real database and the real adapter of a sandbox Jira, with a clock moved by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.database import migrated
from tests.servers.sandbox import RunningJira
from tests.unit.triage.effects.ticket_writes import tracker_of, writing_of
from triage.config.variables import variables
from triage.toolsets.tickets.effects import TicketWrites


@pytest.fixture
def clock() -> HeldClock:
    """Moved by hand."""
    return HeldClock()


@pytest.fixture
async def store(tmp_path: Path, clock: HeldClock) -> AsyncIterator[SqlStore]:
    """A fresh database."""
    opened = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock)
    yield opened
    await opened.close()


@pytest.fixture
async def cloud_tracker(cloud_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The real adapter."""
    made = tracker_of(cloud_jira)
    yield made
    await made.close()


@pytest.fixture
async def writing(store: SqlStore, cloud_tracker: JiraTracker, clock: HeldClock) -> TicketWrites:
    """That of the first mail."""
    return await writing_of(store, cloud_tracker, clock)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder and an environment without any variable of ours."""
    monkeypatch.chdir(tmp_path)
    for name in variables():
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
