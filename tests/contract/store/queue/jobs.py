"""What every store must do with jobs: leases, and how they end."""

import asyncio
import random
from collections import Counter
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.leased_case.fence import WRITES, save
from tests.contract.store.store_process import processes
from tests.contract.store.store_samples import (
    HeldClock,
    Marks,
    due,
    leased,
    mail,
    step,
)
from triage.domain.cases import Lease, Outcome
from triage.domain.errors import LeaseLost


class JobsContract:
    """Who may work on what."""

    async def test_lease_gives_the_first(self, store: SqlStore, clock: HeldClock, marks: Marks) -> None:
        """The first lease is of the mail that came first, its attempt counted."""
        first = await store.inbox.accept(mail(1))
        await clock.sleep(1)
        await store.inbox.accept(mail(2))

        lease = await store.jobs.lease("w", 60)

        until = clock.now() + timedelta(seconds=60)
        assert lease == Lease(job=1, case=first, epoch=1, attempts=1, until=until)
        assert marks.seen[-1] == "job.leased"
        assert ((await store.archive.report(first)).state, (await store.archive.report(first)).attempts) == (
            "working",
            1,
        )

    async def test_nothing_to_do(self, store: SqlStore, marks: Marks) -> None:
        """Without a due job there is no lease."""
        assert await store.jobs.lease("w", 60) is None
        assert marks.seen == []

    async def test_leased_once(self, store: SqlStore, clock: HeldClock) -> None:
        """A job is nobody else's until its lease has run out; then the next epoch begins and counts one more."""
        case = await store.inbox.accept(mail())
        await store.jobs.lease("one", 60)
        await clock.sleep(59)

        assert await store.jobs.lease("other", 60) is None
        assert await store.jobs.lease_case(case, "other", 60) is None
        await clock.sleep(1)
        lease = await store.jobs.lease("other", 60)
        assert lease is not None
        assert (case, 2, 2) == (lease.case, lease.epoch, lease.attempts)

    async def test_a_clock_that_is_set_back(self, store: SqlStore, clock: HeldClock) -> None:
        """What came in or was leased while the clock was days ahead is worked on at once when it is right again."""
        await clock.sleep(2 * 86_400)
        held, new = [await store.inbox.accept(mail(number)) for number in (1, 2)]
        await store.jobs.lease("killed", 60)
        await clock.sleep(-2 * 86_400)
        leases = [await store.jobs.lease("w", 60) for _ in range(3)]

        assert [lease and lease.case for lease in leases] == [held, new, None]

    async def test_what_is_put_off_for_an_hour_stays_so(self, store: SqlStore, clock: HeldClock) -> None:
        """A job that was tried and has to wait is due at its time, also after a clock was set back by a minute."""
        await store.inbox.accept(mail())
        await store.jobs.postpone(await leased(store), 3600, "Jira asks for patience")
        await clock.sleep(-60)

        assert await store.jobs.lease("w", 60) is None
        await clock.sleep(3660)
        assert await store.jobs.lease("w", 60) is not None

    async def test_renewed_lease(self, store: SqlStore, clock: HeldClock) -> None:
        """A renewed lease holds so much longer from then on."""
        await store.inbox.accept(mail())
        leased_case = store.jobs.open(await leased(store))
        await clock.sleep(50)
        await leased_case.cases.renew(60)
        await clock.sleep(59)

        assert await store.jobs.lease("other", 60) is None
        assert (leased_case.lease.until - clock.now()).total_seconds() == 1
        await clock.sleep(1)
        assert await store.jobs.lease("other", 60)

    async def test_lease_one_case(self, store: SqlStore) -> None:
        """A worker that was rung for a case gets that one."""
        await store.inbox.accept(mail(1))
        second = await store.inbox.accept(mail(2))

        lease = await store.jobs.lease_case(second, "w", 60)

        assert lease is not None
        assert second == lease.case
        assert await store.jobs.lease_case(second, "other", 60) is None

    async def test_many_tasks(self, store: SqlStore) -> None:
        """Twenty workers share sixty jobs, none of them twice."""
        accepted = await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(60)))
        leased_by: list[str] = []

        async def work(name: str) -> None:
            while lease := await store.jobs.lease(name, 60):
                leased_by.append(lease.case)

        await asyncio.gather(*(work(f"w{number}") for number in range(20)))

        assert sorted(accepted) == sorted(leased_by)

    async def test_workers_write_at_once(self, store: SqlStore, second_store: SqlStore) -> None:
        """Workers of two processes write about their cases at the same time, and none is turned away."""
        books = []
        for number in range(8):
            await store.inbox.accept(mail(number))
            books.append((store, second_store)[number % 2].jobs.open(await leased(store)))

        await asyncio.gather(*(leased_case.cases.event("seen", n=n) for n in range(20) for leased_case in books))

        assert [len((await store.archive.report(leased_case.lease.case)).events) for leased_case in books] == [20] * 8

    async def test_finish(self, store: SqlStore, clock: HeldClock) -> None:
        """A finished job is never due again, and its case shows its outcome."""
        case = await store.inbox.accept(mail())
        lease = await leased(store)
        await save(store.jobs.open(lease))
        await store.jobs.open(lease).cases.finish()
        await clock.sleep(3600)

        assert await store.jobs.lease("w", 60) is None
        assert ((await store.archive.report(case)).state, (await store.archive.report(case)).trouble) == (
            "ticketed",
            "",
        )

    async def test_postpone(self, store: SqlStore, clock: HeldClock) -> None:
        """A postponed job waits, says why, and comes back with the next attempt."""
        case = await store.inbox.accept(mail())
        await store.jobs.postpone(await leased(store), 30, "Jira is down")

        report = await store.archive.report(case)
        assert (report.state, report.trouble, report.attempts) == ("retrying", "Jira is down", 1)
        assert await store.jobs.lease("w", 60) is None
        assert await store.jobs.lease_case(case, "w", 60) is None
        await clock.sleep(30)
        assert (await leased(store)).attempts == 2

    async def test_postpone_uncounted(self, store: SqlStore, clock: HeldClock) -> None:
        """Waiting is no failure: the attempt is given back."""
        case = await store.inbox.accept(mail())
        await store.jobs.postpone(await leased(store), 30, "waits for case-0", counted=False)

        assert ((await store.archive.report(case)).state, (await store.archive.report(case)).attempts) == (
            "retrying",
            0,
        )
        await clock.sleep(30)
        assert (await leased(store)).attempts == 1

    async def test_trouble_ends(self, store: SqlStore, clock: HeldClock) -> None:
        """What made a case wait is forgotten once it is finished."""
        case = await store.inbox.accept(mail())
        await store.jobs.postpone(await leased(store), 1, "Jira is down")
        await clock.sleep(1)
        await store.jobs.open(await leased(store)).cases.finish()

        assert (await store.archive.report(case)).trouble == ""

    async def test_bury(self, store: SqlStore, clock: HeldClock) -> None:
        """A buried job is no worker's, and says why."""
        case = await store.inbox.accept(mail())
        await store.jobs.dead_letter(await leased(store), "eight attempts")
        await clock.sleep(3600)

        assert await store.jobs.lease("w", 60) is None
        assert await store.jobs.lease_case(case, "w", 60) is None
        assert ((await store.archive.report(case)).state, (await store.archive.report(case)).trouble) == (
            "dead",
            "eight attempts",
        )

    @pytest.mark.parametrize("end", ["finish", "bury"])
    async def test_claim(self, store: SqlStore, end: str) -> None:
        """What is finished or buried can be taken up again, under a new epoch and with a new count."""
        case = await store.inbox.accept(mail())
        old = await leased(store)
        await WRITES[end](store, store.jobs.open(old), old)

        lease = await store.jobs.claim(case, "console", 60)

        assert (case, 2, 1) == (lease.case, lease.epoch, lease.attempts)
        await store.jobs.open(lease).cases.event("replayed")
        with pytest.raises(LeaseLost):
            await store.jobs.claim(case, "other", 60)
        with pytest.raises(LeaseLost):
            await store.jobs.open(old).cases.event("late")

    async def test_claim_what_waits(self, store: SqlStore, clock: HeldClock) -> None:
        """Also what is not due yet, or whose worker has fallen silent, and then the attempts go on counting."""
        case = await store.inbox.accept(mail())
        await store.jobs.postpone(await leased(store), 3600, "Jira is down")

        assert (await store.jobs.claim(case, "console", 60)).attempts == 2
        await clock.sleep(60)
        assert (await store.jobs.claim(case, "console", 60)).attempts == 3

    async def test_due(self, store: SqlStore, clock: HeldClock) -> None:
        """Due is what may be taken now, in the order it came: new ones, retries, and what a dead worker held."""
        a, b, c, d = [await store.inbox.accept(mail(number)) for number in range(4)]
        await store.jobs.lease_case(a, "dies", 60)
        later = await store.jobs.lease_case(b, "w", 60)
        assert later
        await store.jobs.postpone(later, 30, "later")
        done = await store.jobs.lease_case(c, "w", 60)
        assert done
        await store.jobs.open(done).cases.finish()

        assert (d,) == await due(store, clock)
        await clock.sleep(30)
        assert (b, d) == await due(store, clock)
        await clock.sleep(30)
        assert (a, b, d) == await due(store, clock)

    async def test_next_due(self, store: SqlStore, clock: HeldClock) -> None:
        """The sleep of a worker ends when the next job is due."""
        assert await store.jobs.next_due() is None
        await store.inbox.accept(mail())
        assert await store.jobs.next_due() == 0
        lease = await leased(store)
        assert await store.jobs.next_due() == 60
        await store.jobs.postpone(lease, 5, "later")
        await clock.sleep(2)
        assert await store.jobs.next_due() == 3
        await clock.sleep(10)
        assert await store.jobs.next_due() == 0
        await store.jobs.open(await leased(store)).cases.finish()
        assert await store.jobs.next_due() is None

    async def test_states_sum_up(self, store: SqlStore, clock: HeldClock) -> None:
        """Whatever happens in whatever order, each accepted mail is counted in exactly one state."""
        chance = random.Random(7)
        accepted, seen = 0, set[str]()
        for number in range(120):
            if number < 60:
                await store.inbox.accept(mail(number))
                accepted += 1
            await self._happens(store, chance)
            await clock.sleep(chance.choice([0, 10, 70]))
            counts = await store.archive.counts()
            assert accepted == sum(counts.values())
            seen |= counts.keys()

        lines = await store.archive.cases(limit=1000)
        assert Counter(line.state for line in lines) == await store.archive.counts()
        assert seen == {"ready", "working", "retrying", "dead", "ticketed", "ignored"}

    async def _happens(self, store: SqlStore, chance: random.Random) -> None:
        """Something that may become of a job."""
        lease = await store.jobs.lease("w", 60)
        if lease is None:
            return
        leased_case = store.jobs.open(lease)
        end = chance.randrange(6)
        if end in {0, 1}:
            outcome = [Outcome.TICKETED, Outcome.IGNORED][end]
            await leased_case.cases.save((await leased_case.cases.load()).closed(outcome, "so"), step())
            await store.jobs.open(lease).cases.finish()
        elif end in {2, 3}:
            await store.jobs.postpone(lease, 5, "later", counted=end == 2)
        elif end == 4:
            await store.jobs.dead_letter(lease, "dead")

    async def test_two_processes(self, store: SqlStore, url: str) -> None:
        """Two processes of four workers each never get the same job."""
        await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(150)))

        leased_by: dict[bytes, list[bytes]] = {b"one": [], b"other": []}
        async with processes("drain", url, "one", "other") as said:
            async for name, what in ((line.split()[:2]) async for line in said):
                leased_by[name].append(what)

        one, other = leased_by[b"one"][1:], leased_by[b"other"][1:]
        assert sorted(b"case-%d" % number for number in range(1, 151)) == sorted([*one, *other])
        assert one
        assert other
