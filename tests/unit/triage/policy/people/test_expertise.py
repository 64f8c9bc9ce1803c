"""What earlier tickets teach about people."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.people.expertise import Expertise, learn, nearest

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


def learnt(title: str, *tickets: Ticket, text: str = "", components: tuple[str, ...] = ()) -> Expertise:
    """What these tickets teach about a new one."""
    return learn(title, text, tickets, {"ada", "bob"}, components, at=NOW, half_life_days=90)


def test_who_did_the_like_has_the_larger_part() -> None:
    """Neighbours vote by likeness, and the tickets that argue for it are named, the strongest first."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops at night", ADA),
        ticket(2, "Export of parcels", ADA),
        ticket(3, "Export button is grey", BOB),
        ticket(4, "Login page is slow", BOB),
    ).similar

    assert told["ada"].share > 0.9
    assert told["ada"].keys == ("OPS-1", "OPS-2")
    assert told["bob"].keys == ("OPS-3",)
    assert sum(similar.share for similar in told.values()) < 1


def test_the_nearest_are_like_the_mail() -> None:
    """The most alike first, so many at most, and none that shares no word."""
    tickets = [
        ticket(1, "Export button is grey", BOB),
        ticket(2, "Invoice export stops at night", ADA),
        ticket(3, "Login page is slow", BOB),
    ]

    assert [t.key for t in nearest("Invoice export stops", "", tickets, 5)] == ["OPS-2", "OPS-1"]
    assert [t.key for t in nearest("Invoice export stops", "", tickets, 1)] == ["OPS-2"]


def test_fresh_work_counts_more() -> None:
    """Of two tickets alike, the one of half a year ago has a quarter of the vote."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops", ADA, days=0),
        ticket(2, "Invoice export stops", BOB, days=180),
    ).similar

    assert told["bob"].share == pytest.approx(told["ada"].share / 4, rel=0.01)


def test_one_faint_likeness_is_no_certainty() -> None:
    """Where only a common word is shared, nobody gets the whole of it."""
    faint = learnt(
        "The customs declaration of frozen fish lacks a tariff code since the new release",
        ticket(1, "Release notes for the driver app lack a picture of every scanner", ADA, days=120),
    )

    assert 0 < faint.similar["ada"].share < 0.4


def test_nothing_alike_is_nothing() -> None:
    """Tickets without a word in common say nothing, and no component is guessed from them."""
    told = learnt("Zeppelin", ticket(1, "Login page is slow", ADA, "Web"))

    assert (told.similar, told.components) == ({}, {})


def test_the_component_is_told_by_neighbours() -> None:
    """Whoever does most of the recent work on the component of similar tickets counts for it, also without likeness."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops at night", ADA, "Billing"),
        *(ticket(n, "Tax is wrong", BOB, "Billing") for n in range(2, 5)),
        ticket(9, "Login page is slow", BOB, "Web"),
    ).components

    assert told["bob"]["Billing"] > 2 * told["ada"]["Billing"]
    assert told["bob"].keys() == {"Billing"}


def test_a_component_that_is_named_needs_no_neighbour() -> None:
    """`invoices` names Invoicing, though no earlier ticket is alike; a name without words names nothing."""
    told = learnt("Where are my invoices?", ticket(1, "Tax is wrong", ADA, "Invoicing", "?"))

    assert set(told.components["ada"]) == {"Invoicing"}


def test_a_known_component_is_not_guessed() -> None:
    """What is said beats what is like it; several known ones share the weight, one without work is nobody's."""
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops at night", ADA, "Billing"),
        ticket(2, "Login page is slow", BOB, "Web"),
        components=("Web", "Unknown"),
    ).components

    assert told == {"bob": {"Web": pytest.approx(0.25, abs=0.01)}}


def test_technologies_are_learnt_from_repetition() -> None:
    """Two tickets about a technology make somebody know it, one does not."""
    told = learnt(
        "x",
        ticket(1, "Kafka consumer hangs", ADA),
        ticket(2, "Kafka lag", ADA),
        ticket(3, "Kafka topic missing", BOB),
    ).technologies

    assert told == {"ada": frozenset({"Kafka"}), "bob": frozenset()}


def test_the_latest_ticket_is_remembered() -> None:
    """Also where a time has no zone, which is then ours; tickets without any time are old and count for nothing."""
    bare = (NOW - timedelta(days=3)).replace(tzinfo=None)
    undated = ticket(3, "Invoice export stops", BOB, days=None)
    told = learnt(
        "Invoice export stops",
        ticket(1, "a", ADA, days=9),
        Ticket(
            key="OPS-2",
            summary=Untrusted("b"),
            status="x",
            category="new",
            issue_type="Bug",
            assignee=ADA,
            created=bare,
        ),
        undated,
    )

    assert told.latest == {"ada": NOW - timedelta(days=3)}
    assert told.similar["bob"].share == 0


def test_only_these_people_count() -> None:
    """Tickets of nobody, and of people who cannot take this one, leave no trace; a ticket that comes twice is one."""
    gone = Person(id="gone", name=Untrusted("Gone"))
    told = learnt(
        "Invoice export stops",
        ticket(1, "Invoice export stops", gone),
        ticket(2, "Invoice export stops", None),
        ticket(3, "Invoice export stops", ADA),
        ticket(3, "Invoice export stops", ADA),
    )

    assert told.similar.keys() == told.latest.keys() == {"ada"}
    assert told.similar["ada"].keys == ("OPS-3",)


def test_long_texts_do_not_drown_titles() -> None:
    """Ten times the same word in a stack trace says little more than once."""
    noisy = Ticket(
        key="OPS-1", summary=Untrusted("Login"), description=Untrusted("export " * 500), status="x", category="new",
        issue_type="Bug", assignee=BOB, updated=NOW,
    )  # fmt: skip
    told = learnt("Invoice export stops", noisy, ticket(2, "Invoice export stops", ADA))

    assert told.similar["ada"].share > 5 * told.similar["bob"].share
