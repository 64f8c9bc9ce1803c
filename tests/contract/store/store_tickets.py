"""What every store must do with the tickets it holds, and how the search index follows it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, HeldClock, due, effect, opened, settled
from triage.domain.effects import EffectState
from triage.domain.retrieval import Coverage, IndexHealth
from triage.domain.tickets import Person, Ticket, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.index_entry import VERSION, entry_of, query_of

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


def later(before: Ticket, summary: str, minutes: int = 1) -> Ticket:
    """The ticket after a change of its summary."""
    return ticket(before.number, summary, updated=NOON + timedelta(minutes=minutes))


class TicketStoreContract:
    """The stored copy of the project."""

    async def test_tickets_are_read_by_key(self, store: SqlStore) -> None:
        """In the order asked for, each once; unknown keys are left out."""
        await store.tickets.keep([ticket(n, f"Report {n}") for n in (1, 2, 3)])
        found = await store.tickets.tickets(["OPS-3", "OPS-9", "OPS-1", "OPS-3"])

        assert found == (ticket(3, "Report 3"), ticket(1, "Report 1"))

    async def test_the_latest_version_stays(self, store: SqlStore) -> None:
        """A newer version replaces the older one; an older one changes nothing."""
        await store.tickets.keep([ticket(1, "Export fails")])
        await store.tickets.keep([later(ticket(1, ""), "Import fails")])
        await store.tickets.keep([ticket(1, "Export fails")])

        assert await store.tickets.tickets(["OPS-1"]) == (later(ticket(1, ""), "Import fails"),)

    async def test_the_latest_of_many_at_once_stays(self, store: SqlStore) -> None:
        """Whoever stores a version last, each ticket is what its newest one says, and each change has its own number."""
        versions = [later(ticket(n, ""), f"Version {minutes}", minutes) for minutes in range(12) for n in (1, 2)]
        await asyncio.gather(*(store.tickets.keep([one]) for one in versions[::5] + versions[::-1]))
        changes = await store.tickets.changes("OPS", 0, 10)

        assert [one.summary for one in await store.tickets.tickets(["OPS-1", "OPS-2"])] == ["Version 11", "Version 11"]
        assert len({one.change for one in changes}) == 2

    async def test_what_was_read_is_read_again_after_a_change(self, store: SqlStore) -> None:
        """A ticket that this process has read before shows its change, and nothing once it is forgotten or withheld."""
        await store.tickets.keep([ticket(1, "Export fails"), ticket(2, "Import fails")])
        assert len(await store.tickets.tickets(["OPS-1", "OPS-2"])) == 2
        await store.tickets.keep([later(ticket(1, ""), "Export works")])
        assert [one.summary for one in await store.tickets.tickets(["OPS-1", "OPS-2"])] == [
            "Export works",
            "Import fails",
        ]
        await store.tickets.forget(["OPS-1"])
        await store.tickets.withhold(["OPS-2"])

        assert await store.tickets.tickets(["OPS-1", "OPS-2"]) == ()

    async def test_coverage_is_stored(self, store: SqlStore) -> None:
        """By project; the latest one stands."""
        whole = Coverage(lowest=1, as_of=NOON, checked=50, reconciled=NOON)
        assert await store.tickets.coverage("OPS") is None
        await store.tickets.cover("OPS", Coverage(lowest=70, as_of=NOON))
        await store.tickets.cover("OPS", whole)

        assert await store.tickets.coverage("OPS") == whole
        assert await store.tickets.coverage("OTHER") is None

    async def test_stale_tickets_wait_to_be_read(self, store: SqlStore) -> None:
        """Known or not, once each, by project, until the tracker has told; also if nothing of them has changed."""
        await store.tickets.keep([ticket(1, "Export fails")])
        await store.tickets.mark_stale(["OPS-1", "OPS-2", "OPS-1", "OTHER-1"])

        assert set(await store.tickets.stale("OPS", 10)) == {"OPS-1", "OPS-2"}
        assert len(await store.tickets.stale("OPS", 1)) == 1
        assert await store.tickets.size("OPS") == 1
        await store.tickets.keep([ticket(1, "Export fails")])
        await store.tickets.forget(["OPS-2"])
        assert await store.tickets.stale("OPS", 10) == ()

    async def test_stored_keys_between_two_numbers(self, store: SqlStore) -> None:
        """From the lower one to below the upper one, by number and not by text; nothing that is gone."""
        await store.tickets.keep([ticket(n, "Report") for n in (2, 9, 10, 11, 100)])
        await store.tickets.forget(["OPS-10"])
        await store.tickets.mark_stale(["OPS-12"])

        assert set(await store.tickets.between("OPS", 9, 100)) == {"OPS-9", "OPS-11"}
        assert await store.tickets.between("OTHER", 1, 1000) == ()

    async def test_tickets_are_counted_up_to_a_number(self, store: SqlStore) -> None:
        """No further than asked, and only those of the project that are stored and not gone."""
        await store.tickets.keep([ticket(n, f"Report {n}") for n in (1, 2, 3, 4)])
        await store.tickets.forget(["OPS-1"])
        await store.tickets.mark_stale(["OPS-7"])

        assert [await store.tickets.size("OPS", most) for most in (2, 3, 4)] == [2, 3, 3]
        assert await store.tickets.size("OTHER", 5) == 0

    async def test_changes_come_in_order(self, store: SqlStore) -> None:
        """Each ticket once, at its latest change; what is stored again unchanged is no change; what is gone says so."""
        await store.tickets.keep([ticket(n, f"Report {n}") for n in (1, 2, 3)])
        before = await store.tickets.last_change("OPS")
        await store.tickets.keep([ticket(1, "Report 1"), later(ticket(2, ""), "Report two")])
        await store.tickets.forget(["OPS-3", "OPS-77"])
        await store.tickets.mark_stale(["OPS-8"])
        seen = await store.tickets.changes("OPS", 0, 10)

        assert [(one.key, one.ticket and one.ticket.summary) for one in seen] == [
            ("OPS-1", "Report 1"),
            ("OPS-2", "Report two"),
            ("OPS-3", None),
        ]
        assert [one.change for one in seen] == sorted({one.change for one in seen})
        assert [one.key for one in await store.tickets.changes("OPS", before, 10)] == ["OPS-2", "OPS-3"]
        assert [one.key for one in await store.tickets.changes("OPS", 0, 1)] == ["OPS-1"]
        assert [one.key for one in await store.tickets.changes("OPS", 0, 1, latest=True)] == ["OPS-3"]
        assert await store.tickets.last_change("OPS") == seen[-1].change
        assert await store.tickets.size("OPS") == 2
        assert await store.tickets.last_change("OTHER") == 0

    async def test_a_ticket_that_is_gone_may_return(self, store: SqlStore) -> None:
        """Moved away and back: as a new change."""
        await store.tickets.keep([ticket(1, "Export fails")])
        await store.tickets.forget(["OPS-1"])
        await store.tickets.keep([ticket(1, "Export fails")])
        (only,) = await store.tickets.changes("OPS", 0, 10)

        assert only.ticket == ticket(1, "Export fails")
        assert only.change == 3

    async def test_a_mark_brings_its_case_back_at_once(self, store: SqlStore, clock: HeldClock) -> None:
        """Where an answer was lost the case need not wait any longer once its ticket has been seen; others go on waiting."""
        lost, fine = await opened(store, 1), await opened(store, 2)
        await lost.ledger.intend(effect(lost.lease.case))
        await lost.ledger.settle(settled(effect(lost.lease.case), EffectState.UNKNOWN))
        await fine.ledger.intend(effect(fine.lease.case))
        await fine.ledger.settle(settled(effect(fine.lease.case)))
        for waiting in (lost, fine):
            await store.jobs.postpone(waiting.lease, 600, "waiting")

        await store.tickets.keep([ticket(43, "Export fails", labels=("triage-0123",))])

        assert await due(store, clock) == (lost.lease.case,)


async def keys(index: TantivyIndex, *words: str, limit: int = 10) -> list[str]:
    """What the index finds for a mail of these words."""
    return [hit.key for hit in (await index.find("OPS", query_of("", " ".join(words)), limit)).hits]


class TicketIndexContract:
    """The search index of one host over the store."""

    @pytest.fixture
    async def index(self, store: SqlStore, tmp_path: Path) -> AsyncIterator[TantivyIndex]:
        """In a new folder."""
        index = TantivyIndex(store.tickets, entry_of, VERSION, tmp_path / "index")
        yield index
        await index.close()

    @pytest.mark.parametrize("updated", [True, False])
    async def test_any_of_the_words_finds(self, store: SqlStore, index: TantivyIndex, *, updated: bool) -> None:
        """In any form of the word, the summary before the description, whether it is indexed or only just stored."""
        await store.tickets.keep(
            [
                ticket(1, "Login page is slow", "Nobody exports anything."),
                ticket(2, "Export of invoices fails", "Exporting stops at 80 %."),
                ticket(3, "Rates are old"),
            ]
        )
        if updated:
            assert await index.update("OPS") == 3
        found = await index.find("OPS", query_of("", "exported invoice zeppelin"), 10)

        assert [hit.key for hit in found.hits] == ["OPS-2", "OPS-1"]
        assert [hit.rank for hit in found.hits] == [1, 2]
        assert (
            found.hits[0].features
            == entry_of(ticket(2, "Export of invoices fails", "Exporting stops at 80 %.")).features
        )
        assert found.tickets == 3
        counted = (
            {term: found.frequencies[term] for term in ("export", "invoic", "zeppelin")} if found.frequencies else {}
        )
        assert counted == ({"export": 2, "invoic": 1, "zeppelin": 0} if updated else {})
        assert await keys(index, "exported", limit=1) == ["OPS-2"]
        assert (await index.find("OTHER", query_of("", "export"), 10)).hits == ()

    async def test_changes_are_found_at_once(self, store: SqlStore, index: TantivyIndex) -> None:
        """Also before they are taken in, with the score they will have then; what is gone is not found."""
        await store.tickets.keep([ticket(n, f"Export number {n} fails", "on monday") for n in range(1, 8)])
        await index.update("OPS")
        await store.tickets.keep([later(ticket(3, ""), "Quetzal fails"), ticket(9, "Export stops", "on monday")])
        await store.tickets.forget(["OPS-4"])
        mail = query_of("Export stops", "quetzal")
        before = await index.find("OPS", mail, 10)
        taken = await index.update("OPS")
        after = await index.find("OPS", mail, 10)

        assert taken == 3
        assert [hit.key for hit in before.hits[:2]] == [hit.key for hit in after.hits[:2]] == ["OPS-9", "OPS-3"]
        assert (
            {hit.key for hit in before.hits}
            == {hit.key for hit in after.hits}
            == {f"OPS-{n}" for n in (1, 2, 3, 5, 6, 7, 9)}
        )
        assert before.hits[0].score == pytest.approx(after.hits[0].score, rel=0.3)

    async def test_what_it_holds_of_a_ticket_is_read_by_key(self, store: SqlStore, index: TantivyIndex) -> None:
        """As of the last update, the latest version alone; what is gone or never came is left out."""
        old, new, gone = ticket(1, "Export fails"), later(ticket(1, ""), "Import fails"), ticket(2, "Rates are old")
        assert await index.features("OPS", ["OPS-1"]) == {}
        await store.tickets.keep([old, gone])
        await index.update("OPS")
        await store.tickets.keep([new])
        await store.tickets.forget(["OPS-2"])
        before = await index.features("OPS", ["OPS-1", "OPS-2", "OPS-3"])
        await index.update("OPS")

        assert before == {"OPS-1": entry_of(old).features, "OPS-2": entry_of(gone).features}
        assert await index.features("OPS", ["OPS-1", "OPS-2", "OPS-3"]) == {"OPS-1": entry_of(new).features}
        assert await index.features("OPS", []) == {}

    async def test_another_process_is_followed(self, store: SqlStore, index: TantivyIndex, tmp_path: Path) -> None:
        """A reader sees what another process of its host writes; another host builds an index of its own."""
        reader = TantivyIndex(store.tickets, entry_of, VERSION, tmp_path / "index", read_only=True)
        elsewhere = TantivyIndex(store.tickets, entry_of, VERSION, tmp_path / "another host")
        await store.tickets.keep([ticket(1, "Export fails")])
        await index.update("OPS")
        assert await keys(reader, "export") == ["OPS-1"]
        await store.tickets.keep([ticket(n, f"Export {n}") for n in range(2, 70)])
        await index.update("OPS")
        await elsewhere.update("OPS")

        assert [len(await keys(one, "export", limit=100)) for one in (reader, index, elsewhere)] == [69, 69, 69]
        assert await reader.update("OPS") == 0
        assert (await reader.state("OPS")).health is IndexHealth.READY

    async def test_it_can_be_built_again(self, store: SqlStore, index: TantivyIndex) -> None:
        """From the store alone, with progress, without what is gone; the files of the old one are removed."""
        await store.tickets.keep([ticket(n, f"Export {n}") for n in range(1, 21)])
        await index.update("OPS")
        await store.tickets.forget(["OPS-1"])
        told: list[tuple[int, int]] = []
        built = await index.rebuild("OPS", lambda done, of: told.append((done, of)))
        state = await index.state("OPS")

        assert built == 19
        assert told == [(19, 19)]
        assert (state.health, state.tickets, state.behind, state.trouble) == (IndexHealth.READY, 19, 0, "")
        assert state.size > 0
        assert len([path for path in Path(state.folder).iterdir() if path.is_dir()]) == 1

    async def test_words_are_counted(self, store: SqlStore, index: TantivyIndex) -> None:
        """In how many tickets each term stands; nothing is counted while there is no index."""
        await store.tickets.keep(
            [ticket(n, "Exports of the day", "The error log." if n < 3 else "An error.") for n in range(1, 6)]
        )
        before = await index.frequencies("OPS", ["export", "log"])
        await index.update("OPS")

        assert before == {}
        assert await index.frequencies("OPS", ["export", "log", "zeppelin"]) == {"export": 5, "log": 2, "zeppelin": 0}

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
    async def test_no_word_breaks_out_of_the_query(self, store: SqlStore, index: TantivyIndex, word: str) -> None:
        """Whatever a mail or a ticket says, it is searched for as a word or not at all."""
        await store.tickets.keep([ticket(1, "Export fails", HOSTILE), ticket(2, "Rates", word)])
        await index.update("OPS")

        assert "OPS-1" in await keys(index, word, "export")
        assert "OPS-1" in [hit.key for hit in (await index.find("OPS", {word: 9.0, "export": 1.0}, 10)).hits]
        assert (await index.state("OPS")).health is IndexHealth.READY


class PeopleIndexContract:
    """Whose the tickets are."""

    async def test_open_tickets_are_counted_by_person(self, store: SqlStore) -> None:
        """What waits apart from what is in progress; done tickets and those of nobody are in no count."""
        ann, bo = (Person(id=name, name=Untrusted(name)) for name in ("ann", "bo"))
        await store.tickets.keep(
            [
                ticket(1, "a", assignee=ann),
                ticket(2, "b", assignee=ann, category="indeterminate"),
                ticket(3, "c", assignee=bo, category="done"),
                ticket(4, "d"),
                ticket(5, "e", assignee=bo),
            ]
        )
        await store.tickets.forget(["OPS-5"])
        before = await store.people_index.workloads("OPS")
        await store.tickets.keep([ticket(1, "a", assignee=bo, updated=NOON + timedelta(minutes=1))])

        assert before == {"ann": Workload(waiting=1, in_progress=1)}
        assert await store.people_index.workloads("OPS") == {"ann": Workload(in_progress=1), "bo": Workload(waiting=1)}
        assert await store.people_index.workloads("OTHER") == {}

    async def test_what_belongs_to_somebody_is_told(self, store: SqlStore) -> None:
        """The latest updated first, however old, the newest thousand with their text; kept for some minutes."""
        ann = Person(id="ann", name=Untrusted("Ann"))
        times = {1: NOON, 2: NOON - timedelta(days=3), 3: NOON - timedelta(days=400)}
        await store.tickets.keep([ticket(n, "a", "text", assignee=ann, updated=at) for n, at in times.items()])
        await store.tickets.keep([ticket(4, "b", "text")])
        found = await store.people_index.assigned("OPS")

        assert [(one.key, one.description) for one in found] == [
            ("OPS-1", "text"),
            ("OPS-2", "text"),
            ("OPS-3", "text"),
        ]
        assert await store.people_index.assigned("OPS") is found
