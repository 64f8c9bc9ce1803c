"""The feed of events over a real store."""

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, opened
from triage.services.operations.events import EventFeed


async def test_events_are_told_once_they_are_settled(store: SqlStore, clock: HeldClock) -> None:
    """A fresh event waits two seconds, so that none with a lower number can become visible after it was told."""
    feed, leased = EventFeed(log=store.audit, clock=clock), await opened(store)
    begin = await feed.newest()
    await leased.cases.event("seen", n=1)
    fresh = await feed.after(begin)
    await clock.sleep(2.1)
    told = await feed.after(begin)

    assert fresh == ()
    assert [(one.name, one.facts) for one in told] == [("seen", {"n": 1})]
    assert await feed.after(told[0].id) == ()
