"""Figures about duplicates: what counts as found, and what as a wrong comment."""

import pytest

from cli.evaluate.duplicates.figures import DuplicateFigures
from triage.domain.findings import Candidate
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted


def candidate(key: str, probability: float, certain: str = "", category: str = "new") -> Candidate:
    """A candidate."""
    ticket = Ticket(key=key, summary=Untrusted("x"), status="x", category=category, issue_type="Bug")
    return Candidate.of(ticket, probability, (), certain)


def test_recall_counts_the_first_of_the_matter() -> None:
    """Any ticket of the group is a hit; what is not found counts as nothing."""
    figures = DuplicateFigures()
    found = (candidate("A-1", 0.6), candidate("A-2", 0.2))
    figures.count(found, frozenset({"A-2", "A-9"}), 10.0, duplicate=True, may_be_from=0.3)
    figures.count(found, frozenset({"A-7"}), 30.0, duplicate=True, may_be_from=0.3)
    told = figures.keys()

    assert (told["queries"], told["recall_at_1"], told["recall_at_5"], told["mrr"]) == (2, 0.0, 0.5, 0.25)
    assert (told["p50_ms"], told["p95_ms"]) == (30.0, 30.0)
    assert (told["linked"], told["linked_right"]) == (2, 0.0)


@pytest.mark.parametrize(
    ("best", "wrong", "right"),
    [
        (candidate("A-1", 0.99), 0.0, 0.0),
        (candidate("A-1", 0.1, "same error"), 1.0, 1.0),
        (candidate("A-1", 0.1, "same error", "done"), 0.0, 0.0),
        (candidate("A-2", 0.1, "same error"), 1.0, 0.0),
    ],
)
def test_only_certain_evidence_on_an_open_ticket_is_a_comment(best: Candidate, wrong: float, right: float) -> None:
    """However probable, likeness makes no comment; a comment for a report without a duplicate is wrong."""
    figures = DuplicateFigures()
    figures.count((best,), frozenset(), 1.0, duplicate=False, may_be_from=0.3)
    figures.count((best,), frozenset({"A-1"}), 1.0, duplicate=True, may_be_from=0.3)

    assert (figures.keys()["wrong_comment_rate"], figures.keys()["right_comment_rate"]) == (wrong, right)


def test_nothing_asked_is_no_error() -> None:
    """All shares are 0."""
    figures = DuplicateFigures()
    figures.count((), frozenset(), 1.0, duplicate=False, may_be_from=0.3)

    assert set(figures.keys()) >= {
        "queries", "recall_at_1", "recall_at_5", "recall_at_10", "recall_at_20", "mrr", "wrong_comment_rate",
        "right_comment_rate", "p50_ms", "p95_ms",
    }  # fmt: skip
    assert figures.keys()["recall_at_20"] == 0.0
