"""What every store must do with traces: doubles, floods, follow-ups, and who takes part in a thread."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

from integrations.sql.store import SqlStore
from tests.contract.store.store_pages import opened
from tests.contract.store.store_samples import HOSTILE, MORNING, HeldClock, step
from triage.domain.cases import Case, Effect, EffectState, Outcome
from triage.domain.mail import Message
from triage.domain.ports import LeasedCase
from triage.domain.traces import (
    Copy,
    Digest,
    Fingerprint,
    Flood,
    Group,
    GroupState,
    Related,
    Sketch,
    Subject,
    Summary,
    Throttled,
)
from triage.domain.untrusted import Untrusted

HOUR = 3600.0
SAME = Fingerprint(content="same", message_id="a@x", sender="ada", thread="t", storm="s", topic="ada on export")


def other(number: int, **keys: Any) -> Fingerprint:
    """Another mail of the same groups."""
    return replace(SAME, content=f"content-{number}", message_id=f"{number}@x", **keys)


def about(case: Case, subject: str) -> Case:
    """The case with a mail on this subject."""
    return replace(case, message=Message(subject=Untrusted(subject)))


def digest_of(*disks: int, first: bool = False) -> Digest:
    """What is told of mails on these disks."""
    return Digest(count=len(disks), first=first)


async def ended(leased_case: LeasedCase, ticket: str | None, outcome: Outcome = Outcome.TICKETED) -> None:
    """The case comes to its end."""
    await leased_case.cases.save((await leased_case.cases.load()).closed(outcome, "done", ticket), step())


class TracesContract:
    """What later mails are recognised by."""

    # --- the same mail ------------------------------------------------------------------------

    async def test_twin(self, store: SqlStore) -> None:
        """The same mail again knows the first one, and asked again each says what it said."""
        first, second, third = [await opened(store, number) for number in range(3)]

        for _ in range(2):
            assert await first.threads.trace(SAME, HOUR) is None
            assert await second.threads.trace(SAME, HOUR) == Copy(case="case-1", outranked=False)
            assert await third.threads.trace(SAME, HOUR) == Copy(case="case-1", outranked=False)

    async def test_later_one_first(self, store: SqlStore) -> None:
        """Whoever claims first goes on, whatever its number."""
        first, second = await opened(store, 1), await opened(store, 2)

        assert await second.threads.trace(SAME, HOUR) is None
        assert await first.threads.trace(SAME, HOUR) == Copy(case="case-2", outranked=False)

    async def test_twins_at_once(self, store: SqlStore, second_store: SqlStore) -> None:
        """Of twenty workers with the same mail at the same moment one goes on."""
        books = [await opened(at, number) for number, at in enumerate([store, second_store] * 10)]

        twins = await asyncio.gather(*(leased_case.threads.trace(SAME, HOUR) for leased_case in books))

        assert (twins.count(None), len(set(twins))) == (1, 2)

    async def test_shadow(self, store: SqlStore) -> None:
        """Other content under the same Message-ID is another mail."""
        first, second = await opened(store, 1), await opened(store, 2)
        await first.threads.trace(SAME, HOUR)

        assert await second.threads.trace(replace(SAME, content="other"), HOUR) is None

    async def test_no_message_id(self, store: SqlStore) -> None:
        """Where an id is missing, or mails with a date differ in nothing but the id, content says that it is one mail."""
        bare = replace(SAME, message_id="", dated=False)
        books = [await opened(store, number) for number in range(5)]
        await books[0].threads.trace(bare, HOUR)

        assert await books[1].threads.trace(bare, HOUR) == Copy(case="case-1", outranked=False)
        assert await books[2].threads.trace(replace(bare, message_id="b@x"), HOUR) == Copy(
            case="case-1", outranked=False
        )
        assert await books[3].threads.trace(replace(SAME, content="dated"), HOUR) is None
        assert await books[4].threads.trace(replace(SAME, content="dated", message_id="c@x"), HOUR) == Copy(
            case="case-4", outranked=False
        )

    async def test_two_ids_without_a_date(self, store: SqlStore) -> None:
        """Without a date two ids are two mails."""
        first, second = await opened(store, 1), await opened(store, 2)
        await first.threads.trace(replace(SAME, dated=False), HOUR)

        assert await second.threads.trace(replace(SAME, dated=False, message_id="b@x"), HOUR) is None

    async def test_after_an_hour(self, store: SqlStore, clock: HeldClock) -> None:
        """Later only the same Message-ID makes it the same mail."""
        books = [await opened(store, number) for number in range(3)]
        await books[0].threads.trace(SAME, HOUR)
        await clock.sleep(HOUR + 1)
        for leased_case in books[1:]:
            await leased_case.cases.renew(60)

        assert await books[1].threads.trace(SAME, HOUR) == Copy(case="case-1", outranked=False)
        assert await books[2].threads.trace(replace(SAME, message_id=""), HOUR) is None

    async def test_a_better_proven_copy(self, store: SqlStore) -> None:
        """A copy that is believed more stands for itself, and both reports name the other; later copies belong to it."""
        books = [await opened(store, number) for number in range(5)]
        first, better, again, best, alone = books
        assert await first.threads.trace(replace(SAME, believed=1), HOUR) is None

        for _ in range(2):
            assert await better.threads.trace(replace(SAME, believed=2), HOUR) == Copy(case="case-1", outranked=True)
            assert await again.threads.trace(replace(SAME, believed=2), HOUR) == Copy(case="case-2", outranked=False)
            assert await first.threads.trace(replace(SAME, believed=1), HOUR) is None
        rivals = [(await store.archive.report(f"case-{number}")).rival for number in (1, 2, 3)]
        flags = ["copy-conflict" in (await store.archive.report(f"case-{number}")).case.flags for number in (1, 2, 3)]
        assert (rivals, flags) == (["case-2", "case-1", ""], [True, True, False])
        assert await best.threads.trace(replace(SAME, believed=3), HOUR) == Copy(case="case-1", outranked=True)
        assert await alone.threads.trace(replace(SAME, believed=1), HOUR) == Copy(case="case-1", outranked=False)

    async def test_a_copy_in_another_thread(self, store: SqlStore) -> None:
        """Who hangs a copy under another thread keeps the mail itself from nothing."""
        first, second, third = [await opened(store, number) for number in range(3)]
        await first.threads.trace(replace(SAME, answers="elsewhere"), HOUR)

        assert await second.threads.trace(SAME, HOUR) is None
        assert await third.threads.trace(SAME, HOUR) == Copy(case="case-2", outranked=False)

    async def test_known_copies(self, store: SqlStore) -> None:
        """What the caller knows to be the same is the same, whatever its content; others under the id are listed."""
        first, second, third = [await opened(store, number) for number in range(3)]
        await first.threads.trace(SAME, HOUR)
        assert (
            await second.threads.copies("a@x"),
            await first.threads.copies("a@x"),
            await first.threads.copies("b@x"),
        ) == (
            ("case-1",),
            (),
            (),
        )
        footer = replace(SAME, content="with a footer")

        assert await second.threads.trace(footer, HOUR, ["case-1"]) == Copy(case="case-1", outranked=False)
        assert await third.threads.copies("a@x") == ("case-1",)
        assert await third.threads.trace(replace(footer, believed=2), HOUR, ["case-1"]) == Copy(
            case="case-1", outranked=True
        )

    async def test_the_ticket_of_the_better_proven_copy(self, store: SqlStore) -> None:
        """Answers to an id that two mails have belong to the ticket of the better proven one."""
        forged, real, answer = [await opened(store, number) for number in range(3)]
        await forged.threads.trace(replace(SAME, believed=1), HOUR)
        await real.threads.trace(replace(SAME, believed=3), HOUR)
        await forged.threads.link(["a@x"], "same", "OPS-1")
        assert await answer.threads.thread_ticket(["a@x"]) == "OPS-1"
        await real.threads.link(["a@x"], "same", "OPS-2")

        assert await answer.threads.thread_ticket(["a@x"]) == "OPS-2"

    # --- floods -------------------------------------------------------------------------------

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
        assert told.subjects[0] == Subject(Untrusted("Disk 1"), 2, "case-1", "case-2")
        assert [one.text for one in told.subjects[19:21]] == ["Disk 20", "Disk 26"]

        effect = Effect(key="case-2:comment:OPS-1:digest", kind="comment", target="OPS-1", result="7")
        await books[1].ledger.intend(effect)
        await books[1].ledger.settle(replace(effect, state=EffectState.DONE))
        both = [await books[45].throttle.summary(Group.STORM, ticket) for ticket in ("OPS-1", "OPS-2")]
        assert [one and (one.comment, one.count) for one in both] == [("7", 46), ("", 45)]

    async def test_floods(self, store: SqlStore, clock: HeldClock) -> None:
        """What each brake holds for each ticket, told and untold, in lists and in the report of every mail it holds."""
        books = [await opened(store, number) for number in range(5)]
        assert await store.archive.floods() == ()
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Disk {number}"), step())
        for leased_case in books[1:4]:
            held = await leased_case.throttle.throttle(Group.STORM, seconds=HOUR, every=10, apart=60)
            await ended(leased_case, "OPS-1", Outcome.COMMENTED)
            await (
                store.jobs.postpone(leased_case.lease, 900, "", counted=False)
                if held.collects
                else store.jobs.finish(leased_case.lease)
            )
        await books[4].throttle.throttle(Group.SENDER, seconds=HOUR, every=10, apart=60)
        await ended(books[4], "OPS-2", Outcome.COMMENTED)

        storm = Flood(
            group=Group.STORM,
            ticket="OPS-1",
            held=3,
            told=1,
            since=MORNING,
            until=MORNING,
            newest=Untrusted("Disk 3"),
            case="case-4",
            due=MORNING + timedelta(seconds=900),
        )
        assert set(await store.archive.floods()) == {
            storm,
            replace(
                storm, group=Group.SENDER, ticket="OPS-2", held=1, newest=Untrusted("Disk 4"), case="case-5", due=None
            ),
        }
        assert len(await store.archive.floods(1)) == 1
        assert [(await store.archive.report(f"case-{n}")).flood for n in (1, 2, 4)] == [None, storm, storm]
        assert [(await store.archive.report(f"case-{n}")).state for n in (3, 4)] == ["commented", "commented"]

    async def test_collecting_case_blocks_nobody(self, store: SqlStore) -> None:
        """One that has ended, and waits to tell of others, is neither before anybody in its lane nor unfinished."""
        first, second = await opened(store, 1), await opened(store, 2)
        await first.threads.trace(SAME, HOUR)
        await first.cases.save(replace(await first.cases.load(), lane="lane"), step())
        await ended(first, "OPS-1", Outcome.COMMENTED)
        assert await second.threads.ahead("lane") == ("case-1",)
        await store.jobs.postpone(first.lease, 900, "", counted=False)

        assert (await second.threads.ahead("lane"), await second.threads.unfinished(["a@x"])) == ((), ())

    async def test_digest_without_trace(self, store: SqlStore) -> None:
        """A case of a version without traces is held by no brake."""
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

    # --- threads ------------------------------------------------------------------------------

    async def test_follow_up(self, store: SqlStore, clock: HeldClock) -> None:
        """The latest mail on the same topic that has a ticket, for a while."""
        books = [await opened(store, number) for number in range(4)]
        assert await books[0].threads.follow_up(HOUR) is None
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number, **({"topic": ""} if number == 3 else {})), HOUR)
        assert await books[2].threads.follow_up(HOUR) is None
        await ended(books[0], "OPS-1")
        assert await books[2].threads.follow_up(HOUR) == "OPS-1"
        await ended(books[1], "OPS-2")

        assert await books[2].threads.follow_up(HOUR) == "OPS-2"
        assert await books[3].threads.follow_up(HOUR) is None

    async def test_participants(self, store: SqlStore) -> None:
        """Those of the mails that belong to the ticket, and nobody who has only named them."""
        first, stranger = await opened(store, 1), await opened(store, 2)
        await first.threads.trace(replace(SAME, people=("ada", "support")), HOUR)
        await stranger.threads.trace(other(2), HOUR)
        await stranger.threads.link(["2@x"], "content-2", "OPS-2", ("eve",))
        assert await first.threads.participants(["a@x", "2@x"], "OPS-1") == frozenset()

        await first.threads.link(["a@x"], "same", "OPS-1")

        assert await stranger.threads.participants(["a@x", "2@x"], "OPS-1") == {"ada", "support"}
        assert await stranger.threads.participants(["2@x"], "OPS-1") == frozenset()

    async def test_second_copy(self, store: SqlStore) -> None:
        """Who answers a second copy, under whatever id, is in the thread of the first one and part of it."""
        first, copy, answer = [await opened(store, number) for number in range(3)]
        await first.threads.trace(replace(SAME, people=("ada",)), HOUR)
        await copy.threads.trace(replace(SAME, message_id="copy@x", people=("ada", "sales")), HOUR)
        assert await answer.threads.thread_ticket(["copy@x"]) is None
        await ended(copy, None, Outcome.IGNORED)
        await ended(first, "OPS-1")

        assert await answer.threads.thread_ticket(["other@x", "copy@x"]) == "OPS-1"
        assert await answer.threads.participants(["copy@x"], "OPS-1") == {"ada", "sales"}
        assert await answer.threads.participants(["copy@x"], "OPS-2") == frozenset()

    async def test_unfinished(self, store: SqlStore, clock: HeldClock) -> None:
        """A mail before this one that is still being worked on, or whose first copy is; after an hour it is stuck."""
        first, copy, answer = [await opened(store, number) for number in range(3)]
        assert await answer.threads.unfinished(["a@x", "copy@x"]) == ()
        await first.threads.trace(SAME, HOUR)
        await copy.threads.trace(replace(SAME, message_id="copy@x"), HOUR)
        await ended(copy, None, Outcome.IGNORED)
        await answer.threads.trace(other(3), HOUR)

        assert await answer.threads.unfinished(["copy@x"]) == ("case-1",)
        assert await answer.threads.unfinished(["a@x"]) == ("case-1",)
        assert await answer.threads.unfinished(["else@x", "3@x"]) == ()
        assert await first.threads.unfinished(["3@x"]) == ()
        await clock.sleep(HOUR + 1)
        assert await answer.threads.unfinished(["a@x"]) == ()
        await clock.sleep(-HOUR)
        await ended(first, "OPS-1")
        assert await answer.threads.unfinished(["a@x"]) == ()

    async def test_kin(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails that have or answer the same ids: earlier ones at work, for an hour, and all that have a ticket."""
        books = [await opened(store, number) for number in range(4)]
        for leased_case, ids in zip(books, (["1@x"], ["2@x", "1@x"], ["3@x", HOSTILE], ["4@x", "9@x"]), strict=True):
            mail = Message(message_id=ids[0], references=tuple(ids[1:]))
            await leased_case.cases.save(
                replace(await leased_case.cases.load(), message=mail, done=("read",)), step("read")
            )
        first, second, third, _ = books

        assert await second.threads.related(["2@x", "1@x"]) == (Related(case="case-1", busy=True),)
        assert (await first.threads.related(["1@x"]), await first.threads.related([])) == ((), ())
        assert await third.threads.related([HOSTILE, "2@x"]) == (Related(case="case-2", busy=True),)
        await ended(second, "OPS-2")
        await ended(third, "OPS-3", Outcome.IGNORED)
        assert await first.threads.related(["1@x", "3@x", "4@x"]) == (Related(case="case-2", busy=False),)
        assert await third.threads.related(["1@x"]) == (
            Related(case="case-1", busy=True),
            Related(case="case-2", busy=False),
        )
        await clock.sleep(HOUR + 1)
        assert await third.threads.related(["1@x"]) == (Related(case="case-2", busy=False),)

    async def test_kin_is_what_was_read(self, store: SqlStore) -> None:
        """A case that is decided anew and read again mentions the same ids once more, and its later steps none."""
        first, second = await opened(store, 1), await opened(store, 2)
        read = replace(await first.cases.load(), message=Message(message_id="1@x"), done=("read",))
        for _ in range(2):
            await first.cases.save(read, step("read"))
        await first.cases.save(
            replace(read, message=Message(message_id="5@x"), done=("read", "identify")), step("identify")
        )

        assert (len(await second.threads.related(["1@x"])), await second.threads.related(["5@x"])) == (1, ())

    async def test_peek(self, store: SqlStore) -> None:
        """Another case as it stands, and none where there is none."""
        first, second = await opened(store, 1), await opened(store, 2)
        await ended(second, "OPS-2")

        assert await first.cases.peek("case-2") == await second.cases.load()
        assert (await first.cases.peek("case-3"), await first.cases.peek("another")) == (None, None)
