"""Charts as CSV."""

import csv
from io import StringIO

import pytest

from triage.domain.operations.insights import Chart, ChartShape, Series
from web.console.insights.spreadsheet import csv_of, inert


def test_the_numbers() -> None:
    """A line for each row, as any reader of CSV reads it; a value that is not there is an empty cell."""
    series = (Series("half, of all", (1.5, None)), Series("rest", (100_000.0, 0.0)))
    chart = Chart(
        name="x",
        title="X",
        about="x.",
        shape=ChartShape.LINE,
        unit="s",
        rows=("2026-11-01", "2026-11-02"),
        series=series,
    )

    assert list(csv.reader(StringIO(csv_of(chart)))) == [
        ["day (UTC)", "half, of all (s)", "rest (s)"],
        ["2026-11-01", "1.5", "100000"],
        ["2026-11-02", "", "0"],
    ]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "|cmd", "%0A"])
def test_no_formula(text: str) -> None:
    """Whatever a name begins with, a spreadsheet shows it as it stands."""
    assert inert(text).startswith("'")
    assert inert("plain") == "plain"
