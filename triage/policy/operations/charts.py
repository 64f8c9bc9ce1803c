"""Turns counts into charts: series by day, the most frequent names, percentiles."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from triage.domain.operations.insights import Series

MOST_SERIES: Final = 7
"""Colours that can be told apart; all else is one series."""
MOST_ROWS: Final = 10
REST: Final = "other"
STEP: Final = math.log(1.05)
"""Durations are counted in steps of five percent, so that those of many days can be added."""


def by_day(
    days: Sequence[date], counts: Iterable[tuple[date, str, float]], first: Sequence[str] = ()
) -> tuple[Series, ...]:
    """Return a series for each name: those of `first` in their order, then the most frequent, the rest as `other`."""
    sums: defaultdict[str, defaultdict[date, float]] = defaultdict(lambda: defaultdict(float))
    for day, name, n in counts:
        sums[name][day] += n
    names = [name for name in first if name in sums]
    names += sorted(set(sums) - set(first), key=lambda name: (-sum(sums[name].values()), name))
    few = names if len(names) <= MOST_SERIES else names[: MOST_SERIES - 1]
    series = [Series(name, tuple(sums[name][day] for day in days)) for name in few]
    if rest := names[len(few) :]:
        series.append(Series(REST, tuple(sum(sums[name][day] for name in rest) for day in days)))
    return tuple(series)


def top(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Return the counts of the most frequent names, the most frequent first, and of the rest as `other`."""
    names = sorted(counts, key=lambda name: (-counts[name], name))
    few = names if len(names) <= MOST_ROWS else names[: MOST_ROWS - 1]
    shown = Counter({name: counts[name] for name in few})
    if rest := names[len(few) :]:
        shown[REST] += sum(counts[name] for name in rest)
    return shown


def bucket(seconds: float) -> int:
    """Return the number of the step in which a duration is counted."""
    return round(math.log(max(seconds, 1e-3)) / STEP)


def percentile(buckets: Mapping[int, int], part: float) -> float | None:
    """Return the duration in seconds that this part of all is below, within five percent; None if there are none."""
    wanted, seen = part * sum(buckets.values()), 0
    for number in sorted(buckets):
        seen += buckets[number]
        if seen >= wanted:
            return math.exp(number * STEP)
    return None


def share(part: float, whole: float) -> float | None:
    """Return a part in percent, None of nothing."""
    return 100.0 * part / whole if whole else None
