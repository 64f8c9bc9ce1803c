"""In which order every store gives jobs away, and when it wakes those that wait for another one."""

import asyncio
from dataclasses import replace

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.leased_case.fence import WRITES
from tests.contract.store.store_samples import (
    HeldClock,
    due,
    leased,
    mail,
    step,
)
from triage.domain.cases import Lease, Outcome
from triage.domain.mail import Received
from triage.domain.queueing.fair_order import Flow


class JobOrderContract:
    """Whose turn it is."""

    async def test_fair_order(self, store: SqlStore) -> None:
        """Mails of others, and of another mailbox, do not wait behind a storm; people go before programs, and each sender's mails keep their order."""

        def of(number: int, sender: str, source: str = "imap:a", *, automated: bool = False) -> Received:
            return replace(mail(number, source), flow=Flow(sender, automated=automated))

        storm = [await store.inbox.accept(of(number, "storm")) for number in range(6)]
        alert = await store.inbox.accept(of(6, "monitor", "imap:b", automated=True))
        late = await asyncio.gather(*(store.inbox.accept(of(7 + n, f"p{n}", f"imap:{'ab'[n]}")) for n in range(2)))
        taken = [(await leased(store)).case for _ in range(4)]
        again = await store.inbox.accept(of(9, "p0"))
        taken += [(await leased(store)).case for _ in range(6)]

        assert taken[0] == storm[0]
        assert set(taken[1:3]) == set(late)
        assert taken[3] == storm[1]
        assert taken.index(again) < taken.index(storm[4])
        assert [case for case in taken if case in storm] == storm
        assert taken[-1] == alert

    async def test_floor_is_what_waits(self, store: SqlStore, clock: HeldClock) -> None:
        """While all that waits is put off, who comes new does not overtake it for good: both are due then, and each has its turn."""
        first = await store.inbox.accept(replace(mail(1), flow=Flow("a")))
        await store.jobs.postpone(await leased(store), 30, "Jira is down")
        others = [await store.inbox.accept(replace(mail(2 + n), flow=Flow("b"))) for n in range(2)]
        await clock.sleep(30)

        assert [(await leased(store)).case for _ in range(3)] == [first, *others]

    async def test_old_place(self, store: SqlStore, clock: HeldClock) -> None:
        """Who had to wait a moment is taken before all that came later, however long those have been due."""
        first, *_ = [await store.inbox.accept(mail(number)) for number in range(3)]
        await store.jobs.postpone(await leased(store), 30, "later")
        await clock.sleep(30)

        assert first == (await leased(store)).case

    # --- one behind the other -----------------------------------------------------------------

    @pytest.mark.parametrize("how", ["finish", "bury", "read"])
    async def test_woken(self, store: SqlStore, clock: HeldClock, how: str) -> None:
        """A case behind another one is due as soon as that one is read or has ended, and others stay as they are."""
        front, last = [await _lease_of(store, await store.inbox.accept(mail(number))) for number in range(2)]
        other = await _lease_of(store, await store.inbox.accept(mail(2)))
        await store.jobs.postpone(last, 60, "", counted=False, behind=front.case)
        await store.jobs.postpone(other, 60, "Jira is down")
        assert await due(store, clock) == ()
        if how == "read":
            leased_case = store.jobs.open(front)
            await leased_case.cases.save(replace(await leased_case.cases.load(), done=("read",)), step("read"))
        else:
            await WRITES[how](store, store.jobs.open(front), front)

        assert (last.case,) == await due(store, clock)
        await clock.sleep(60)
        assert {last.case, other.case} <= set(await due(store, clock))

    async def test_behind_what_is_over(self, store: SqlStore, clock: HeldClock) -> None:
        """Where the one in front has ended in between, nobody is waited for."""
        front, last = [await _lease_of(store, await store.inbox.accept(mail(number))) for number in range(2)]
        await store.jobs.open(front).cases.finish()
        await store.jobs.postpone(last, 60, "", counted=False, behind=front.case)

        assert (last.case,) == await due(store, clock)

    @pytest.mark.parametrize("first", ["end", "wait"])
    async def test_behind_one_that_tells_later(self, store: SqlStore, clock: HeldClock, first: str) -> None:
        """A case that has its end and only waits to tell of others holds up nobody; one that waits without an end does."""
        ended, waiting, last, other = [
            await _lease_of(store, await store.inbox.accept(mail(number))) for number in range(4)
        ]
        leased_case = store.jobs.open(ended)
        await leased_case.cases.save((await leased_case.cases.load()).closed(Outcome.TICKETED, "so"), step())
        if first == "end":
            await store.jobs.postpone(ended, 600, "", counted=False)
            await store.jobs.postpone(waiting, 600, "Jira is down")
        await store.jobs.postpone(last, 60, "", counted=False, behind=ended.case)
        await store.jobs.postpone(other, 60, "", counted=False, behind=waiting.case)
        if first == "wait":
            assert await due(store, clock) == ()
            await store.jobs.postpone(ended, 600, "", counted=False)
            await store.jobs.postpone(waiting, 600, "Jira is down")

        assert (last.case,) == await due(store, clock)

    async def test_how_long_it_waits(self, store: SqlStore, clock: HeldClock) -> None:
        """One wait after the other is one wait; any other trouble, and a new decision, begin it anew."""
        one, two, last = [await _lease_of(store, await store.inbox.accept(mail(number))) for number in range(3)]
        since = clock.now()
        assert last.waiting_since is None
        for front in (one, two, one):
            await store.jobs.postpone(last, 5, "", counted=False, behind=front.case)
            await clock.sleep(5)
            last = await _lease_of(store, last.case)
            assert last.waiting_since == since
        await store.jobs.postpone(last, 0, "Jira is down")
        last = await _lease_of(store, last.case)
        assert last.waiting_since is None
        await store.jobs.postpone(last, 0, "", behind=one.case)
        last = await _lease_of(store, last.case)
        await store.jobs.open(last).cases.finish()

        assert (await store.jobs.claim(last.case, "console", 60)).waiting_since is None

    async def test_woken_once(self, store: SqlStore, clock: HeldClock) -> None:
        """Who has been taken again in between is not disturbed by the end of the one it waited for."""
        front, last = [await _lease_of(store, await store.inbox.accept(mail(number))) for number in range(2)]
        await store.jobs.postpone(last, 0, "", counted=False, behind=front.case)
        again = await _lease_of(store, last.case)
        await store.jobs.postpone(again, 60, "Jira is down")
        await store.jobs.open(front).cases.finish()

        assert await due(store, clock) == ()
        assert (await store.archive.report(last.case)).trouble == "Jira is down"


async def _lease_of(store: SqlStore, case: str) -> Lease:
    """The job of this case, which is due."""
    lease = await store.jobs.lease_case(case, "w", 60)
    assert lease is not None
    return lease
