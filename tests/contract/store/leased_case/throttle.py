"""What every `Throttle` must do."""

import asyncio
from dataclasses import replace

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    HOUR,
    MORNING,
    HeldClock,
    about,
    ended,
    opened,
    other,
    step,
)
from triage.domain.cases import Outcome
from triage.domain.effects import Effect, EffectState
from triage.domain.traces import (
    Digest,
    FloodSubject,
    Group,
    GroupState,
    Sketch,
    Summary,
    Throttled,
)
from triage.domain.untrusted import Untrusted


def digest_of(*disks: int, first: bool = False) -> Digest:
    """What is told of mails on these disks."""
    return Digest(count=len(disks), first=first)


class ThrottleContract:
    """Mails of a group are counted, held back and told of once."""

    async def test_alike(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails are counted by sender, storm and thread, doubles and those of the hour before are not."""
        books = [await opened(store, number) for number in range(5)]
        assert await books[0].throttle.group_counts(HOUR) == {}
        await books[0].threads.trace(other(0), HOUR)
        await clock.sleep(HOUR)
        for leased_case in books[1:]:
            await leased_case.cases.renew(600)
        await books[1].threads.trace(other(1), HOUR)
        await books[2].threads.trace(other(1), HOUR)
        await books[3].threads.trace(other(3, storm="another", thread="another"), HOUR)
        await books[4].threads.trace(other(4, storm=""), HOUR)

        assert await books[1].throttle.group_counts(HOUR) == {Group.SENDER: 0, Group.STORM: 0, Group.THREAD: 0}
        assert await books[3].throttle.group_counts(HOUR) == {Group.SENDER: 1, Group.STORM: 0, Group.THREAD: 0}
        assert await books[4].throttle.group_counts(HOUR) == {Group.SENDER: 2, Group.THREAD: 1}

    async def test_flock(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails with nearly the same words are one storm whoever sends them; those of unknown senders count apart."""
        books = [await opened(store, number) for number in range(7)]
        words, others = Sketch(frozenset(range(10))), Sketch(frozenset(range(5, 25)))
        like = Sketch(frozenset({*range(9), 99}))
        ada = {"sender": "ada", "storm": ""}
        await books[0].threads.trace(other(0, **ada, sketch=words), HOUR)
        await clock.sleep(HOUR)
        for leased_case in books[1:]:
            await leased_case.cases.renew(600)
        new = {"storm": "", "thread": ""}
        await books[1].threads.trace(other(1, **new, sender="eve", sketch=words), HOUR)
        await books[2].threads.trace(other(2, **new, sender="mallory", sketch=like), HOUR)
        await books[3].threads.trace(other(3, **new, sender="trudy", sketch=others), HOUR)
        await books[4].threads.trace(other(4, **new, sender="ada", sketch=like), HOUR)
        await books[5].threads.trace(other(5, **new, sender="", sketch=like), HOUR)
        await books[6].threads.trace(other(6, **new, sender="ada", sketch=like, proven=True), HOUR)

        counts = [await leased_case.throttle.group_counts(HOUR) for leased_case in books[1:]]
        both = [(found.get(Group.NEWCOMERS), found.get(Group.STORM)) for found in counts]
        assert both == [(0, 0), (1, 1), (0, 0), (None, 2), (2, 3), (None, 0)]

    async def test_new_matters(self, store: SqlStore) -> None:
        """A held mail under a subject, or about something, that none of its group had is told of at once, so many times."""
        books = [await opened(store, number) for number in range(6)]
        for number, leased_case in enumerate(books):
            words = Sketch(frozenset(range(number // 2 * 100, number // 2 * 100 + 9)))
            await leased_case.threads.trace(other(number, storm="", sketch=words, subject=f"{number // 2}"), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Matter {number // 2}"), step())

        held = [
            await leased_case.throttle.throttle(Group.SENDER, seconds=HOUR, every=9, apart=60, at_once=2)
            for leased_case in books
        ]
        assert [one.digest is not None for one in held] == [True, False, True, False, False, False]
        assert await books[5].throttle.digest(Group.SENDER, HOUR) == Digest(count=3, first=False)

    async def test_crowd(self, store: SqlStore) -> None:
        """The first that has ended in a ticket, and the first that has not ended."""
        books = [await opened(store, number) for number in range(4)]
        assert await books[0].throttle.group_state(Group.STORM, HOUR) == GroupState()
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
        assert await books[0].throttle.group_state(Group.STORM, HOUR) == GroupState()
        assert await books[3].throttle.group_state(Group.STORM, HOUR) == GroupState(busy="case-1")

        await ended(books[0], None, Outcome.QUARANTINED)
        await ended(books[1], "OPS-2")

        assert await books[3].throttle.group_state(Group.STORM, HOUR) == GroupState(ticket="OPS-2", busy="case-3")
        assert await books[1].throttle.group_state(Group.STORM, HOUR) == GroupState()

    async def test_a_first_mail_that_waits_for_a_person(self, store: SqlStore) -> None:
        """It is named while it has no ticket, to those that came after it."""
        books = [await opened(store, number) for number in range(3)]
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
        await ended(books[1], None, Outcome.WAITING)
        await ended(books[0], "OPS-2", Outcome.WAITING)

        assert await books[2].throttle.group_state(Group.STORM, HOUR) == GroupState(ticket="OPS-2", waiting="case-2")
        assert await books[0].throttle.group_state(Group.STORM, HOUR) == GroupState()

    async def test_buried_first(self, store: SqlStore) -> None:
        """Nobody waits for a case that waits for a person."""
        first, second = await opened(store, 1), await opened(store, 2)
        for number, leased_case in enumerate((first, second)):
            await leased_case.threads.trace(other(number), HOUR)
        await store.jobs.dead_letter(first.lease, "broken")

        assert await second.throttle.group_state(Group.SENDER, HOUR) == GroupState()

    async def test_digests(self, store: SqlStore, clock: HeldClock) -> None:
        """The first held mail is told of at once, then three at a time, a minute apart; each once, and none twice."""
        books = [await opened(store, number) for number in range(9)]
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Disk {number}"), step())

        async def held(number: int) -> Throttled:
            return await books[number].throttle.throttle(Group.STORM, seconds=HOUR, every=3, apart=30)

        one = digest_of(0, first=True)
        assert await held(0) == Throttled(digest=one)
        assert [await held(number) for number in (2, 3, 1)] == [
            Throttled(collects=True),
            Throttled(),
            Throttled(collects=True),
        ]
        assert [await held(number) for number in (1, 2)] == [Throttled(collects=True), Throttled()]
        await clock.sleep(30)
        four = Throttled(digest=digest_of(1, 2, 3, 4))
        assert [await held(4), await held(4)] == [four, four]
        assert await held(0) == Throttled(digest=replace(one, first=False))
        assert await held(1) == Throttled()
        assert await books[5].throttle.throttle(Group.SENDER, seconds=HOUR, every=3, apart=30) == Throttled(
            digest=digest_of(5, first=True)
        )

    async def test_late_digest(self, store: SqlStore, clock: HeldClock) -> None:
        """Whoever collects tells of all that are untold when his time has come, once; others find nothing left."""
        books = [await opened(store, number) for number in range(4)]
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Disk {number}"), step())
            await leased_case.throttle.throttle(Group.STORM, seconds=HOUR, every=10, apart=60)
        await clock.sleep(50)
        three = digest_of(1, 2, 3)

        for _ in range(2):
            assert await books[1].throttle.digest(Group.STORM, HOUR) == three
            assert await books[2].throttle.digest(Group.STORM, HOUR) is None

    async def test_two_tickets(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails of one group that are held for two tickets are told of in both, each in its own."""
        books = [await opened(store, number) for number in range(4)]
        tickets = ("OPS-1", "OPS-2") * 2
        held = []
        for number, (leased_case, ticket) in enumerate(zip(books, tickets, strict=True)):
            await leased_case.threads.trace(other(number), HOUR)
            held.append(await leased_case.throttle.throttle(Group.STORM, ticket, seconds=HOUR, every=9, apart=60))
            if number < 2:
                await ended(leased_case, ticket, Outcome.COMMENTED)
        assert held == [Throttled(digest=digest_of(0, first=True))] * 2 + [Throttled(collects=True)] * 2

        assert await books[2].throttle.digest(Group.STORM, HOUR, "OPS-1") == digest_of(2)
        assert await books[3].throttle.digest(Group.STORM, HOUR, "OPS-2") == digest_of(3)
        both = [await books[3].throttle.summary(Group.STORM, ticket) for ticket in tickets[:2]]
        assert [one and one.count for one in both] == [2, 2]

    async def test_summary(self, store: SqlStore) -> None:
        """All that was told of in a ticket: number, span, the subjects from both ends, the comment or who is to write it."""
        books = [await opened(store, number) for number in range(46)]
        assert await books[0].throttle.summary(Group.STORM, "OPS-1") is None
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Disk {max(number, 1)}"), step())
            await leased_case.throttle.throttle(Group.STORM, seconds=HOUR, every=99, apart=60)
        first, last = [await books[n].throttle.summary(Group.STORM, "OPS-1") for n in (0, 45)]
        assert first == Summary(
            count=1, since=MORNING, until=MORNING, different=1, subjects=first.subjects if first else ()
        )
        assert last == replace(first, writer="case-1")

        await ended(books[0], "OPS-1", Outcome.COMMENTED)
        await books[1].throttle.digest(Group.STORM, HOUR)
        told = await books[1].throttle.summary(Group.STORM, "OPS-1")
        assert told is not None
        assert (told.count, told.different, len(told.subjects), told.writer) == (46, 45, 40, None)
        assert told.subjects[0] == FloodSubject(Untrusted("Disk 1"), 2, "case-1", "case-2")
        assert [one.text for one in told.subjects[19:21]] == ["Disk 20", "Disk 26"]

        effect = Effect(key="case-2:comment:OPS-1:digest", kind="comment", target="OPS-1", result="7")
        await books[1].ledger.intend(effect)
        await books[1].ledger.settle(replace(effect, state=EffectState.DONE))
        both = [await books[45].throttle.summary(Group.STORM, ticket) for ticket in ("OPS-1", "OPS-2")]
        assert [one and (one.comment, one.count) for one in both] == [("7", 46), ("", 45)]

    async def test_digest_without_trace(self, store: SqlStore) -> None:
        """A case of a version without traces is throttled by no limit."""
        leased_case = await opened(store)

        assert await leased_case.throttle.throttle(Group.STORM, seconds=HOUR, every=3, apart=30) == Throttled()
        assert await leased_case.throttle.digest(Group.STORM, HOUR) is None
        assert await leased_case.throttle.group_state(Group.STORM, HOUR) == GroupState()

    async def test_one_first_digest(self, store: SqlStore, second_store: SqlStore) -> None:
        """Of ten workers that hold mails at the same moment one tells of it."""
        books = [await opened(at, number) for number, at in enumerate([store, second_store] * 5)]
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)

        held = await asyncio.gather(
            *(b.throttle.throttle(Group.STORM, seconds=HOUR, every=10, apart=60) for b in books)
        )

        assert sum(one.digest is not None for one in held) == 1
        assert any(one.collects for one in held)
