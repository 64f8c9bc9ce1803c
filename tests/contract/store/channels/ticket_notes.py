"""What every store must do with our notes on tickets, and with commands that people wrote there."""

from dataclasses import replace
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, HeldClock, effect, opened, settled
from triage.domain.channels.ticket_notes import HeardCommand, Hearing, TicketNote
from triage.domain.ports import Commands, TicketNotes

LEASE = timedelta(minutes=2)
NOTE = TicketNote(key="approval 1", ticket="OPS-7", body=f"May it? {HOSTILE[:3]}", shown="abc")


def command(clock: HeldClock) -> HeardCommand:
    """A command in a comment."""
    return HeardCommand(comment="10001", ticket="OPS-7", person="ada", at=clock.now())


class TicketNotesContract:
    """The ports `TicketNotes` and `Commands`."""

    async def test_notes_are_ports(self, store: SqlStore) -> None:
        """One adapter is both."""
        ports: tuple[TicketNotes, Commands] = store.ticket_notes, store.ticket_notes

        assert all(ports)

    async def test_a_note_is_written_once(self, store: SqlStore, second_store: SqlStore, clock: HeldClock) -> None:
        """One process gets it; what it says is remembered, and the same words are not wanted twice."""
        await store.ticket_notes.want(NOTE)
        mine = await store.ticket_notes.due(clock.now() + LEASE)

        assert mine == replace(NOTE, body=mine.body, tries=1) if mine else False
        assert mine is not None
        assert await second_store.ticket_notes.due(clock.now() + LEASE) is None
        await store.ticket_notes.written(mine, "501")
        await store.ticket_notes.want(replace(NOTE, body=mine.body))
        assert await store.ticket_notes.due(clock.now() + LEASE) is None
        (known,) = await second_store.ticket_notes.standing()
        assert (known.comment, known.written, known.tries) == ("501", mine.body, 1)

    async def test_after_a_crash_another_process_writes_it(self, store: SqlStore, clock: HeldClock) -> None:
        """When the lease is over, and it learns that somebody has tried."""
        await store.ticket_notes.want(NOTE)
        await store.ticket_notes.due(clock.now() + LEASE)
        await clock.sleep(121)
        again = await store.ticket_notes.due(clock.now() + LEASE)

        assert again is not None
        assert again.tries == 2

    async def test_a_note_says_other_words_later(self, store: SqlStore, clock: HeldClock) -> None:
        """Words that are wanted while the comment is written stay due; final ones stay as they are."""
        await store.ticket_notes.want(NOTE)
        first = await store.ticket_notes.due(clock.now() + LEASE)
        assert first is not None
        await store.ticket_notes.want(replace(NOTE, body="Accepted", final=True))
        await store.ticket_notes.written(first, "501")
        await store.ticket_notes.want(replace(NOTE, body="Something else"))
        last = await store.ticket_notes.due(clock.now() + LEASE)

        assert last is not None
        assert (last.body, last.comment, last.final) == ("Accepted", "501", True)
        assert await store.ticket_notes.standing() == ()

    async def test_a_note_that_cannot_be_written(self, store: SqlStore, clock: HeldClock) -> None:
        """It is tried when it is said, or never."""
        await store.ticket_notes.want(NOTE)
        note = await store.ticket_notes.due(clock.now() + LEASE)
        assert note is not None
        await store.ticket_notes.later(note, clock.now() + LEASE)
        assert await store.ticket_notes.due(clock.now() + LEASE) is None
        await clock.sleep(121)
        assert await store.ticket_notes.due(clock.now() + LEASE) is not None
        await store.ticket_notes.later(note, None)
        await clock.sleep(86_400)
        assert await store.ticket_notes.due(clock.now() + LEASE) is None

    async def test_a_command_is_carried_out_once(
        self, store: SqlStore, second_store: SqlStore, clock: HeldClock
    ) -> None:
        """Whoever reads it next is told that it is held, then that it is done."""
        heard, until = command(clock), clock.now() + LEASE

        assert await store.ticket_notes.hear(heard, until) is Hearing.MINE
        assert await second_store.ticket_notes.hear(heard, until) is Hearing.HELD
        await store.ticket_notes.obeyed(heard.comment, "done")
        await clock.sleep(600)
        assert await second_store.ticket_notes.hear(heard, clock.now() + LEASE) is Hearing.DONE

    async def test_a_command_of_a_process_that_died(self, store: SqlStore, clock: HeldClock) -> None:
        """It is somebody else's when the lease is over."""
        heard = command(clock)
        await store.ticket_notes.hear(heard, clock.now() + LEASE)
        await clock.sleep(121)

        assert await store.ticket_notes.hear(heard, clock.now() + LEASE) is Hearing.MINE

    async def test_position_among_the_changes(self, store: SqlStore) -> None:
        """None before the first look; then what was said last."""
        assert await store.ticket_notes.position("OPS") is None
        await store.ticket_notes.moved("OPS", 3)
        await store.ticket_notes.moved("OPS", 2**40)

        assert await store.ticket_notes.position("OPS") == 2**40

    async def test_tickets_that_we_wrote_to(self, store: SqlStore) -> None:
        """By an effect or a note; the latest case that wrote there is known."""
        for number in (1, 2):
            leased = await opened(store, number)
            intent = replace(effect(leased.lease.case), kind="comment", target="OPS-7")
            await leased.ledger.intend(intent)
            await leased.ledger.settle(settled(intent))
        await store.ticket_notes.want(replace(NOTE, ticket="OPS-8"))

        assert [await store.ticket_notes.touched(f"OPS-{number}") for number in (6, 7, 8)] == [False, True, True]
        assert await store.ticket_notes.written_by_us("OPS-7") == "case-2"
        assert await store.ticket_notes.written_by_us("OPS-8") == ""
