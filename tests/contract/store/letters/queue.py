"""The queue of letters: once by its key, one sender at a time, never forgotten."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, MORNING, HeldClock, Marks, mail
from triage.domain.letters import Letter, LetterFile, LetterKind, LetterState, Original, Returned
from triage.domain.letters.errors import LetterGone, TooManyLetters
from triage.domain.mail import Address
from triage.domain.ports import LetterStore
from triage.domain.untrusted import Untrusted

ADA = Address(address="ada@example.com", name=Untrusted("Ada Byron"))
SENT = frozenset({LetterState.SENDING, LetterState.UNKNOWN})


def letter(case: str = "case-1", number: int = 1, **more: object) -> Letter:
    """An answer, due now."""
    made = Letter(
        key=f"{case}:reply:{number}",
        case=case,
        kind=LetterKind.ANSWER,
        to=(ADA,),
        subject="Re: Export",
        body=f"We look into it. {HOSTILE}",
        original=Original(sender=Untrusted("Ada"), at=MORNING, text=Untrusted("It is broken.")),
        files=(LetterFile.of("when.ics", "text/calendar", b"\xff\x00"),),
        references=("1@example.com",),
        message_id=f"triage.1.{number}@support.example.org",
        due_at=MORNING,
    )
    return replace(made, **more)  # type: ignore[arg-type]  # tests name fields


class LettersContract:
    """What every queue of letters must do."""

    async def test_when_a_kind_began_is_kept(self, store: SqlStore, second_store: SqlStore) -> None:
        """The first process says it, to the second; others and later ones hear the same. Each kind has its own."""
        at = MORNING + timedelta(seconds=5.5)
        first = await store.letters.began(LetterKind.COMMENT, at)
        other = await second_store.letters.began(LetterKind.COMMENT, at + timedelta(days=1))

        assert first == other == MORNING + timedelta(seconds=5)
        assert await store.letters.began(LetterKind.STATUS, MORNING) == MORNING

    async def test_is_the_letter_store(self, store: SqlStore) -> None:
        """It is what the core asks for, and has nothing to send at first."""
        letters: LetterStore = store.letters

        assert await letters.letters() == ()
        assert await letters.next_due() is None
        assert await letters.lease(60, per_minute=30) is None

    async def test_queued_once(self, store: SqlStore, marks: Marks) -> None:
        """The second letter of a key is the first one, whatever it says."""
        await store.inbox.accept(mail())
        first = await store.letters.queue(letter())
        second = await store.letters.queue(letter(body="Something else."))

        assert first == second
        assert (await store.letters.letters()) == (first,)
        assert first.files[0].content == b"\xff\x00"
        assert first.original.text == "It is broken."
        assert first.body.startswith("We look into it. NUL")
        assert "letter.queued" in marks.seen

    async def test_none_leaves_while_paused(self, store: SqlStore) -> None:
        """The kill switch holds waiting letters back; what was begun before is still followed up, and the rest leaves afterwards."""
        await store.inbox.accept(mail())
        for number in (1, 2):
            await store.letters.queue(letter(number=number))
        begun = await store.letters.lease(0, per_minute=30)
        await store.kill_switch.pause("ada", "")
        doubtful = await store.letters.lease(60, per_minute=30)
        held = await store.letters.lease(60, per_minute=30)
        await store.kill_switch.resume()
        freed = await store.letters.lease(60, per_minute=30)

        assert begun
        assert doubtful
        assert freed
        assert (doubtful.id, doubtful.state, held) == (begun.id, LetterState.UNKNOWN, None)
        assert (freed.id, freed.state) == (2, LetterState.SENDING)

    async def test_of_a_case(self, store: SqlStore) -> None:
        """Lists hold the latest first, those of a case only its own."""
        for number in (1, 2):
            await store.inbox.accept(mail(number))
            await store.letters.queue(letter(f"case-{number}"))

        assert [one.case for one in await store.letters.letters()] == ["case-2", "case-1"]
        assert [one.case for one in await store.letters.letters(case="case-1")] == ["case-1"]
        assert [one.case for one in await store.letters.letters(1)] == ["case-2"]
        assert [one.case for one in await store.letters.letters(number=1)] == ["case-1"]
        assert await store.letters.letters(number=99) == ()

    async def test_sent(self, store: SqlStore, clock: HeldClock, marks: Marks) -> None:
        """A letter is leased when its window is over, by one sender, and settled."""
        await store.inbox.accept(mail())
        await store.letters.queue(letter(due_at=MORNING + timedelta(seconds=60)))
        early = await store.letters.lease(60, per_minute=30)
        wait = await store.letters.next_due()
        await clock.sleep(60)
        taken = await store.letters.lease(60, per_minute=30)

        assert early is None
        assert wait == 60
        assert taken is not None
        assert (taken.state, taken.attempts, taken.started_at) == (LetterState.SENDING, 1, clock.now())
        assert await store.letters.lease(60, per_minute=30) is None
        assert await store.letters.settle(replace(taken, state=LetterState.SENT, due_at=None), was=SENT)
        assert not await store.letters.settle(replace(taken, state=LetterState.UNKNOWN), was=SENT)
        assert [one.state for one in await store.letters.letters()] == [LetterState.SENT]
        assert await store.letters.next_due() is None
        assert "letter.leased" in marks.seen

    async def test_sender_died(self, store: SqlStore, clock: HeldClock) -> None:
        """A letter whose sender died while it sent is in doubt: the next sender gets it as unknown, not to send it."""
        await store.inbox.accept(mail())
        await store.letters.queue(letter())
        await store.letters.lease(60, per_minute=30)
        await clock.sleep(61)
        again = await store.letters.lease(60, per_minute=30)

        assert again is not None
        assert (again.state, again.attempts) == (LetterState.UNKNOWN, 1)

    async def test_one_sender(self, store: SqlStore, second_store: SqlStore) -> None:
        """Of many senders at the same moment one gets the letter."""
        await store.inbox.accept(mail())
        await store.letters.queue(letter())
        found = await asyncio.gather(*(at.letters.lease(60, per_minute=30) for at in (store, second_store) * 5))

        assert len([one for one in found if one]) == 1

    async def test_per_minute(self, store: SqlStore, clock: HeldClock) -> None:
        """No more letters begin within a minute than allowed; what is in doubt is looked for all the same."""
        await store.inbox.accept(mail())
        for number in range(3):
            await store.letters.queue(letter(number=number))
        first = await store.letters.lease(10, per_minute=2)
        second = await store.letters.lease(60, per_minute=2)
        third = await store.letters.lease(60, per_minute=2)
        await clock.sleep(11)
        doubtful = await store.letters.lease(60, per_minute=2)
        await clock.sleep(50)
        later = await store.letters.lease(60, per_minute=2)

        assert first
        assert second
        assert third is None
        assert doubtful is not None
        assert (doubtful.key, doubtful.state) == (first.key, LetterState.UNKNOWN)
        assert later is not None
        assert (later.key, later.state) == ("case-1:reply:2", LetterState.SENDING)

    async def test_cancelled(self, store: SqlStore) -> None:
        """A letter that waits can be taken back; one that is on its way cannot."""
        await store.inbox.accept(mail())
        waiting = await store.letters.queue(letter())
        gone = await store.letters.cancel(waiting.id, "grace")
        other = await store.letters.queue(letter(number=2))
        await store.letters.lease(60, per_minute=30)

        assert (gone.state, gone.by, gone.due_at) == (LetterState.CANCELLED, "grace", None)
        for number in (waiting.id, other.id, 99):
            with pytest.raises(LetterGone):
                await store.letters.cancel(number, "grace")

    async def test_per_person(self, store: SqlStore, second_store: SqlStore, clock: HeldClock) -> None:
        """A person gets so many automatic letters a day, however many workers write; accepted and cancelled ones do not count."""
        await store.inbox.accept(mail())
        await store.letters.queue(letter(number=90, automatic=False))
        await store.letters.cancel((await store.letters.queue(letter(number=91))).id, "grace")
        made = await asyncio.gather(
            *(at.letters.queue(letter(number=n), most=2) for n, at in enumerate((store, second_store) * 5)),
            return_exceptions=True,
        )

        assert len([one for one in made if isinstance(one, Letter)]) == 2
        assert len([one for one in made if isinstance(one, TooManyLetters)]) == 8
        assert await store.letters.written("ADA@example.com", MORNING - timedelta(days=1)) == 2
        assert await store.letters.written("bob@example.com", MORNING - timedelta(days=1)) == 0
        await clock.sleep(86_401)
        assert (await store.letters.queue(letter(number=50), most=2)).key == "case-1:reply:50"

    async def test_returned(self, store: SqlStore) -> None:
        """What comes back proves that a letter had left; a letter that is only late was delivered for all we know."""
        await store.inbox.accept(mail())
        for number in range(3):
            await store.letters.queue(letter(number=number))
            await store.letters.lease(60, per_minute=30)
        await store.letters.queue(letter(number=3))
        backs = [Returned(key=f"case-1:reply:{n}", bounced=n in {0, 3}, note=f"came back {n}") for n in range(5)]
        found = [await store.letters.returned(one) for one in backs]

        assert [one and one.state for one in found] == [
            LetterState.BOUNCED,
            LetterState.SENT,
            LetterState.SENT,
            LetterState.WAITING,
            None,
        ]
        assert found[0] is not None
        assert (found[0].due_at, found[0].note) == (None, "came back 0")
