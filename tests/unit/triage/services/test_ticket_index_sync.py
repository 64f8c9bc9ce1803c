"""The stored tickets are read from the newest down, go on where they were left, and are compared again after a pause."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.servers.scripted_jira import Reply, ScriptedJira, issue_of, page
from triage.domain.retrieval import Coverage, IndexHealth
from triage.policy.ticket.index_entry import VERSION, entry_of
from triage.services.ticket_index_sync import CHANGED, CHUNK, FIRST, TicketIndexSync

REFUSED = Reply(status=400, body={"errorMessages": ["An issue with key 'OPS-201' does not exist for field 'key'."]})


@pytest.fixture
async def store(clock: HeldClock) -> AsyncIterator[SqlStore]:
    """An empty database."""
    opened = await open_store("sqlite:///:memory:", clock)
    yield opened
    await opened.close()


@pytest.fixture
async def index(store: SqlStore) -> AsyncIterator[TantivyIndex]:
    """In a temporary folder."""
    made = TantivyIndex(store.tickets, entry_of, VERSION, None)
    yield made
    await made.close()


@pytest.fixture
def ticket_index_sync(
    jira: ScriptedJira, tracker: JiraTracker, store: SqlStore, index: TantivyIndex, clock: HeldClock
) -> TicketIndexSync:
    """Of a project on Cloud, whose pages are as large as a test likes."""
    jira.on("POST search/jql", page(*range(700, 700 - CHUNK, -1)), page(*range(200, 0, -1)))
    return TicketIndexSync(tracker=tracker.view(), store=store.tickets, index=index, clock=clock)


def asked(jira: ScriptedJira) -> list[str]:
    """The searches, without the project."""
    return [each.body["jql"].partition('OPS"')[2].strip() for each in jira.journal if each.path == "search/jql"]


async def test_a_fill_goes_on_where_it_was_left(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Chunk by chunk, each written down when it is kept; a whole history is not asked for again."""
    told: list[tuple[int, int]] = []
    await ticket_index_sync.read_history(1, lambda read, of: told.append((read, of)))
    half = await store.tickets.coverage("OPS")
    again = replace(ticket_index_sync)
    await again.prepare()
    whole = await store.tickets.coverage("OPS")
    await again.prepare()

    assert half
    assert whole
    assert (half.lowest, half.complete, whole.complete) == (201, False, True)
    assert await store.tickets.size("OPS") == 700
    assert asked(jira) == ["ORDER BY key DESC", 'AND (key < "OPS-201") ORDER BY key DESC']
    assert told == [(500, 1)]


async def test_a_fill_outlives_the_ticket_that_it_came_to(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Jira refuses to compare with a ticket that is gone: the newest are read again, then the others."""
    await ticket_index_sync.read_history(1)
    jira.on("POST search/jql", REFUSED, page(*range(702, 702 - CHUNK, -1)), page(*range(202, 0, -1)))
    await ticket_index_sync.read_history(FIRST)

    assert await store.tickets.size("OPS") == 702
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

    assert await store.tickets.coverage("OPS") is None


NOW = HeldClock().now()
WHOLE = Coverage(lowest=1, as_of=NOW, reconciled=NOW)


async def test_a_clock_that_is_set_back(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync, clock: HeldClock
) -> None:
    """A query of tomorrow does not stop the syncs until then: changes are read now, and the history again; seconds are no matter."""
    await store.tickets.cover("OPS", WHOLE)
    jira.on("POST search/jql", page(700))
    await clock.sleep(-20)
    nothing = await ticket_index_sync.sync(300)
    await clock.sleep(-86_400)
    read = await ticket_index_sync.sync(300)
    known = await store.tickets.coverage("OPS")

    assert (nothing, read) == (0, 1)
    assert known
    assert (known.as_of, known.checked) == (clock.now(), 0)


async def test_many_changes_have_the_history_read_again(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync
) -> None:
    """Where more has changed than one query brings; what is known stays known meanwhile."""
    await store.tickets.cover("OPS", WHOLE)
    jira.on("POST search/jql", page(*range(6000, 6000 - CHANGED, -1)))
    await ticket_index_sync.sync(0)
    known = await store.tickets.coverage("OPS")

    assert known
    assert (known.complete, known.checked) == (True, 0)


@pytest.mark.parametrize(
    ("away", "read"), [(timedelta(hours=23), None), (timedelta(hours=25), 0), (timedelta(minutes=5), None)]
)
async def test_after_a_day_down_the_history_is_read_again(
    jira: ScriptedJira,
    store: SqlStore,
    ticket_index_sync: TicketIndexSync,
    clock: HeldClock,
    away: timedelta,
    read: int | None,
) -> None:
    """Not after a shorter time, whose changes a query tells."""
    await store.tickets.cover("OPS", WHOLE)
    clock.time += away
    jira.on("POST search/jql", page(7))
    await ticket_index_sync.sync(0)
    known = await store.tickets.coverage("OPS")

    assert known
    assert (known.checked, known.as_of) == (read, clock.now())


async def test_every_week_the_history_is_read_again(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync, clock: HeldClock
) -> None:
    """Even if it was never down: without a webhook nobody tells of deleted tickets."""
    clock.time += timedelta(days=8)
    await store.tickets.cover("OPS", replace(WHOLE, as_of=clock.now()))
    jira.on("POST search/jql", page(7))
    await ticket_index_sync.sync(0)
    known = await store.tickets.coverage("OPS")

    assert known
    assert known.checked == 0


async def test_what_jira_lacks_is_looked_at_and_forgotten(
    jira: ScriptedJira, store: SqlStore, ticket_index_sync: TicketIndexSync, index: TantivyIndex
) -> None:
    """Deleted, or moved to another project; a ticket that only the search lacks is kept."""
    await ticket_index_sync.read_history(FIRST)
    gone, hidden = "OPS-150", "OPS-650"
    jira.on("POST search/jql", page(701))
    await ticket_index_sync.sync(0)
    jira.on(
        "POST search/jql",
        page(700),
        page(700),
        page(*(n for n in range(700, 199, -1) if n != 650)),
        page(*(n for n in range(200, 0, -1) if n != 150)),
    )
    jira.on(f"GET issue/{hidden}", Reply(body=issue_of(650)))
    await ticket_index_sync.catch_up(full=True)
    known = await store.tickets.coverage("OPS")

    assert set(await store.tickets.between("OPS", 1, 1000)) == {f"OPS-{n}" for n in range(1, 701)} - {gone}
    assert known
    assert (known.checked, known.complete) == (None, True)
    assert (await index.state("OPS")).tickets == 699


async def test_a_service_reads_on_while_it_works(
    store: SqlStore, ticket_index_sync: TicketIndexSync, index: TantivyIndex
) -> None:
    """The first tickets before work starts; the rest, and the index, beside it."""
    await ticket_index_sync.prepare()
    before = await index.state("OPS")
    both = [asyncio.create_task(work()) for work in (ticket_index_sync.run, ticket_index_sync.follow)]
    while (await index.state("OPS")).tickets < 700:
        await asyncio.sleep(0.01)
    for running in both:
        running.cancel()
    await asyncio.gather(*both, return_exceptions=True)

    assert before.health is IndexHealth.BUILDING
    assert (await index.state("OPS")).health is IndexHealth.READY
    assert (await index.state("OPS")).tickets == await store.tickets.size("OPS") == 700
