"""What every store must do with the tickets it remembers."""

from datetime import UTC, datetime, timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, HeldClock, due, effect, opened, settled
from triage.domain.effects import EffectState
from triage.domain.tickets import Coverage, Person, Ticket, Workload
from triage.domain.untrusted import Untrusted

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def ticket(number: int, summary: str, description: str = "", **values: object) -> Ticket:
    """OPS-… as of noon."""
    given = {"status": "To Do", "category": "new", "issue_type": "Bug", "updated": NOON} | values
    return Ticket(
        key=f"OPS-{number}",
        summary=Untrusted(summary),
        description=Untrusted(description),
        **given,  # type: ignore[arg-type]  # values by name
    )


class TicketIndexContract:
    """The index of the project."""

    async def test_any_of_the_words_finds(self, store: SqlStore) -> None:
        """In any form of the word, the summary before the description; other projects stay out."""
        await store.index.keep(
            [
                ticket(1, "Login page is slow", "Nobody exports anything."),
                ticket(2, "Export of invoices fails", "Exporting stops at 80 %."),
                ticket(3, "Rates are old"),
            ]
        )

        found = await store.index.find("OPS", ("exported", "invoice", "zeppelin"), 10)

        assert [one.key for one in found] == ["OPS-2", "OPS-1"]
        assert await store.index.find("OPS", ("exported",), 1) == (found[0],)
        assert await store.index.find("OTHER", ("export",), 10) == ()
        assert await store.index.size("OPS") == 3

    async def test_what_is_told_later_stands(self, store: SqlStore) -> None:
        """A newer telling takes the place of the older one, with its words; an older one changes nothing."""
        await store.index.keep([ticket(1, "Export fails")])
        later = ticket(1, "Import fails", status="Done", category="done", updated=NOON + timedelta(minutes=1))
        await store.index.keep([later])
        await store.index.keep([ticket(1, "Export fails")])

        assert await store.index.find("OPS", ("export",), 10) == ()
        assert await store.index.find("OPS", ("import",), 10) == (later,)

    async def test_words_are_counted(self, store: SqlStore) -> None:
        """In how many tickets each stands, in any form and in all its parts; what is no word is not counted."""
        await store.index.keep(
            [ticket(n, "Exports of the day", "The error log." if n < 3 else "An error.") for n in range(1, 6)]
        )
        counted = await store.index.frequencies(["export", "error.log", "error", "zeppelin", "'", HOSTILE])

        assert {word: counted[word] for word in ("export", "error.log", "error", "zeppelin")} == {
            "export": 5,
            "error.log": 2,
            "error": 5,
            "zeppelin": 0,
        }
        assert "'" not in counted

    async def test_coverage_is_remembered(self, store: SqlStore) -> None:
        """By project; the latest word stands."""
        assert await store.index.coverage("OPS") is None
        await store.index.cover("OPS", Coverage(lowest=70, as_of=NOON))
        await store.index.cover("OPS", Coverage(lowest=1, as_of=NOON))

        assert await store.index.coverage("OPS") == Coverage(lowest=1, as_of=NOON)
        assert await store.index.coverage("OTHER") is None

    async def test_forgotten_is_gone(self, store: SqlStore) -> None:
        """With its words; forgetting what is not there is fine."""
        await store.index.keep([ticket(1, "Export fails"), ticket(2, "Export is slow")])
        await store.index.forget(["OPS-1", "OPS-99"])

        assert [one.key for one in await store.index.find("OPS", ("export",), 10)] == ["OPS-2"]

    async def test_what_is_doubted_waits_to_be_looked_at(self, store: SqlStore) -> None:
        """Known or not, once each, in the order of the doubts, until the tracker has told."""
        await store.index.keep([ticket(1, "Export fails")])
        await store.index.mark_stale(["OPS-1", "OPS-2", "OPS-1"])

        assert set(await store.index.stale(10)) == {"OPS-1", "OPS-2"}
        assert len(await store.index.stale(1)) == 1
        assert await store.index.size("OPS") == 1
        await store.index.keep([ticket(1, "Export fails")])
        await store.index.forget(["OPS-2"])
        assert await store.index.stale(10) == ()

    @pytest.mark.parametrize(
        "word",
        [
            "'",
            '"',
            "a:b",
            "OR",
            "x'); DROP TABLE tickets; --",
            "&",
            "!",
            "a*",
            "^",
            "\0",
            "\udc80",
            "",
            HOSTILE,
            "NEAR(",
        ],
    )
    async def test_no_word_breaks_out_of_the_question(self, store: SqlStore, word: str) -> None:
        """Whatever a mail says, it is looked for as a word or not at all."""
        await store.index.keep([ticket(1, "Export fails", HOSTILE)])

        assert [one.key for one in await store.index.find("OPS", (word, "export"), 10)] == ["OPS-1"]

    async def test_a_mark_brings_its_case_back_at_once(self, store: SqlStore, clock: HeldClock) -> None:
        """Where an answer was lost the case need not wait any longer once its ticket has been seen; others go on waiting."""
        lost, fine = await opened(store, 1), await opened(store, 2)
        await lost.ledger.intend(effect(lost.lease.case))
        await lost.ledger.settle(settled(effect(lost.lease.case), EffectState.UNKNOWN))
        await fine.ledger.intend(effect(fine.lease.case))
        await fine.ledger.settle(settled(effect(fine.lease.case)))
        for waiting in (lost, fine):
            await store.jobs.postpone(waiting.lease, 600, "waiting")

        await store.index.keep([ticket(43, "Export fails", labels=("triage-0123",))])

        assert await due(store, clock) == (lost.lease.case,)


class PeopleIndexContract:
    """Whose the tickets are."""

    async def test_open_tickets_are_counted_by_person(self, store: SqlStore) -> None:
        """What waits apart from what is in progress; done tickets and those of nobody are in no count."""
        ann, bo = (Person(id=name, name=Untrusted(name)) for name in ("ann", "bo"))
        await store.index.keep(
            [
                ticket(1, "a", assignee=ann),
                ticket(2, "b", assignee=ann, category="indeterminate"),
                ticket(3, "c", assignee=bo, category="done"),
                ticket(4, "d"),
            ]
        )
        before = await store.people_index.workloads("OPS")
        await store.index.keep([ticket(1, "a", assignee=bo, updated=NOON + timedelta(minutes=1))])

        assert before == {"ann": Workload(waiting=1, in_progress=1)}
        assert await store.people_index.workloads("OPS") == {"ann": Workload(in_progress=1), "bo": Workload(waiting=1)}
        assert await store.people_index.workloads("OTHER") == {}

    async def test_what_belongs_to_somebody_is_told(self, store: SqlStore) -> None:
        """The latest updated first, without their text, from half a year; kept for some minutes."""
        ann = Person(id="ann", name=Untrusted("Ann"))
        times = {1: NOON, 2: NOON - timedelta(days=3), 3: NOON - timedelta(days=400)}
        await store.index.keep([ticket(n, "a", "text", assignee=ann, updated=at) for n, at in times.items()])
        await store.index.keep([ticket(4, "b", "text")])
        found = await store.people_index.assigned("OPS")

        assert [(one.key, one.description) for one in found] == [("OPS-1", ""), ("OPS-2", "")]
        assert await store.people_index.assigned("OPS") is found
