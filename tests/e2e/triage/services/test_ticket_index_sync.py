"""The whole project is read at first, then what changed and what Jira announced, against both kinds of Jira."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.database import migrated
from tests.e2e.ticket_index import index_over, keys
from tests.servers.sandbox import RunningJira
from triage.services.ticket_index_sync import FIRST, TicketIndexSync


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """A fresh database."""
    opened = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    yield opened
    await opened.close()


@pytest.fixture
async def ticket_index_sync(any_jira: RunningJira, store: SqlStore) -> AsyncIterator[TicketIndexSync]:
    """Over either Jira, with a clock moved by hand."""
    tracker = any_jira.tracker()
    index = index_over(store)
    yield TicketIndexSync(tracker=tracker.view(), store=store.tickets, index=index, clock=HeldClock())
    await tracker.close()
    await index.close()


async def test_at_first_the_whole_project_is_remembered(ticket_index_sync: TicketIndexSync, store: SqlStore) -> None:
    """With summaries and descriptions; after that a look brings what has changed alone."""
    everything = await ticket_index_sync.read_history(FIRST)
    again = await ticket_index_sync.sync(0), await ticket_index_sync.read_history(FIRST)

    assert everything == await store.tickets.size("HARB") == 70
    assert "HARB-3" in await keys(store, "quote", "rounds", "weight")
    assert again < (everything, 1)


async def test_what_changed_is_seen_by_the_next_look(
    ticket_index_sync: TicketIndexSync, store: SqlStore, any_jira: RunningJira
) -> None:
    """Also what people change in Jira itself."""
    await ticket_index_sync.prepare()
    with any_jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    await ticket_index_sync.sync(0)

    assert await keys(store, "quetzal") == ["HARB-3"]


async def test_what_is_announced_is_asked_from_jira(
    ticket_index_sync: TicketIndexSync, store: SqlStore, any_jira: RunningJira
) -> None:
    """A changed ticket as it is now; one that is gone is forgotten; what never was makes no trouble."""
    await ticket_index_sync.prepare()
    with any_jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    any_jira.app.site.db.run("DELETE FROM issue WHERE number = 4")
    await store.tickets.mark_stale(["HARB-3", "HARB-4", "HARB-999"])

    assert await ticket_index_sync.announced() == 3
    assert await keys(store, "quetzal") == ["HARB-3"]
    assert await store.tickets.size("HARB") == 69
    assert await ticket_index_sync.announced() == 0
