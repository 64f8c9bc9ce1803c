"""What is asked of a tracker's past, and how the answers are counted."""

from pathlib import Path

import pytest

from cli.evaluate.backtest import BacktestAnswer, Measured, asked_of, coverage_at, measured, page
from cli.evaluate.history import read_past
from tests.unit.cli.evaluate.test_history import FOLDS, PAST, written


def answer(rank: int, sureness: float, fold: str = "") -> BacktestAnswer:
    """One answer."""
    return BacktestAnswer(fold=fold, rank=rank, sureness=sureness, proposed=sureness > 0.5, ms=2.0)


def test_figures() -> None:
    """Shares of the right person among the first k; who is not known at all is a miss."""
    figures = Measured(answers=[answer(1, 0.9), answer(2, 0.4), answer(0, 0.1), answer(7, 0.2)]).figures

    assert list(figures) == ["cases", "top1", "top3", "top5", "top10", "mrr", "coverage_at_75", "p95_ms"]
    assert figures == {
        "cases": 4, "top1": 0.25, "top3": 0.5, "top5": 0.5, "top10": 0.75, "mrr": 0.411, "coverage_at_75": 0.25,
        "p95_ms": 2.0,
    }  # fmt: skip


def test_folds_count_alike() -> None:
    """The mean of the folds, whatever their sizes."""
    answers = [answer(1, 0.9, "test1"), *(answer(2, 0.4, "test2") for _ in range(9))]

    assert Measured(answers=answers).figures["top1"] == 0.5


def test_proposals_are_counted_apart() -> None:
    """How many tickets get an assignee, and how many of these the right one."""
    told = Measured(answers=[answer(1, 0.9), answer(2, 0.6), answer(1, 0.1)]).proposals
    none = Measured(answers=[answer(1, 0.1)]).proposals

    assert list(told.values()) == [0.667, 0.5]
    assert list(none.values()) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("rights", "coverage"),
    [
        ([True, True, True, False], 1.0),
        ([True, False, True, True], 1.0),
        ([False, True, True], 0.0),
        ([True, False], 0.5),
    ],
)
def test_coverage(rights: list[bool], coverage: float) -> None:
    """The largest share of the surest answers of which three quarters are right."""
    assert coverage_at(0.75, [(1 - at / 10, right) for at, right in enumerate(rights)]) == coverage


def test_a_file_is_asked_about(tmp_path: Path) -> None:
    """The last tickets that were fixed, with text alone, with the component, from closed tickets only; a page shows it."""
    shown: list[tuple[int, int]] = []
    files = [written(tmp_path / "past.jsonl", PAST)]
    for component in (False, True):
        told = measured(
            files, project="OPS", last=2, per_fold=1, component=component, closed_only=component,
            shown=lambda *counted: shown.append(counted),
        )  # fmt: skip

        assert told.figures["cases"] == 2
        assert told.figures["top1"] == 1.0
    html = page(told).html()

    assert shown == [(1, 2), (2, 2)] * 2
    assert "component known, closed tickets only" in html
    assert html.count("<svg") == 2


def test_folds_are_asked_about(tmp_path: Path) -> None:
    """So many of each but the first, at equal distances."""
    path = written(tmp_path / "folds.jsonl", FOLDS)
    told = measured([path], project="", last=1, per_fold=2, component=True, closed_only=False, shown=lambda *_: None)

    assert asked_of(read_past([path]), 1, 2) == {"21", "22", "31", "32"}
    assert {one.fold for one in told.answers} == {"test1", "test2"}
    assert told.figures["cases"] == 4
