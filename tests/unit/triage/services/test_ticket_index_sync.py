"""The index of tickets is filled from the newest down, and goes on where it was left."""

from collections.abc import AsyncIterator

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.servers.scripted_jira import Reply, ScriptedJira, page
from triage.domain.tickets import Coverage
from triage.services.ticket_index_sync import CHUNK, FIRST, TicketIndexSync

REFUSED = Reply(status=400, body={"errorMessages": ["An issue with key 'OPS-201' does not exist for field 'key'."]})


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    """An empty database."""
    opened = await open_store("sqlite:///:memory:", HeldClock())
    yield opened
    await opened.close()


@pytest.fixture
def ticket_index_sync(jira: ScriptedJira, tracker: JiraTracker, store: SqlStore) -> TicketIndexSync:
    """Of a project on Cloud, whose pages are as large as a test likes."""
    jira.on("POST search/jql", page(*range(700, 700 - CHUNK, -1)), page(*range(200, 0, -1)))
    return TicketIndexSync(tracker=tracker.view(), index=store.index, clock=HeldClock())


def asked(jira: ScriptedJira) -> list[str]:
    """The searches, without the project."""
    return [each.body["jql"].partition('OPS"')[2].strip() for each in jira.journal if each.path == "search/jql"]


async def test_a_fill_goes_on_where_it_was_left(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Chunk by chunk, each written down when it is kept; a whole history is not asked for again."""
    told: list[tuple[int, int]] = []
    await ticket_index_sync.read_history(1, lambda read, of: told.append((read, of)))
    half = await store.index.coverage("OPS")
    again = TicketIndexSync(tracker=ticket_index_sync.tracker, index=store.index, clock=HeldClock())
    await again.prepare()
    whole = await store.index.coverage("OPS")
    await again.prepare()

    assert half
    assert whole
    assert (half.lowest, half.complete, whole.complete) == (201, False, True)
    assert await store.index.size("OPS") == 700
    assert asked(jira) == ["ORDER BY key DESC", 'AND (key < "OPS-201") ORDER BY key DESC']
    assert told == [(500, 1)]


async def test_a_fill_outlives_the_ticket_that_it_came_to(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Jira refuses to compare with a ticket that is gone: the newest are read again, then the others."""
    await ticket_index_sync.read_history(1)
    jira.on("POST search/jql", REFUSED, page(*range(702, 702 - CHUNK, -1)), page(*range(202, 0, -1)))
    await ticket_index_sync.read_history(FIRST)

    assert await store.index.size("OPS") == 702
    assert asked(jira)[1:] == [
        'AND (key < "OPS-201") ORDER BY key DESC',
        "ORDER BY key DESC",
        'AND (key < "OPS-203") ORDER BY key DESC',
    ]


async def test_trouble_does_not_hold_the_work_up(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Whatever Jira says, work begins; the next look tries again."""
    jira.on("POST search/jql", REFUSED)
    await ticket_index_sync.prepare()
    jira.on("POST search/jql", Reply(status=401, body={}))
    await ticket_index_sync.prepare()

    assert await store.index.coverage("OPS") is None


async def test_after_a_long_silence_everything_is_read_again(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Where more has changed than one look brings, the history is read down from the newest."""
    clock = HeldClock()
    await store.index.cover("OPS", Coverage(lowest=1, as_of=clock.now()))
    jira.on("POST search/jql", page(*range(6000, 6000 - FIRST, -1)))
    await ticket_index_sync.sync(0)
    known = await store.index.coverage("OPS")

    assert known
    assert known.lowest == 6000
