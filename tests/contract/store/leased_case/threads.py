"""What every `Threads` must do: which mails are the same, which belong together, and whose turn it is."""

import asyncio
from dataclasses import replace

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    HOSTILE,
    HOUR,
    SAME,
    HeldClock,
    ended,
    full,
    leased,
    mail,
    opened,
    other,
    step,
)
from triage.domain.cases import Outcome
from triage.domain.findings import Identity
from triage.domain.mail import Message
from triage.domain.ports import LeasedCase
from triage.domain.queueing.fair_order import Flow
from triage.domain.traces import (
    Copy,
    Related,
)


class ThreadsContract:
    """Asked by Message-ID and by fingerprint."""

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

    async def test_earlier_tickets(self, store: SqlStore, clock: HeldClock) -> None:
        """Those of the mails on the same topic that have a ticket, for a while, the latest first; of the sender's mails, all."""
        books = [await opened(store, number) for number in range(4)]
        assert await books[0].threads.earlier_tickets(HOUR) == ()
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number, **({"topic": ""} if number == 3 else {})), HOUR)
        assert await books[2].threads.earlier_tickets(HOUR) == ()
        await ended(books[0], "OPS-1")
        assert await books[2].threads.earlier_tickets(HOUR) == ("OPS-1",)
        await ended(books[1], "OPS-2")

        assert await books[2].threads.earlier_tickets(HOUR) == ("OPS-2", "OPS-1")
        assert await books[3].threads.earlier_tickets(HOUR) == ()
        assert await books[3].threads.earlier_tickets(HOUR, alike=False) == ("OPS-2", "OPS-1")

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

    async def test_thread_ticket(self, store: SqlStore) -> None:
        """The ticket of the nearest mail that has one."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        await leased_case.threads.link(["a@x", "b@x"], "hash-1", None)
        assert await other.threads.thread_ticket(["a@x"]) is None

        await leased_case.threads.link(["a@x", "b@x", "a@x"], "hash-1", "OPS-1")
        await other.threads.link(["c@x"], "hash-2", "OPS-2")

        assert await other.threads.thread_ticket(["none@x", "c@x", "a@x"]) == "OPS-2"
        assert await other.threads.thread_ticket(["b@x", "c@x"]) == "OPS-1"
        assert await other.threads.thread_ticket([]) is None

    async def test_a_deferred_link_comes_with_the_next_write(self, store: SqlStore) -> None:
        """Until then nobody finds the thread; the step that ends the case links it in the commit of its end."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        await leased_case.threads.link(["a@x"], "hash-1", "OPS-1", deferred=True)
        assert await other.threads.thread_ticket(["a@x"]) is None

        await leased_case.cases.save(await leased_case.cases.load(), step("dispatch"))

        assert await other.threads.thread_ticket(["a@x"]) == "OPS-1"

    async def test_ticket_stays(self, store: SqlStore) -> None:
        """A mail that has a ticket keeps it when it is linked without one, and follows it to another."""
        leased_case = await opened(store)
        await leased_case.threads.link(["a@x"], "hash", "OPS-1")
        await leased_case.threads.link(["a@x"], "hash", None)
        assert await leased_case.threads.thread_ticket(["a@x"]) == "OPS-1"

        await leased_case.threads.link(["a@x"], "hash", "OPS-2")

        assert await leased_case.threads.thread_ticket(["a@x"]) == "OPS-2"

    async def test_borrowed_message_id(self, store: SqlStore) -> None:
        """Who reuses another mail's id cannot pull its thread to his ticket."""
        leased_case, thief = await opened(store, 1), await opened(store, 2)
        await thief.threads.link(["a@x"], "hash-2", "OPS-666")
        await leased_case.threads.link(["a@x"], "hash-1", "OPS-1")

        assert await thief.threads.thread_ticket(["a@x"]) == "OPS-1"

    async def test_endless_ids(self, store: SqlStore) -> None:
        """Ids may be longer than an index takes, and more than anybody needs."""
        leased_case = await opened(store)
        long = "x" * 10_000 + "@example.com"
        many = [long, *(f"{number}@example.com" for number in range(50_000))]

        await leased_case.threads.link(many, "hash", "OPS-1")

        assert await leased_case.threads.thread_ticket([long]) == "OPS-1"
        assert await leased_case.threads.thread_ticket(many[1:]) == "OPS-1"

    async def test_ahead(self, store: SqlStore) -> None:
        """A case waits for the earlier one of its lane until that is finished, and for none of another lane."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")

        assert await second.threads.ahead("a@x", []) == ("case-1",)
        assert await second.threads.ahead("b@x", []) == ()
        assert await first.threads.ahead("a@x", []) == ()
        await store.jobs.postpone(first.lease, 60, "Jira is down")
        assert await second.threads.ahead("a@x", []) == ("case-1",)

    @pytest.mark.parametrize("how", ["finish", "bury"])
    async def test_nothing_ahead(self, store: SqlStore, how: str) -> None:
        """What is finished or buried holds nobody up."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")
        await (
            store.jobs.open(first.lease).cases.finish()
            if how == "finish"
            else store.jobs.dead_letter(first.lease, "dead")
        )

        assert await second.threads.ahead("a@x", []) == ()

    async def test_ahead_of_unread(self, store: SqlStore) -> None:
        """An earlier mail that nobody has read yet may be of this lane."""
        await store.inbox.accept(mail(1))
        second = await self._in_lane(store, 2, "a@x")

        assert await second.threads.ahead("a@x", []) == ("case-1",)
        first = store.jobs.open(await leased(store))
        await first.cases.save(full(await first.cases.load()), step())
        assert await second.threads.ahead("a@x", []) == ()

    async def test_ahead_of_unread_by_others(self, store: SqlStore) -> None:
        """A mail that nobody has read is waited for only by mails of those who may have to do with its sender."""
        await store.inbox.accept(replace(mail(1), flow=Flow("storm")))
        second = await self._in_lane(store, 2, "a@x")

        assert await second.threads.ahead("a@x", ["ada"]) == ()
        assert await second.threads.ahead("a@x", ["ada", "storm"]) == ("case-1",)

    async def test_ahead_ends(self, store: SqlStore, clock: HeldClock) -> None:
        """A case that is stuck for an hour is in nobody's way."""
        await self._in_lane(store, 1, "a@x")
        await clock.sleep(1800)
        second = await self._in_lane(store, 2, "a@x")
        await clock.sleep(1799)

        assert await second.threads.ahead("a@x", []) == ("case-1",)
        await clock.sleep(1)
        assert await second.threads.ahead("a@x", []) == ()

    async def test_collecting_case_blocks_nobody(self, store: SqlStore) -> None:
        """One that has ended, and waits to tell of others, is neither before anybody in its lane nor unfinished."""
        first, second = await opened(store, 1), await opened(store, 2)
        await first.threads.trace(SAME, HOUR)
        await first.cases.save(
            replace(await first.cases.load(), identity=Identity(thread_key="lane")),
            step(),
        )
        await ended(first, "OPS-1", Outcome.COMMENTED)
        assert await second.threads.ahead("lane", []) == ("case-1",)
        await store.jobs.postpone(first.lease, 900, "", counted=False)

        assert (await second.threads.ahead("lane", []), await second.threads.unfinished(["a@x"])) == ((), ())

    async def _in_lane(self, store: SqlStore, number: int, thread_key: str) -> LeasedCase:
        leased_case = await opened(store, number)
        await leased_case.cases.save(
            replace(await leased_case.cases.load(), identity=Identity(thread_key=thread_key)),
            step(),
        )
        return leased_case
