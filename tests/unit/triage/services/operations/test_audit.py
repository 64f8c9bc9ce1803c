"""The audit over a real store."""

from dataclasses import replace
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, HeldClock, approval, opened
from tests.unit.triage.services.operations.journal import answered
from triage.domain.approvals import ApprovalState
from triage.domain.operations.audit import AuditFilter
from triage.services.operations.audit import AuditService, EventFeed


async def test_sums_are_over_all_and_rows_the_newest(store: SqlStore) -> None:
    """A limit cuts the lists, never the sums."""
    service = AuditService(log=store.audit, done=store.deeds)
    await answered(store, 1, [0.5, 0.25, None])
    await answered(store, 2, [0.25], "pharmacy")
    found = await service.report(AuditFilter(), 1)

    assert [(s.profile, s.calls, s.cost_usd, s.unpriced) for s in found.spending] == [
        ("jira", 3, 0.75, 1),
        ("pharmacy", 1, 0.25, 0),
    ]
    assert (len(found.runs), len(found.calls)) == (1, 1)


async def test_filters(store: SqlStore) -> None:
    """By case, by profile, by time."""
    service, later = AuditService(log=store.audit, done=store.deeds), MORNING + timedelta(seconds=1)
    first = await answered(store, 1, [0.5])
    await answered(store, 2, [0.25], "pharmacy")

    for where in (AuditFilter(case=first), AuditFilter(profile="jira")):
        found = await service.report(where, 10)
        assert ([one.case for one in found.runs], [one.case for one in found.calls]) == ([first], [first]), where
    assert (await service.report(AuditFilter(since=later), 10)).runs == ()
    assert len((await service.report(AuditFilter(until=later), 10)).runs) == 2


async def test_deeds_without_words(store: SqlStore) -> None:
    """Who may not read words learns that somebody decided, about which ticket, and not what was written."""
    service, leased = AuditService(log=store.audit, done=store.deeds), await opened(store, 1)
    parked = await leased.approvals.park(approval("case-1"))
    await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")
    seen, blind = [(await service.report(AuditFilter(), 9, words=words)).deeds[0] for words in (True, False)]

    assert seen.detail
    assert blind == replace(seen, detail="")


async def test_events_without_words(store: SqlStore) -> None:
    """What a step read and found quotes the mail: who may not read words gets the plain facts of the event alone."""
    service, leased = AuditService(log=store.audit, done=store.deeds), await opened(store, 1)
    await leased.cases.event("step.trace", step="classify", ms=1.5, input={}, output={"cues": ["asap"]}, seen=["asap"])
    asked = [(await service.report(AuditFilter(), 9, words=words)).events for words in (True, False)]

    assert [one.facts.get("output") for (one,) in asked] == [{"cues": ["asap"]}, None]
    assert asked[1][0].facts == {"step": "classify", "ms": 1.5}


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
