"""Whom a ticket is proposed for."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from triage.config.team import Days, Member, Weights
from triage.domain.findings import LeftOut
from triage.domain.tickets import Person, Ticket, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.people.assignment import Crew, Ranking, suggest
from triage.policy.people.expertise import history_of, neighbours_of
from triage.policy.people.points import Task
from triage.policy.people.wishes import Wishes

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
ADA = Person(id="ada", name=Untrusted("Ada Byron"), email="ada@example.com")
BOB = Person(id="bob", name=Untrusted("Bob Ray"))
EVE = Person(id="eve", name=Untrusted("Eve Hill"))
TASK = Task(title="Zeppelin stops", issue_type="Bug", priority="Medium", at=NOW)


def crew(
    *people: Person, team: tuple[Member, ...] = (), workloads: Mapping[str, Workload] | None = None,
    tickets: tuple[Ticket, ...] = (), components: Mapping[str, float] | None = None, task: Task = TASK,
) -> Crew:  # fmt: skip
    """People, and what earlier tickets say about the task; without components, all that these tickets have."""
    history = history_of(tickets)
    named = sorted({component for ticket in tickets for component in ticket.components})
    return Crew(
        people=people or (ADA, BOB, EVE), team=team, workloads=workloads or {}, history=history,
        neighbours=neighbours_of(task.title, task.text, (), history),
        components=dict.fromkeys(named, 1 / max(1, len(named))) if components is None else components,
    )  # fmt: skip


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


def test_ties_go_to_the_least_recently_assigned() -> None:
    """Who has never had a ticket comes first, then whose last one is longest ago; then the alphabet, so that it is fair
    and the same each time.
    """
    tickets = (done(1, ADA, "Login"), done(2, BOB, "Parcel", days=9))
    people = (ADA, BOB, EVE, replace(EVE, id="dan", name=Untrusted("Dan Low")))
    ranking = suggest(TASK, crew(*people, tickets=tickets, workloads=busy(ada=1, bob=1, eve=1, dan=1)))

    assert [s.person.id for s in ranking.ranked] == ["dan", "eve", "bob", "ada"]


@pytest.mark.parametrize(
    ("absent", "why"),
    [
        (Days(date(2026, 11, 20), date(2026, 11, 22)), "absent until 2026-11-22"),
        (Days(date(2026, 11, 18), date(2026, 11, 20)), "absent until 2026-11-20"),
        (Days(date(2026, 11, 1)), "absent since 2026-11-01"),
        (Days(date(2026, 11, 21)), ""),
        (Days(date(2026, 11, 1), date(2026, 11, 19)), ""),
    ],
)
def test_absent_people_are_out(absent: Days, why: str) -> None:
    """First and last day included, and their share of earlier work goes to those who are there."""
    tickets = (done(1, ADA, "Zeppelin stops"), done(2, BOB, "Zeppelin stops"))
    team = (Member(person="ada", absent=(Days(date(2020, 1, 1), date(2020, 1, 2)), absent)),)
    ranking = suggest(TASK, crew(ADA, BOB, team=team, tickets=tickets))

    assert ranking.left_out == ((LeftOut("Ada Byron", why),) if why else ())
    assert (points(ranking, BOB)["similar: OPS-2"] > 150) == bool(why)


def test_full_people_are_out() -> None:
    """With as many open tickets as the capacity says there is no room for one more; no capacity is no limit."""
    team = (Member(person="ada", capacity=4), Member(person="bob", capacity=5), Member(person="eve"))
    ranking = suggest(TASK, crew(team=team, workloads=busy(ada=4, bob=4, eve=99)))

    assert ranking.left_out == (LeftOut("Ada Byron", "4 open tickets, capacity 4"),)
    assert [s.person for s in ranking.ranked] == [BOB, EVE]


def test_nobody_at_all_is_nobody() -> None:
    """A project without assignable people gets no proposal."""
    assert suggest(TASK, replace(crew(), people=())) == Ranking()


def test_what_is_learnt_leads() -> None:
    """Who does this work is first, though others have freer hands; the tickets that argue for it are told."""
    tickets = (
        done(1, ADA, "Zeppelin stops in the rain", "Flight"),
        done(2, ADA, "Zeppelin leaks", "Flight"),
        done(3, BOB, "Login is slow", "Web"),
    )
    ranking = suggest(TASK, crew(tickets=tickets, workloads=busy(ada=19, bob=1), components={"Flight": 0.9}))
    told = points(ranking, ADA)

    assert [s.person for s in ranking.ranked][:2] == [ADA, BOB]
    assert [s.person for s in ranking.proposals] == [ADA]
    assert ranking.assignee is not None
    assert set(told) == {"similar: OPS-1, OPS-2", "recent work on Flight", "19 open tickets"}
    assert told["similar: OPS-1, OPS-2"] > 100
    assert points(ranking, BOB) == {"1 open ticket": 19.0}


def test_free_hands_are_no_reason() -> None:
    """Nobody gets a ticket for having time, and nobody is named for it."""
    ranking = suggest(TASK, crew(workloads=busy(ada=4), team=(Member(person="bob"),)))

    assert [(s.person, s.score) for s in ranking.ranked] == [(BOB, 20.0), (ADA, 16.0), (EVE, 0.0)]
    assert ranking.proposals == ()
    assert ranking.assignee is None


def test_free_hands_decide_between_those_who_know() -> None:
    """Two developers are equals for a bug; who has fewer tickets gets it, and an idle stranger does not."""
    team = (Member(person="ada", roles=("Developer",)), Member(person="bob", roles=("Developer",)))
    ranking = suggest(TASK, crew(team=team, workloads=busy(ada=18, bob=17)))

    assert [(s.person, s.proposed) for s in ranking.ranked] == [(BOB, True), (ADA, True), (EVE, False)]
    assert [s.person for s in ranking.proposals] == [BOB, ADA]


def test_a_threshold_asks_for_more() -> None:
    """Points beside those of the workload must exceed it."""
    team = (Member(person="ada", roles=("Developer",)),)
    ranking = suggest(TASK, crew(team=team), Weights(threshold=15.0))

    assert [(s.person, s.proposed) for s in ranking.proposals] == [(ADA, False)]
    assert ranking.assignee is None


def test_whom_the_mail_asks_for_leads() -> None:
    """The one to ask comes before the expert; the one to avoid is out, and that is told."""
    tickets = tuple(done(number, ADA, "Zeppelin stops") for number in range(3))
    asked = suggest(replace(TASK, wishes=Wishes(asked=frozenset({"eve"}))), crew(tickets=tickets))
    avoided = suggest(replace(TASK, wishes=Wishes(avoided=frozenset({"ada"}))), crew(tickets=tickets))

    assert asked.assignee is not None
    assert asked.assignee.person == EVE
    assert points(asked, EVE)["the mail asks for this person"] == 25.0
    assert avoided.left_out == (LeftOut("Ada Byron", "the mail asks for somebody else"),)
    assert avoided.assignee is None


def test_a_team_takes_its_matters() -> None:
    """Support and infrastructure go to those who handle them by triage.yaml, the most fitting first; other matters do not."""
    tickets = tuple(done(number, ADA, "Zeppelin stops") for number in range(3))
    team = (Member(person="bob", handles=("support",)), Member(person="eve", handles=("support", "infrastructure")))
    support = suggest(
        replace(TASK, matters=frozenset({"support"})), crew(team=team, tickets=tickets, workloads=busy(bob=9))
    )
    other = suggest(TASK, crew(team=team, tickets=tickets))

    assert [s.person for s in support.ranked] == [EVE, BOB, ADA]
    assert points(support, EVE)["takes support"] == 30.0
    assert other.ranked[0].person == ADA


def test_the_highest_priority_goes_to_whom_is_on_call() -> None:
    """On the days of the duty, unless that person is away or the mail asks for another; other tickets go as ever."""
    tickets = tuple(done(number, ADA, "Zeppelin stops") for number in range(3))
    week = Days(date(2026, 11, 16), date(2026, 11, 22))
    team = (Member(person="bob", on_call=(week,)), Member(person="eve", on_call=(Days(date(2026, 11, 23)),)))
    urgent = replace(TASK, priority="Highest")
    ranking = suggest(urgent, crew(team=team, tickets=tickets))
    away = suggest(urgent, crew(team=(replace(team[0], absent=(week,)),), tickets=tickets))
    later = suggest(replace(urgent, at=TASK.at + timedelta(days=9)), crew(team=team, tickets=tickets))
    asked = suggest(replace(urgent, wishes=Wishes(asked=frozenset({"ada"}))), crew(team=team, tickets=tickets))
    calm = suggest(TASK, crew(team=team, tickets=tickets))

    assert (ranking.assignee is not None, ranking.ranked[0].person) == (True, BOB)
    assert points(ranking, BOB)["on call until 2026-11-22"] == 30.0
    assert points(later, EVE)["on call since 2026-11-23"] == 30.0
    assert [each.ranked[0].person for each in (away, later, asked, calm)] == [ADA, EVE, ADA, ADA]


@pytest.mark.parametrize(
    ("title", "flight", "given"),
    [("Zeppelin stops at dawn", 0.4, True), ("Something is odd", 0.9, True), ("Something is odd", 0.4, False)],
)
def test_few_solved_tickets_give_a_ticket_for_a_reason_that_is_seen(title: str, flight: float, *, given: bool) -> None:
    """Before 200 are solved, a similar ticket or a probable component must speak for the one of whom the model is sure; else he is only named."""
    young = tuple(done(number, ADA, f"Zeppelin stops at height {number}", "Flight") for number in range(30))
    task = replace(TASK, title=title)
    ranking = suggest(task, crew(tickets=young, components={"Flight": flight}, task=task))

    assert [s.person for s in ranking.proposals] == [ADA]
    assert (ranking.assignee is not None) == given


def test_one_of_two_equals_is_only_named() -> None:
    """Points lead to the first of two who do the same work, but the model is sure of none."""
    young = tuple(done(n, (ADA, BOB)[n % 2], f"Zeppelin stops at height {n}", "Flight") for n in range(30))
    ranking = suggest(TASK, crew(tickets=young, components={"Flight": 0.9}))

    assert {s.person.id for s in ranking.proposals} == {"ada", "bob"}
    assert ranking.assignee is None


# --- once enough tickets are solved, the model decides -------------------------------------------

SOLVED = (
    *(done(number, ADA, f"Zeppelin stops at height {number}", "Flight", days=1 + number % 50) for number in range(120)),
    *(done(200 + number, BOB, f"Login form {number} is slow", "Web", days=1 + number % 50) for number in range(120)),
)


def test_the_expert_is_probably_right() -> None:
    """From 200 solved tickets on everybody has a probability; the expert's is high, the others' low, together at most 1."""
    ranking = suggest(TASK, crew(tickets=SOLVED, components={"Flight": 0.9, "Web": 0.1}))
    chances = {s.person.id: s.probability for s in ranking.ranked}

    assert ranking.assignee is not None
    assert ranking.assignee.person == ADA
    assert chances["ada"] is not None
    assert chances["ada"] > 0.8
    assert chances["eve"] == 0.0
    assert sum(chance or 0.0 for chance in chances.values()) <= 1.001
    assert all(s.probability is None for s in suggest(TASK, crew(tickets=SOLVED[:199])).ranked)


def test_who_is_not_sure_enough_is_only_named() -> None:
    """Where nothing in the mail tells the two apart, nobody gets it, and nobody is named without a reason; the precision is a setting."""
    task = replace(TASK, title="Something is odd")
    unsure = suggest(task, crew(tickets=SOLVED, components={}, task=task))
    easy = suggest(task, crew(tickets=SOLVED, components={}, task=task), precision=0.01)

    assert unsure.assignee is None
    assert unsure.proposals == ()
    assert easy.assignee is not None


def test_equals_are_told_apart_by_free_hands() -> None:
    """Of two people with the same tickets, the one with fewer open ones comes first."""
    same = tuple(
        done(n, (ADA, BOB)[n % 2], f"Zeppelin stops at height {n // 2}", "Flight", days=1 + n // 10) for n in range(240)
    )
    first = [
        suggest(TASK, crew(tickets=same, components={"Flight": 1.0}, workloads=busy(ada=a, bob=b))).ranked[0].person
        for a, b in ((9, 1), (1, 9))
    ]

    assert first == [BOB, ADA]


def test_who_has_left_has_no_part() -> None:
    """Tickets of deleted users speak for nobody, and the others share their part."""
    ranking = suggest(TASK, crew(BOB, EVE, tickets=SOLVED, components={"Flight": 1.0}))

    assert [s.person for s in ranking.ranked] == [BOB, EVE]
    assert ranking.ranked[0].probability is not None
    assert not any(
        "OPS-1" in point.why for s in ranking.ranked for point in s.points if "similar: OPS-2" not in point.why
    )


@pytest.mark.parametrize("people", [(), (ADA,), (EVE,)])
def test_small_trackers(people: tuple[Person, ...]) -> None:
    """With one user or none, known or not, there is an answer."""
    ranking = suggest(TASK, replace(crew(tickets=SOLVED), people=people))

    assert [s.person for s in ranking.ranked] == list(people)


def test_everybody_over_capacity() -> None:
    """Then nobody gets it, and each reason is told."""
    team = (Member(person="ada", capacity=0), Member(person="bob", capacity=0), Member(person="eve", capacity=0))
    ranking = suggest(TASK, crew(tickets=SOLVED, team=team))

    assert (ranking.ranked, len(ranking.left_out)) == ((), 3)
