"""The points of a possible assignee."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.people.test_assignment import ADA, BOB, TASK, busy, crew, done, points
from triage.config.team import Member, Weights
from triage.domain.findings import Point
from triage.policy.people.assignment import suggest


def test_the_documents_points() -> None:
    """Skills ten each, the role fifteen, seniority ten, being named twenty-five, free hands twenty less the open ones."""
    team = (Member(person="Ada Byron", roles=("Senior Developer",), skills=("postgres", "Python", "ZORKIL")),)
    task = replace(TASK, priority="Highest", technologies=("PostgreSQL", "zorkil"), named=("Ada Byron",))
    ranking = suggest(task, crew(team=team, workloads=busy(ada=3)))

    assert points(ranking, ADA) == {
        "named in the mail": 25.0,
        "3 open tickets": 17.0,
        "Senior Developer for a Bug": 15.0,
        "knows PostgreSQL": 10.0,
        "knows zorkil": 10.0,
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
    ranking = suggest(replace(TASK, issue_type=issue_type), crew(ADA, team=team, workloads=busy(ada=20)))

    assert sum(points(ranking, ADA).values()) == value


def test_faint_likeness_names_no_ticket() -> None:
    """The share counts as before; a lead who opens the tickets would find nothing alike."""
    past = (done(1, ADA, "Flight of the grey old printer dialog in the wrong colour on tablets"),)
    task = replace(TASK, title="Flight lost its connection because the nightly batch of customs declarations stopped")

    assert points(suggest(task, crew(tickets=past, task=task)), ADA)["tickets with some of these words"] > 0


def test_a_named_person_may_go_by_address() -> None:
    """Where two bear one name, the cue is the address; nobody's missing address is anybody's."""
    ranking = suggest(replace(TASK, named=("ada@example.com",)), crew())

    assert points(ranking, ADA)["named in the mail"] == 25.0
    assert "named in the mail" not in points(ranking, BOB)


def test_weights_are_settings() -> None:
    """Each reason can be worth something else, or nothing; what is worth nothing is not told."""
    tickets = (done(1, ADA, "Zeppelin stops", "Flight"),)
    weights = Weights(similar=0.0, component=0.0, free_hands=30.0)
    ranking = suggest(TASK, crew(ADA, tickets=tickets, workloads=busy(ada=1)), weights)

    assert ranking.ranked[0].points == (Point("1 open ticket", 29.0),)


def test_technologies_of_earlier_tickets_are_known() -> None:
    """Who did two tickets about a technology knows it, without a word in the team's file; skills of the file count once."""
    past = tuple(done(number, ADA, f"PostgreSQL backup {number}") for number in range(2))
    task = replace(TASK, title="Zeppelin", technologies=("postgres",))
    ranking = suggest(task, crew(tickets=past, team=(Member(person="bob", skills=("PostgreSQL",)),), task=task))

    assert points(ranking, ADA)["knows PostgreSQL"] == 10.0
    assert points(ranking, BOB)["knows PostgreSQL"] == 10.0
