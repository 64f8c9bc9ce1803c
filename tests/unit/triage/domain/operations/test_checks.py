"""Findings of checks as they are told."""

from triage.domain.operations.checks import SettingProblem


def test_a_problem_names_its_variable_and_place() -> None:
    """The place stands behind the name, where it is known."""
    assert str(SettingProblem("JIRA_EMAIL", "is empty", ".env, line 4")) == "JIRA_EMAIL (.env, line 4): is empty"
    assert str(SettingProblem("JIRA_EMAIL", "is empty")) == "JIRA_EMAIL: is empty"
