"""From counts to series."""

from collections import Counter
from datetime import date, timedelta

import pytest

from triage.domain.operations.insights import Chart, ChartShape, Series
from triage.policy.operations.charts import MOST_ROWS, MOST_SERIES, REST, bucket, by_day, percentile, share, top

FIRST = date(2026, 11, 1)
DAYS = (FIRST, FIRST + timedelta(days=1))


def test_series_by_day() -> None:
    """Known names come first, then the most frequent; days without a count are zero."""
    counts = [(DAYS[0], "rare", 1), (DAYS[1], "often", 5), (DAYS[1], "known", 2), (DAYS[1], "often", 1)]

    assert by_day(DAYS, counts, ("absent", "known")) == (
        Series("known", (0, 2)),
        Series("often", (0, 6)),
        Series("rare", (1, 0)),
    )
    assert by_day(DAYS, ()) == ()


def test_many_series() -> None:
    """More names than colours: the rest is one series, and nothing is lost."""
    counts = [(DAYS[0], f"name-{n}", float(n)) for n in range(1, MOST_SERIES + 3)]
    series = by_day(DAYS, counts)

    assert len(series) == MOST_SERIES
    assert series[-1].name == REST
    assert sum(one.values[0] or 0 for one in series) == sum(n for _, _, n in counts)


def test_the_top() -> None:
    """The most frequent names, equal ones by name, never more than a chart has room for, and nothing is lost."""
    assert top({"b": 1, "a": 1, "c": 2}) == {"c": 2, "a": 1, "b": 1}
    assert list(top({"b": 1, "a": 1, "c": 2})) == ["c", "a", "b"]
    counts = {str(n): n for n in range(50)}
    shown = top(counts)

    assert (len(shown), next(iter(shown)), list(shown)[-1]) == (MOST_ROWS, "49", REST)
    assert sum(shown.values()) == sum(counts.values())
    assert top({**counts, REST: 60})[REST] == 60 + sum(range(42))


@pytest.mark.parametrize("seconds", [0.5, 1.0, 59.0, 3_600.0, 400_000.0])
def test_percentiles(seconds: float) -> None:
    """Within five percent of the truth, whatever the size; days add up; of nothing there is none."""
    day = Counter([bucket(seconds * n) for n in range(1, 101)])

    assert percentile(day, 0.5) == pytest.approx(50 * seconds, rel=0.05)
    assert percentile(day + day, 0.95) == pytest.approx(95 * seconds, rel=0.05)
    assert percentile(Counter(), 0.5) is None
    assert percentile({bucket(0): 1}, 0.5) == pytest.approx(0.001, rel=0.05)


def test_shares() -> None:
    """A part of nothing is unknown, not zero."""
    assert share(3, 4) == 75
    assert share(0, 0) is None


def test_an_empty_chart() -> None:
    """A chart with zeros and gaps alone is empty."""

    def chart(*values: float | None) -> Chart:
        rows = tuple(map(str, range(len(values))))
        series = (Series("s", values),)
        return Chart(name="x", title="X", about="x.", shape=ChartShape.LINE, unit="s", rows=rows, series=series)

    assert chart(0.0, None).is_empty
    assert not chart(0.0, 2.0).is_empty
