"""One table holds what the four ways of sorting mail mean to each other."""

import pytest

from triage.domain.findings import Disposition
from triage.policy.decision.playbook import issue_type_of
from triage.policy.decision.taxonomies import TABLE, Meaning, called, jira_types_of, meaning_of

INTENTS = {"inquiry", "meeting_request", "complaint", "follow_up", "spam", "other"}
ISSUE_TYPES = {"technical", "billing", "account", "booking", "general"}
CUES = {"bug", "feature", "support", "general"}


def test_every_name_of_every_taxonomy_stands_in_the_table() -> None:
    """Nothing that one of them calls by a name is without a meaning in the others."""
    assert {row.disposition for row in TABLE} == set(Disposition)
    assert {row.cue for row in TABLE} == CUES
    assert {name for row in TABLE for name in row.intents} == INTENTS
    assert {name for row in TABLE for name in row.issue_types} == ISSUE_TYPES


def test_a_row_is_found_by_our_names() -> None:
    """A disposition and a cue type have one row, and no two rows are alike."""
    assert len({(row.disposition, row.cue) for row in TABLE}) == len(TABLE)
    assert all(meaning_of(row.disposition, row.cue) is row for row in TABLE)
    assert meaning_of(Disposition.WORK, "not read").label == "a task"


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.disposition}-{row.cue}")
def test_there_and_back(row: Meaning) -> None:
    """Whoever sorts by intents and issue types finds the row again among what they may mean."""
    for intent in row.intents:
        for issue_type in row.issue_types or ("",):
            assert row in list(called(intent, issue_type))


@pytest.mark.parametrize(
    ("intent", "issue_type", "said"),
    [
        ("complaint", "billing", "a bug"),
        ("inquiry", "account", "a request"),
        ("spam", "", "spam"),
        ("follow_up", "", "an addition"),
        ("", "technical", "a bug"),
    ],
)
def test_the_usual_meaning_comes_first(intent: str, issue_type: str, said: str) -> None:
    """Of several rows that a name may mean the usual one leads."""
    assert next(called(intent, issue_type)).label == said


def test_only_what_makes_a_ticket_has_a_type_in_jira() -> None:
    """The playbook takes its issue types from the table; spam has none, and what was not read is a task."""
    assert issue_type_of("bug", ("Incident", "Task")) == "Incident"
    assert issue_type_of("not read", ("Epic", "Task")) == "Task"
    assert jira_types_of("feature")[0] == "Story"
    assert meaning_of(Disposition.SPAM).jira == ()
