"""The team in triage.yaml or in a file of its own: what it may say, and how its mistakes are told."""

import re
from datetime import date
from pathlib import Path

import pytest

from triage.config.team import Assignment, Days, Member, Weights
from triage.config.triage_yaml import Config, config_of, load_assignment
from triage.domain.errors import SettingsInvalid

TEAM = """
team:
  - person: Ada Byron
    roles: [Senior Developer]
    skills: [PostgreSQL, Python]
    capacity: 12
    absent: {from: 2026-12-21, to: 2027-01-03}
  - person: grace@example.com
    address: Grace.Hopper@Example.com
    absent:
      - {from: 2026-11-01, to: 2026-11-01}
      - {from: 2027-02-01}
"""
MEMBERS = (
    Member(
        person="Ada Byron",
        roles=("Senior Developer",),
        skills=("PostgreSQL", "Python"),
        capacity=12,
        absent=(Days(date(2026, 12, 21), date(2027, 1, 3)),),
    ),
    Member(
        person="grace@example.com",
        address="grace.hopper@example.com",
        absent=(Days(date(2026, 11, 1), date(2026, 11, 1)), Days(date(2027, 2, 1))),
    ),
)


def problems(text: str) -> tuple[str, ...]:
    """What is wrong with this file."""
    with pytest.raises(SettingsInvalid) as caught:
        config_of(text.encode())
    return caught.value.problems


def test_the_team_is_read() -> None:
    """Roles, skills, capacity and absences, one or several."""
    assert config_of(TEAM.encode()).team == MEMBERS


def test_weights_are_read() -> None:
    """Those that are not given keep their defaults."""
    config = config_of(b"assignment: {weights: {similar: 50, threshold: 8.5}}")

    assert config.weights == Weights(similar=50.0, threshold=8.5)
    assert config_of(b"").weights == Weights()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("team: [{roles: [x]}]", "team[0].person: field required"),
        ("team: [{person: a, skils: [x]}]", "team[0].skils: unknown key; known are absent, address, capacity, handles, on_call, person, roles, skills"),
        ("team: [{person: a, capacity: many}]", "team[0].capacity: input should be a valid integer"),
        ("team: [{person: a, capacity: -1}]", "team[0].capacity: input should be greater than or equal to 0"),
        ("team: [{person: a}, {person: ' A '}]", "team: a stands there twice; keep one entry"),
        ("team: [{person: a, absent: {from: 2026-12-02, to: 2026-12-01}}]", "`to` lies before `from`; exchange them"),
        ("team: [{person: a, absent: {to: 2026-12-01}}]", "team[0].absent[0].from: field required"),
        ("team: [{person: a, absent: {since: 2026-12-01}}]", "team[0].absent[0].since: unknown key; known are"),
        ("team: [{person: a, absent: {from: tomorrow}}]", "team[0].absent[0].from: input should be a valid date"),
        ("assignment: {weight: {}}", "assignment.weight: unknown key; known are weights"),
        ("assignment: {weights: {similiar: 3}}", "assignment.weights.similiar: unknown key; known are bug, component"),
        ("assignment: {weights: {similar: much}}", "assignment.weights.similar: input should be a valid number"),
        ("team: [{person: a, handles: [kitchen]}]", "team[0].handles[0]: input should be 'support' or 'infrastructure'"),
    ],
)  # fmt: skip
def test_mistakes_name_place_and_cure(text: str, told: str) -> None:
    """Each with the file, the key and what would be right."""
    found = problems(text)

    assert any(problem.startswith("triage.yaml: ") and told in problem for problem in found), found


def test_all_mistakes_at_once() -> None:
    """Nobody mends a file line by line."""
    assert len(problems("team: [{person: ''}, {persn: a}]\nassignment: {weights: {x: 1}}")) == 4


def test_the_team_has_a_file_of_its_own(tmp_path: Path) -> None:
    """TEAM_FILE takes the section, weights stay where they are."""
    (tmp_path / "team.yaml").write_text(TEAM, encoding="utf-8")
    weights = Weights(similar=1.0)

    assert load_assignment(Config(weights=weights), str(tmp_path / "team.yaml")) == Assignment(
        team=MEMBERS, weights=weights
    )
    assert load_assignment(Config(team=MEMBERS), "") == Assignment(team=MEMBERS)


@pytest.mark.parametrize(
    ("config", "text", "told"),
    [
        (Config(team=MEMBERS), TEAM, "TEAM_FILE: triage.yaml has a section `team`, too; keep one of them"),
        (Config(), None, "TEAM_FILE: there is no"),
        (Config(), TEAM + "routing: {rules: []}\nassignment: {weights: {similar: 1}}", "only the section `team`"),
        (Config(), "team: [{}]", "team.yaml: team[0].person: field required"),
    ],
)
def test_a_wrong_team_file_is_refused(tmp_path: Path, config: Config, text: str | None, told: str) -> None:
    """With its name and the cure."""
    if text is not None:
        (tmp_path / "team.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsInvalid, match=re.escape(told)):
        load_assignment(config, str(tmp_path / "team.yaml"))
