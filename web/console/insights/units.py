"""Formats the numbers of a chart, and chooses where its axis ends."""

import math
from typing import Final

PARTED: Final = frozenset({"s", "%", "USD"})
"""Units that have parts; all others count something whole."""
SPANS: Final = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
TIMES: Final = (
    1.0,
    2.0,
    5.0,
    10.0,
    20.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    1_200.0,
    3_600.0,
    7_200.0,
    14_400.0,
    43_200.0,
)
"""Seconds at which an axis of time may end; beyond them whole days."""


def with_unit(value: float, unit: str) -> str:
    """Return a number with its unit, as short as it may be: `3 min`, `97 %`, `0.42 USD`, `12`."""
    if unit == "s":
        size, name = next(((size, name) for size, name in SPANS if value >= size), SPANS[-1])
        return f"{_short(value / size)} {name}"
    if unit == "%":
        return f"{_short(value)} %"
    return f"{value:.2f} USD" if unit == "USD" else _short(value)


def ceiling(highest: float, unit: str) -> float:
    """Return a round number that is not below the highest value; 1 for nothing."""
    if highest <= 0:
        return 1.0
    if unit == "s":
        return next((end for end in TIMES if end >= highest), math.ceil(highest / 86_400.0) * 86_400.0)
    power = 10.0 ** math.floor(math.log10(highest))
    return next(factor * power for factor in (1.0, 2.0, 4.0, 6.0, 10.0) if factor * power >= highest * (1 - 1e-9))


def _short(value: float) -> str:
    """One digit behind the point where the number is small and not whole."""
    return f"{value:.1f}".removesuffix(".0") if abs(value) < 10 else f"{value:.0f}"  # noqa: PLR2004 - one digit
