"""Earlier tickets as votes."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.people.votes import touched, votes_of, work_of

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def ticket(who: str, *components: str, days: float | None = 0) -> Ticket:
    """An assigned ticket, touched so many days ago."""
    return Ticket(
        key="OPS-1",
        summary=Untrusted("Export"),
        status="Done",
        category="done",
        issue_type="Bug",
        assignee=Person(id=who, name=Untrusted(who)) if who else None,
        components=components,
        updated=None if days is None else NOW - timedelta(days=days),
    )


def test_work_halves_with_age() -> None:
    """A ticket of a half-life ago counts half, on its components and at all, whoever asks later."""
    people: dict[str, int] = {}
    votes = votes_of([ticket("ada", "Web", "Tax"), ticket("bob", "Tax", days=30)], people, {})
    work = work_of(votes, 30.0, len(people))
    everything, each = work.amounts(votes.newest + 30, np.array([True, True, True]))

    assert work.all.tolist() == pytest.approx([1, 0.5])
    assert work.on.tolist() == pytest.approx(np.array([[1, 1], [0, 0.5]]))
    assert everything.tolist() == pytest.approx([0.5, 0.25, 0])
    assert each[:, votes.components["Tax"]].tolist() == pytest.approx([0.5, 0.25, 0])


def test_who_is_not_there_has_done_nothing() -> None:
    """People who are gone have no part in the amounts."""
    people: dict[str, int] = {}
    votes = votes_of([ticket("ada", "Web"), ticket("bob", "Web")], people, {})
    everything, each = work_of(votes, 30.0, len(people)).amounts(votes.newest, np.array([False, True]))

    assert (everything.tolist(), each.tolist()) == ([0, 1], [[0], [1]])


def test_found_tickets_come_first_with_their_own_components() -> None:
    """A component that only a found ticket has gets a column behind the known ones."""
    people: dict[str, int] = {}
    known = votes_of([ticket("ada", "Web"), ticket("bob", "Tax")], people, {})
    both = votes_of([ticket("", "New", days=None)], people, dict(known.components)).and_first(known, 1)

    assert both.owner.tolist() == [-1, 0]
    assert both.has.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert both.day[0] == 0
    assert known.components == {"Web": 0, "Tax": 1}
    assert both.shares_of({"New": 0.7, "Other": 0.3}).tolist() == [0, 0, 0.7]


def test_a_time_without_zone_is_utc() -> None:
    """The creation counts where no change is known."""
    made = Ticket(
        key="OPS-2", summary=Untrusted("Export"), status="Open", category="new", issue_type="Bug",
        created=datetime(2026, 11, 20, 9),  # noqa: DTZ001 - some trackers give none
    )  # fmt: skip

    assert touched(made) == NOW
