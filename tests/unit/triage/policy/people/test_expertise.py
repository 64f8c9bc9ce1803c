"""What earlier tickets teach about people."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.people.expertise import MODEL_FEATURES, Expertise, expertise_of, history_of, neighbours_of

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
ADA = Person(id="ada", name=Untrusted("Ada Byron"))
BOB = Person(id="bob", name=Untrusted("Bob Ray"))


def ticket(number: int, summary: str, who: Person | None, *components: str, days: float | None = 1) -> Ticket:
    """An earlier ticket, touched so many days ago."""
    return Ticket(
        key=f"OPS-{number}",
        summary=Untrusted(summary),
        status="Done",
        category="done",
        issue_type="Bug",
        assignee=who,
        components=components,
        updated=None if days is None else NOW - timedelta(days=days),
    )


def learnt(
    title: str, *tickets: Ticket, found: tuple[Ticket, ...] = (), components: tuple[str, ...] = (), gone: str = ""
) -> Expertise:
    """What these assigned tickets teach about a new one."""
    history = history_of(tickets)
    return expertise_of(
        neighbours_of(title, "", found, history), history, dict.fromkeys(components, 1.0), {"ada", "bob"} - {gone}
    )


def share(told: Expertise, name: str, person: str) -> float:
    """One person's share of one sort of votes."""
    return float(told.shares[name][told.people[person]])


def test_a_faint_likeness_is_no_evidence() -> None:
    """A neighbour that shares one word of many votes, and is not named as similar."""
    told = learnt(
        "Invoice export stops because the nightly batch of customs declarations loses its connection",
        ticket(1, "Export button of the grey old printer dialog has the wrong colour on tablets", ADA),
        ticket(2, "Nightly batch of customs declarations loses its connection", BOB),
    )

    assert share(told, "similar", "ada") > 0
    assert (told.similar[told.people["ada"]], told.similar[told.people["bob"]]) == ((), ("OPS-2",))


def test_the_hundred_nearest_count_alike() -> None:
    """A close neighbour has one vote as a distant one has, and whoever is not among them has none."""
    told = learnt(
        "Invoice export stops",
        *(ticket(n, "Export of parcels and letters", ADA) for n in range(1, 4)),
        ticket(4, "Invoice export stops", BOB),
        ticket(5, "Login", BOB),
    )

    assert share(told, "nearest", "bob") == pytest.approx(0.25)
    assert share(told, "similar", "bob") > share(told, "similar", "ada")


def test_who_did_the_like_has_the_larger_part() -> None:
    """Neighbours vote by likeness, and the tickets that argue for it are named, the strongest first."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops at night", ADA),
        ticket(2, "Export of parcels", ADA),
        ticket(3, "Export button is grey", BOB),
        ticket(4, "Login page is slow", BOB),
    )

    assert share(told, "similar", "ada") > 0.9
    assert told.similar[told.people["ada"]] == ("OPS-1", "OPS-2")
    assert told.similar[told.people["bob"]] == ("OPS-3",)
    assert told.closest[told.people["ada"]] > told.closest[told.people["bob"]] > 0


def test_fresh_work_counts_more() -> None:
    """Of two tickets alike, the one of half a year ago has a quarter of the vote, however long ago the newest one is."""
    for since in (0, 400):
        told = learnt(
            "Invoice export stops",
            ticket(1, "Invoice export stops", ADA, days=since),
            ticket(2, "Invoice export stops", BOB, days=since + 180),
        )

        assert share(told, "similar", "bob") == pytest.approx(share(told, "similar", "ada") / 4, rel=0.01)
        assert share(told, "similar_ever", "bob") == pytest.approx(0.5)
        assert told.days[told.people["bob"]] == 180


def test_found_tickets_count_with_the_known_ones() -> None:
    """A ticket that the search found and the list holds is one; a person whom only the search knows is known."""
    same = ticket(1, "Invoice export stops", ADA)
    told = learnt("Invoice export stops", same, found=(same, ticket(2, "Invoice export stops", BOB)))

    assert share(told, "similar", "bob") == pytest.approx(0.5)
    assert told.latest == {"ada": NOW - timedelta(days=1)}


def test_work_on_the_component_counts_without_likeness() -> None:
    """Whoever does most of the recent work on it; little work leaves a part to nobody, and nobody works on an unknown one."""
    told = learnt(
        "Zeppelin",
        *(ticket(n, "Tax is wrong", BOB, "Billing") for n in range(2, 5)),
        ticket(1, "Invoice", ADA, "Billing"),
        ticket(9, "Login page is slow", ADA, "Web"),
        components=("Billing", "Unknown"),
    )

    assert share(told, "component_60", "bob") == pytest.approx(0.6, abs=0.01)
    assert share(told, "component_60", "ada") == pytest.approx(0.2, abs=0.01)
    assert set(told.worked) == {"Billing", "Unknown"}
    assert told.worked["Unknown"].sum() == 0
    assert share(told, "similar", "bob") == 0


def test_neighbours_of_the_component_weigh_more() -> None:
    """Of two equally like tickets, the one of the probable component speaks louder."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops", ADA, "Billing"),
        ticket(2, "Invoice export stops", BOB, "Web"),
        components=("Billing",),
    )

    assert share(told, "similar", "ada") == share(told, "similar", "bob")
    assert share(told, "joint", "ada") > 0.9


def test_who_is_not_there_shares_out() -> None:
    """Tickets of people who cannot take this one leave their part to the others."""
    tickets = (ticket(1, "Invoice export stops", ADA), ticket(2, "Invoice export stops", BOB), ticket(3, "Tax", None))
    told = learnt("Invoice export stops", *tickets, gone="ada")

    assert set(told.people) == {"bob"}
    assert share(told, "similar", "bob") == 1


def test_nothing_known_is_no_error() -> None:
    """No ticket at all, none with an assignee, none with a time, no word in the mail."""
    empty = learnt("Zeppelin")
    undated = learnt("", ticket(1, "Invoice export stops", BOB, days=None), found=(ticket(2, "", None, days=None),))

    assert empty.features().shape == (0, len(MODEL_FEATURES))
    assert undated.features().shape == (1, len(MODEL_FEATURES))
    assert share(undated, "similar", "bob") == 0
    assert undated.latest == {}


def test_the_history_is_prepared_once() -> None:
    """The same list gives the same object; an equal list is another one."""
    tickets = (ticket(1, "Invoice export stops", ADA), ticket(2, "Login", BOB))
    again = (*tickets,)

    assert history_of(tickets) is history_of(tickets)
    assert history_of(again) is not history_of(tickets)
    assert history_of(tickets).solved == 2


def test_technologies_are_learnt_from_repetition() -> None:
    """Two tickets about a technology make somebody know it, one does not."""
    told = history_of(
        (
            ticket(1, "Kafka consumer hangs", ADA),
            ticket(2, "Kafka lag", ADA),
            ticket(3, "Kafka topic missing", BOB),
        )
    ).technologies

    assert told == {"ada": frozenset({"Kafka"}), "bob": frozenset()}


def test_the_latest_ticket_is_remembered() -> None:
    """Also where a time has no zone, which is then UTC."""
    bare = (NOW - timedelta(days=3)).replace(tzinfo=None)
    created = Ticket(
        key="OPS-2", summary=Untrusted("b"), status="x", category="new", issue_type="Bug", assignee=ADA, created=bare
    )

    assert history_of((ticket(1, "a", ADA, days=9), created)).latest == {"ada": NOW - timedelta(days=3)}
