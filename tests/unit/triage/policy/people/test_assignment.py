"""Whom a ticket is proposed for, and every point of it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from triage.config.team import Absence, Member, Weights
from triage.domain.findings import LeftOut, Point
from triage.domain.tickets import Person, Ticket, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.people.assignment import Crew, Ranking, Task, meant_by, members_of, suggest, unclear

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
ADA = Person(id="ada", name=Untrusted("Ada Byron"), email="ada@example.com")
BOB = Person(id="bob", name=Untrusted("Bob Ray"))
EVE = Person(id="eve", name=Untrusted("Eve Hill"))
TASK = Task(title="Zeppelin stops", issue_type="Bug", priority="Medium", at=NOW)
CREW = Crew(people=(ADA, BOB, EVE))


def busy(**counts: int) -> dict[str, Workload]:
    """Open tickets by person."""
    return {person: Workload(waiting=count) for person, count in counts.items()}


def done(number: int, who: Person, summary: str, *components: str, days: int = 1) -> Ticket:
    """An earlier ticket."""
    return Ticket(
        key=f"OPS-{number}", summary=Untrusted(summary), status="Done", category="done", issue_type="Bug",
        assignee=who, components=components, updated=NOW - timedelta(days=days),
    )  # fmt: skip


def points(ranking: Ranking, person: Person) -> dict[str, float]:
    """Reasons and values of one person."""
    return {
        point.why: point.value
        for suggestion in ranking.ranked
        if suggestion.person == person
        for point in suggestion.points
    }


def test_the_documents_points() -> None:
    """Skills ten each, the role fifteen, seniority ten, being named twenty-five, free hands twenty less the open ones."""
    team = (Member(person="Ada Byron", roles=("Senior Developer",), skills=("postgres", "Python", "COBOL")),)
    task = replace(TASK, priority="Highest", technologies=("PostgreSQL", "cobol"), named=("Ada Byron",))
    ranking = suggest(task, replace(CREW, team=team, workloads=busy(ada=3)))

    assert points(ranking, ADA) == {
        "named in the mail": 25.0,
        "3 open tickets": 17.0,
        "Senior Developer for a Bug": 15.0,
        "knows PostgreSQL": 10.0,
        "knows cobol": 10.0,
        "Senior Developer for Highest": 10.0,
    }
    assert ranking.ranked[0].person == ADA
    assert ranking.ranked[0].score == 87.0
    assert [point.value for point in ranking.ranked[0].points] == [25.0, 17.0, 15.0, 10.0, 10.0, 10.0]


@pytest.mark.parametrize(
    ("role", "issue_type", "value"),
    [
        ("Developer", "Bug", 15.0),
        ("developers", "incident", 15.0),
        ("Product Owner", "Story", 15.0),
        ("Product Owner", "New Feature", 15.0),
        ("Administrator", "Task", 10.0),
        ("Developer", "Story", 0.0),
        ("Support", "Task", 0.0),
        ("Undeveloper", "Bug", 0.0),
    ],
)
def test_roles_fit_types(role: str, issue_type: str, value: float) -> None:
    """A developer takes bugs, a product role stories, an admin tasks; the beginning of a word says which it is."""
    team = (Member(person="ada", roles=(role, role)),)
    ranking = suggest(replace(TASK, issue_type=issue_type), Crew(people=(ADA,), team=team, workloads=busy(ada=20)))

    assert sum(points(ranking, ADA).values()) == value


def test_a_named_person_may_go_by_address() -> None:
    """Where two bear one name, the cue is the address; nobody's missing address is anybody's."""
    ranking = suggest(replace(TASK, named=("ada@example.com",)), CREW)

    assert points(ranking, ADA)["named in the mail"] == 25.0
    assert "named in the mail" not in points(ranking, BOB)


def test_what_is_learnt_leads() -> None:
    """Who does this work is first, though others have freer hands; the tickets that argue for it are told."""
    tickets = (
        done(1, ADA, "Zeppelin stops in the rain", "Flight"),
        done(2, ADA, "Zeppelin leaks", "Flight"),
        done(3, BOB, "Login is slow", "Web"),
    )
    ranking = suggest(TASK, replace(CREW, tickets=tickets, workloads=busy(ada=19, bob=1)))
    told = points(ranking, ADA)

    assert [s.person for s in ranking.proposals] == [ADA, BOB]
    assert set(told) == {"similar: OPS-1, OPS-2", "recent work on Flight", "19 open tickets"}
    assert told["similar: OPS-1, OPS-2"] > 100
    assert points(ranking, BOB) == {"1 open ticket": 19.0}


def test_idle_strangers_are_no_experts_in_having_time() -> None:
    """Who takes no part in the project gets nothing for having no ticket in it; where nobody takes part, all do."""
    ranking = suggest(TASK, replace(CREW, workloads=busy(ada=4), team=(Member(person="bob"),)))

    assert [(s.person, s.score) for s in ranking.ranked] == [(BOB, 20.0), (ADA, 16.0), (EVE, 0.0)]
    assert [s.person for s in ranking.proposals] == [BOB, ADA]
    assert {s.score for s in suggest(TASK, CREW).ranked} == {20.0}


def test_five_points_are_not_enough() -> None:
    """Whoever has no more than five is not proposed; a setting may ask for more."""
    ranking = suggest(TASK, Crew(people=(ADA, BOB), workloads=busy(ada=15, bob=14)))
    strict = suggest(TASK, Crew(people=(ADA,), workloads=busy(ada=1)), Weights(threshold=19.0))

    assert [(s.person.id, s.score) for s in ranking.proposals] == [("bob", 6.0)]
    assert strict.proposals == ()


def test_ties_go_to_the_least_recently_assigned() -> None:
    """Who has never had a ticket comes first, then whose last one is longest ago; then the alphabet, so that it is fair
    and the same each time.
    """
    tickets = (done(1, ADA, "Login"), done(2, BOB, "Parcel", days=9))
    people = (ADA, BOB, EVE, replace(EVE, id="dan", name=Untrusted("Dan Low")))
    ranking = suggest(TASK, Crew(people=people, tickets=tickets, workloads=busy(ada=1, bob=1, eve=1, dan=1)))

    assert [s.person.id for s in ranking.ranked] == ["dan", "eve", "bob", "ada"]


@pytest.mark.parametrize(
    ("absent", "why"),
    [
        (Absence(date(2026, 11, 20), date(2026, 11, 22)), "absent until 2026-11-22"),
        (Absence(date(2026, 11, 18), date(2026, 11, 20)), "absent until 2026-11-20"),
        (Absence(date(2026, 11, 1)), "absent since 2026-11-01"),
        (Absence(date(2026, 11, 21)), ""),
        (Absence(date(2026, 11, 1), date(2026, 11, 19)), ""),
    ],
)
def test_absent_people_are_out(absent: Absence, why: str) -> None:
    """First and last day included, and their share of earlier work goes to those who are there."""
    tickets = (done(1, ADA, "Zeppelin stops"), done(2, BOB, "Zeppelin stops"))
    team = (Member(person="ada", absent=(Absence(date(2020, 1, 1), date(2020, 1, 2)), absent)),)
    ranking = suggest(TASK, Crew(people=(ADA, BOB), team=team, tickets=tickets))

    assert ranking.left_out == ((LeftOut("Ada Byron", why),) if why else ())
    assert (points(ranking, BOB)["similar: OPS-2"] > 150) == bool(why)


def test_full_people_are_out() -> None:
    """With as many open tickets as the capacity says there is no room for one more; no capacity is no limit."""
    team = (Member(person="ada", capacity=4), Member(person="bob", capacity=5), Member(person="eve"))
    ranking = suggest(TASK, replace(CREW, team=team, workloads=busy(ada=4, bob=4, eve=99)))

    assert ranking.left_out == (LeftOut("Ada Byron", "4 open tickets, capacity 4"),)
    assert [s.person for s in ranking.ranked] == [BOB, EVE]


def test_people_are_meant_exactly() -> None:
    """By id, address or full name in any case of letters; half a name means nobody, a common name nobody in particular."""
    twin = replace(BOB, id="bob2")
    people = (ADA, BOB, twin)
    team = (
        Member(person=" ADA@example.com ", capacity=1),
        Member(person="Bob Ray", capacity=2),
        Member(person="Ada", capacity=3),
        Member(person="", capacity=4),
    )

    assert [[p.id for p in meant_by(member, people)] for member in team] == [["ada"], ["bob", "bob2"], ["ada"], []]
    assert members_of(team[:2], people) == {"ada": team[0]}
    assert meant_by(Member(person="Byron"), people) == ()


def test_nobody_at_all_is_nobody() -> None:
    """A project without assignable people gets no proposal."""
    assert suggest(TASK, Crew(people=())) == Ranking()


def test_weights_are_settings() -> None:
    """Each reason can be worth something else, or nothing; what is worth nothing is not told."""
    tickets = (done(1, ADA, "Zeppelin stops", "Flight"),)
    weights = Weights(similar=0.0, component=0.0, free_hands=30.0)
    ranking = suggest(TASK, Crew(people=(ADA,), tickets=tickets, workloads=busy(ada=1)), weights)

    assert ranking.ranked[0].points == (Point("1 open ticket", 29.0),)


def test_people_who_are_not_found_are_told() -> None:
    """By `triage doctor`: nobody of that name, or several."""
    people = (
        Person(id="1", name=Untrusted("Ada Byron")),
        Person(id="2", name=Untrusted("Bob Ray")),
        Person(id="3", name=Untrusted("Bob Ray")),
    )
    team = (Member(person="Ada Byron"), Member(person="Bob Ray"), Member(person="Eve"))

    assert list(unclear(team, people)) == [
        ("Bob Ray", "2 people are called so; write the id: 2, 3"),
        ("Eve", "nobody a ticket can be given to; write the full name as Jira shows it, or its id"),
    ]
