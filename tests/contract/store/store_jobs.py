"""What every store must do with jobs: leases, their end, and their order."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.sql.book import SqlBook
from integrations.sql.store import SqlStore
from tests.contract.store.store_process import processes
from tests.contract.store.store_samples import (
    OPENING,
    RESULT,
    TURN,
    HeldClock,
    Marks,
    approval,
    effect,
    full,
    mail,
    step,
)
from triage.domain.cases import Lease, Outcome
from triage.domain.errors import LeaseLost

Write = Callable[[SqlStore, SqlBook, Lease], Awaitable[object]]

BOOK_WRITES: dict[str, Write] = {
    "save": lambda _s, b, le: _save(b),
    "renew": lambda _s, b, le: b.renew(60),
    "keep_opening": lambda _s, b, le: b.keep_opening(1, "jira", OPENING),
    "keep_turn": lambda _s, b, le: b.keep_turn(1, 1, TURN, 5.0),
    "keep_result": lambda _s, b, le: b.keep_result(1, "call-1", "tool", "{}", "[]"),
    "keep_run": lambda _s, b, le: b.keep_run(1, RESULT),
    "intend": lambda _s, b, le: b.intend(effect(le.case)),
    "settle": lambda _s, b, le: b.settle(effect(le.case)),
    "saw": lambda _s, b, le: b.saw("OPS", 42),
    "park": lambda _s, b, le: b.park(approval(le.case)),
    "link": lambda _s, b, le: b.link(["1@example.com"], "hash", "OPS-1"),
    "link nothing": lambda _s, b, le: b.link([], "hash", None),
    "event": lambda _s, b, le: b.event("seen", n=1),
}
STORE_WRITES: dict[str, Write] = {
    "finish": lambda s, _b, le: s.finish(le),
    "postpone": lambda s, _b, le: s.postpone(le, 5, "later"),
    "bury": lambda s, _b, le: s.bury(le, "dead"),
}
WRITES = BOOK_WRITES | STORE_WRITES


async def _save(book: SqlBook) -> None:
    await book.save(full(await book.load()), step())


class JobsContract:
    """Who may work on what."""

    async def test_lease_gives_the_first(self, store: SqlStore, clock: HeldClock, marks: Marks) -> None:
        """The first lease is of the mail that came first, its attempt counted."""
        first = await store.accept(mail(1))
        await clock.sleep(1)
        await store.accept(mail(2))

        lease = await store.lease("w", 60)

        until = clock.now() + timedelta(seconds=60)
        assert lease == Lease(job=1, case=first, epoch=1, attempts=1, until=until)
        assert marks.seen[-1] == "job.leased"
        assert ((await store.report(first)).state, (await store.report(first)).attempts) == ("working", 1)

    async def test_nothing_to_do(self, store: SqlStore, marks: Marks) -> None:
        """Without a due job there is no lease."""
        assert await store.lease("w", 60) is None
        assert marks.seen == []

    async def test_leased_once(self, store: SqlStore, clock: HeldClock) -> None:
        """A job is nobody else's until its lease has run out; then the next epoch begins and counts one more."""
        case = await store.accept(mail())
        await store.lease("one", 60)
        await clock.sleep(59)

        assert await store.lease("other", 60) is None
        assert await store.lease_case(case, "other", 60) is None
        await clock.sleep(1)
        lease = await store.lease("other", 60)
        assert lease is not None
        assert (case, 2, 2) == (lease.case, lease.epoch, lease.attempts)

    async def test_renewed_lease(self, store: SqlStore, clock: HeldClock) -> None:
        """A renewed lease holds so much longer from then on."""
        await store.accept(mail())
        book = store.book(await leased(store))
        await clock.sleep(50)
        await book.renew(60)
        await clock.sleep(59)

        assert await store.lease("other", 60) is None
        assert (book.lease.until - clock.now()).total_seconds() == 1
        await clock.sleep(1)
        assert await store.lease("other", 60)

    async def test_lease_one_case(self, store: SqlStore) -> None:
        """A worker that was rung for a case gets that one."""
        await store.accept(mail(1))
        second = await store.accept(mail(2))

        lease = await store.lease_case(second, "w", 60)

        assert lease is not None
        assert second == lease.case
        assert await store.lease_case(second, "other", 60) is None

    async def test_many_tasks(self, store: SqlStore) -> None:
        """Twenty workers share sixty jobs, none of them twice."""
        accepted = await asyncio.gather(*(store.accept(mail(number)) for number in range(60)))
        leased_by: list[str] = []

        async def work(name: str) -> None:
            while lease := await store.lease(name, 60):
                leased_by.append(lease.case)

        await asyncio.gather(*(work(f"w{number}") for number in range(20)))

        assert sorted(accepted) == sorted(leased_by)

    async def test_workers_write_at_once(self, store: SqlStore, second_store: SqlStore) -> None:
        """Workers of two processes write about their cases at the same time, and none is turned away."""
        books = []
        for number in range(8):
            await store.accept(mail(number))
            books.append((store, second_store)[number % 2].book(await leased(store)))

        await asyncio.gather(*(book.event("seen", n=n) for n in range(20) for book in books))

        assert [len((await store.report(book.lease.case)).events) for book in books] == [20] * 8

    async def test_finish(self, store: SqlStore, clock: HeldClock) -> None:
        """A finished job is never due again, and its case shows its outcome."""
        case = await store.accept(mail())
        lease = await leased(store)
        await _save(store.book(lease))
        await store.finish(lease)
        await clock.sleep(3600)

        assert await store.lease("w", 60) is None
        assert ((await store.report(case)).state, (await store.report(case)).trouble) == ("ticketed", "")

    async def test_postpone(self, store: SqlStore, clock: HeldClock) -> None:
        """A postponed job waits, says why, and comes back with the next attempt."""
        case = await store.accept(mail())
        await store.postpone(await leased(store), 30, "Jira is down")

        report = await store.report(case)
        assert (report.state, report.trouble, report.attempts) == ("retrying", "Jira is down", 1)
        assert await store.lease("w", 60) is None
        assert await store.lease_case(case, "w", 60) is None
        await clock.sleep(30)
        assert (await leased(store)).attempts == 2

    async def test_postpone_uncounted(self, store: SqlStore, clock: HeldClock) -> None:
        """Waiting is no failure: the attempt is given back."""
        case = await store.accept(mail())
        await store.postpone(await leased(store), 30, "waits for case-0", counted=False)

        assert ((await store.report(case)).state, (await store.report(case)).attempts) == ("retrying", 0)
        await clock.sleep(30)
        assert (await leased(store)).attempts == 1

    async def test_trouble_ends(self, store: SqlStore, clock: HeldClock) -> None:
        """What made a case wait is forgotten once it is finished."""
        case = await store.accept(mail())
        await store.postpone(await leased(store), 1, "Jira is down")
        await clock.sleep(1)
        await store.finish(await leased(store))

        assert (await store.report(case)).trouble == ""

    async def test_bury(self, store: SqlStore, clock: HeldClock) -> None:
        """A buried job is no worker's, and says why."""
        case = await store.accept(mail())
        await store.bury(await leased(store), "eight attempts")
        await clock.sleep(3600)

        assert await store.lease("w", 60) is None
        assert await store.lease_case(case, "w", 60) is None
        assert ((await store.report(case)).state, (await store.report(case)).trouble) == ("dead", "eight attempts")

    @pytest.mark.parametrize("end", ["finish", "bury"])
    async def test_claim(self, store: SqlStore, end: str) -> None:
        """What is finished or buried can be taken up again, under a new epoch and with a new count."""
        case = await store.accept(mail())
        old = await leased(store)
        await WRITES[end](store, store.book(old), old)

        lease = await store.claim(case, "console", 60)

        assert (case, 2, 1) == (lease.case, lease.epoch, lease.attempts)
        await store.book(lease).event("replayed")
        with pytest.raises(LeaseLost):
            await store.claim(case, "other", 60)
        with pytest.raises(LeaseLost):
            await store.book(old).event("late")

    async def test_claim_what_waits(self, store: SqlStore, clock: HeldClock) -> None:
        """Also what is not due yet, or whose worker has fallen silent, and then the attempts go on counting."""
        case = await store.accept(mail())
        await store.postpone(await leased(store), 3600, "Jira is down")

        assert (await store.claim(case, "console", 60)).attempts == 2
        await clock.sleep(60)
        assert (await store.claim(case, "console", 60)).attempts == 3

    async def test_due(self, store: SqlStore, clock: HeldClock) -> None:
        """Due is what may be taken now, in the order it came: new ones, retries, and what a dead worker held."""
        a, b, c, d = [await store.accept(mail(number)) for number in range(4)]
        await store.lease_case(a, "dies", 60)
        later = await store.lease_case(b, "w", 60)
        assert later
        await store.postpone(later, 30, "later")
        done = await store.lease_case(c, "w", 60)
        assert done
        await store.finish(done)

        assert (d,) == await store.due()
        await clock.sleep(30)
        assert (b, d) == await store.due()
        await clock.sleep(30)
        assert (a, b, d) == await store.due()

    async def test_old_place(self, store: SqlStore, clock: HeldClock) -> None:
        """Who had to wait a moment is taken before all that came later, however long those have been due."""
        first, *_ = [await store.accept(mail(number)) for number in range(3)]
        await store.postpone(await leased(store), 30, "later")
        await clock.sleep(30)

        assert first == (await leased(store)).case

    # --- one behind the other -----------------------------------------------------------------

    @pytest.mark.parametrize("how", ["finish", "bury", "read"])
    async def test_woken(self, store: SqlStore, clock: HeldClock, how: str) -> None:
        """A case behind another one is due as soon as that one is read or has ended, and others stay as they are."""
        front, last = [await _lease_of(store, await store.accept(mail(number))) for number in range(2)]
        other = await _lease_of(store, await store.accept(mail(2)))
        await store.postpone(last, 60, "", counted=False, behind=front.case)
        await store.postpone(other, 60, "Jira is down")
        assert await store.due() == ()
        if how == "read":
            book = store.book(front)
            await book.save(replace(await book.load(), done=("read",)), step("read"))
        else:
            await WRITES[how](store, store.book(front), front)

        assert (last.case,) == await store.due()
        await clock.sleep(60)
        assert {last.case, other.case} <= set(await store.due())

    async def test_behind_what_is_over(self, store: SqlStore) -> None:
        """Where the one in front has ended in between, nobody is waited for."""
        front, last = [await _lease_of(store, await store.accept(mail(number))) for number in range(2)]
        await store.finish(front)
        await store.postpone(last, 60, "", counted=False, behind=front.case)

        assert (last.case,) == await store.due()

    @pytest.mark.parametrize("first", ["end", "wait"])
    async def test_behind_one_that_tells_later(self, store: SqlStore, first: str) -> None:
        """A case that has its end and only waits to tell of others holds up nobody; one that waits without an end does."""
        ended, waiting, last, other = [await _lease_of(store, await store.accept(mail(number))) for number in range(4)]
        book = store.book(ended)
        await book.save((await book.load()).closed(Outcome.TICKETED, "so"), step())
        if first == "end":
            await store.postpone(ended, 600, "", counted=False)
            await store.postpone(waiting, 600, "Jira is down")
        await store.postpone(last, 60, "", counted=False, behind=ended.case)
        await store.postpone(other, 60, "", counted=False, behind=waiting.case)
        if first == "wait":
            assert await store.due() == ()
            await store.postpone(ended, 600, "", counted=False)
            await store.postpone(waiting, 600, "Jira is down")

        assert (last.case,) == await store.due()

    async def test_how_long_it_waits(self, store: SqlStore, clock: HeldClock) -> None:
        """One wait after the other is one wait; any other trouble, and a new decision, begin it anew."""
        one, two, last = [await _lease_of(store, await store.accept(mail(number))) for number in range(3)]
        since = clock.now()
        assert last.waiting_since is None
        for front in (one, two, one):
            await store.postpone(last, 5, "", counted=False, behind=front.case)
            await clock.sleep(5)
            last = await _lease_of(store, last.case)
            assert last.waiting_since == since
        await store.postpone(last, 0, "Jira is down")
        last = await _lease_of(store, last.case)
        assert last.waiting_since is None
        await store.postpone(last, 0, "", behind=one.case)
        last = await _lease_of(store, last.case)
        await store.finish(last)

        assert (await store.claim(last.case, "console", 60)).waiting_since is None

    async def test_woken_once(self, store: SqlStore) -> None:
        """Who has been taken again in between is not disturbed by the end of the one it waited for."""
        front, last = [await _lease_of(store, await store.accept(mail(number))) for number in range(2)]
        await store.postpone(last, 0, "", counted=False, behind=front.case)
        again = await _lease_of(store, last.case)
        await store.postpone(again, 60, "Jira is down")
        await store.finish(front)

        assert await store.due() == ()
        assert (await store.report(last.case)).trouble == "Jira is down"

    async def test_due_ends_at_a_hundred(self, store: SqlStore) -> None:
        """The sweep gets a hundred at once."""
        await asyncio.gather(*(store.accept(mail(number)) for number in range(105)))

        assert tuple(f"case-{number}" for number in range(1, 101)) == await store.due()

    async def test_next_due(self, store: SqlStore, clock: HeldClock) -> None:
        """The sleep of a worker ends when the next job is due."""
        assert await store.next_due() is None
        await store.accept(mail())
        assert await store.next_due() == 0
        lease = await leased(store)
        assert await store.next_due() == 60
        await store.postpone(lease, 5, "later")
        await clock.sleep(2)
        assert await store.next_due() == 3
        await clock.sleep(10)
        assert await store.next_due() == 0
        await store.finish(await leased(store))
        assert await store.next_due() is None

    @pytest.mark.parametrize("name", WRITES)
    async def test_zombie_is_fenced(self, store: SqlStore, clock: HeldClock, name: str) -> None:
        """A worker that was thought dead writes nothing once another has its case."""
        case = await store.accept(mail())
        zombie = await leased(store)
        await clock.sleep(60)
        heir = await leased(store)
        before = await everything(store, heir)

        with pytest.raises(LeaseLost):
            await WRITES[name](store, store.book(zombie), zombie)

        assert before == await everything(store, heir)
        assert case == zombie.case == heir.case

    @pytest.mark.parametrize("name", WRITES)
    async def test_let_go_is_fenced(self, store: SqlStore, name: str) -> None:
        """Who has given a case back writes nothing more about it."""
        await store.accept(mail())
        lease = await leased(store)
        await store.postpone(lease, 5, "later")
        before = await everything(store, lease)

        with pytest.raises(LeaseLost):
            await WRITES[name](store, store.book(lease), lease)

        assert before == await everything(store, lease)

    @pytest.mark.parametrize("name", WRITES)
    async def test_late_but_not_replaced(self, store: SqlStore, clock: HeldClock, name: str) -> None:
        """A lease that has run out while nobody else came still counts: no work is thrown away."""
        await store.accept(mail())
        lease = await leased(store)
        book = store.book(lease)
        await book.intend(effect(lease.case))
        await clock.sleep(3600)

        await WRITES[name](store, book, lease)

    async def test_states_sum_up(self, store: SqlStore, clock: HeldClock) -> None:
        """Whatever happens in whatever order, each accepted mail is counted in exactly one state."""
        chance = random.Random(7)
        accepted, seen = 0, set[str]()
        for number in range(120):
            if number < 60:
                await store.accept(mail(number))
                accepted += 1
            await self._happens(store, chance)
            await clock.sleep(chance.choice([0, 10, 70]))
            counts = await store.counts()
            assert accepted == sum(counts.values())
            seen |= counts.keys()

        lines = await store.cases(limit=1000)
        assert Counter(line.state for line in lines) == await store.counts()
        assert seen == {"ready", "working", "retrying", "dead", "ticketed", "ignored"}

    async def _happens(self, store: SqlStore, chance: random.Random) -> None:
        """Something that may become of a job."""
        lease = await store.lease("w", 60)
        if lease is None:
            return
        book = store.book(lease)
        end = chance.randrange(6)
        if end in {0, 1}:
            outcome = [Outcome.TICKETED, Outcome.IGNORED][end]
            await book.save((await book.load()).closed(outcome, "so"), step())
            await store.finish(lease)
        elif end in {2, 3}:
            await store.postpone(lease, 5, "later", counted=end == 2)
        elif end == 4:
            await store.bury(lease, "dead")

    async def test_two_processes(self, store: SqlStore, url: str) -> None:
        """Two processes of four workers each never get the same job."""
        await asyncio.gather(*(store.accept(mail(number)) for number in range(150)))

        leased_by: dict[bytes, list[bytes]] = {b"one": [], b"other": []}
        async with processes("drain", url, "one", "other") as said:
            async for name, what in ((line.split()[:2]) async for line in said):
                leased_by[name].append(what)

        one, other = leased_by[b"one"][1:], leased_by[b"other"][1:]
        assert sorted(b"case-%d" % number for number in range(1, 151)) == sorted([*one, *other])
        assert one
        assert other


async def _lease_of(store: SqlStore, case: str) -> Lease:
    """The job of this case, which is due."""
    lease = await store.lease_case(case, "w", 60)
    assert lease is not None
    return lease


async def leased(store: SqlStore, seconds: float = 60) -> Lease:
    """The next job, which there is."""
    lease = await store.lease("w", seconds)
    assert lease is not None
    return lease


async def everything(store: SqlStore, lease: Lease) -> tuple[object, ...]:
    """All that a write about a case could change."""
    book = store.book(lease)
    return (
        await store.report(lease.case),
        await store.counts(),
        await store.next_due(),
        await book.highest("OPS"),
        await book.thread_ticket(["1@example.com"]),
        await book.opening(1),
        await book.turn(1, 1),
        await book.result(1, "call-1"),
    )
