"""The tabs of the inbox."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.operations.case_lists import InboxLine
from triage.domain.reports import EVERY_CASE, CaseFilter, CaseLine
from triage.policy.case_lists.tabs import needs_somebody, tab_of, tabs_of, within

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wanted", "query", "where", "tab"),
    [
        ("", "", EVERY_CASE, "needs"),
        ("nonsense", "", EVERY_CASE, "needs"),
        ("", "export", CaseFilter(words=("export",)), "all"),
        ("ignored", "export", CaseFilter(words=("export",)), "ignored"),
        ("needs", "state:dead", CaseFilter(states=("dead",)), "all"),
    ],
)
def test_the_tab_that_is_shown(wanted: str, query: str, where: CaseFilter, tab: str) -> None:
    """What waits comes first; who searches, searches everything; a search for states is made among all."""
    assert tab_of(wanted, query, where) == tab


def test_a_tab_narrows_a_search() -> None:
    """What needs somebody stands case by case, everything else by thread."""
    assert within("needs", EVERY_CASE, NOW) == CaseFilter(needs_at=NOW)
    assert within("snoozed", EVERY_CASE, NOW) == CaseFilter(snoozed_at=NOW)
    assert within("all", CaseFilter(sender="kim"), NOW) == CaseFilter(sender="kim", one_per_thread=True)
    assert within("ignored", EVERY_CASE, NOW) == CaseFilter(states=("ignored",), one_per_thread=True)


def test_the_tabs_and_their_counts() -> None:
    """Frequent states have a tab from the beginning, others where there is a case, or where one is looked at."""
    counts = {"ticketed": 4, "dead": 1}

    assert [(tab.label, tab.count) for tab in tabs_of(counts, 1, 0, "needs")] == [
        ("Needs you", 1),
        ("All", 5),
        ("Ticketed", 4),
        ("Commented", 0),
        ("Ignored", 0),
        ("Dead", 1),
    ]
    assert [tab.name for tab in tabs_of({}, 0, 0, "updated")][-1] == "updated"
    assert [tab.name for tab in tabs_of({}, 0, 2, "all")][-1] == "snoozed"
    assert [tab.name for tab in tabs_of({}, 0, 0, "snoozed")][-1] == "snoozed"


@pytest.mark.parametrize(
    ("state", "waits", "snoozed", "needs"),
    [
        ("waiting", 0, None, True),
        ("ticketed", 1, None, True),
        ("ticketed", 0, None, False),
        ("dead", 0, 1, False),
        ("dead", 0, -1, True),
    ],
)
def test_what_needs_somebody(state: str, waits: int, snoozed: int | None, needs: bool) -> None:  # noqa: FBT001
    """Its state or an open approval, unless it is put off and that time is not over."""
    until = None if snoozed is None else NOW + timedelta(hours=snoozed)
    case = CaseLine(
        id="case-1", received_at=NOW, sender="", subject="", state=state, ticket="", reason="", snoozed_until=until
    )

    assert needs_somebody(InboxLine(case=case, waits=waits), NOW) is needs
