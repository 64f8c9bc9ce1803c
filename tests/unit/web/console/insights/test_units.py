"""Numbers as charts write them."""

import pytest

from web.console.insights.units import ceiling, with_unit


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0, "s", "0 s"),
        (0.42, "s", "0.4 s"),
        (90, "s", "1.5 min"),
        (7_200, "s", "2 h"),
        (1_000_000, "s", "12 d"),
        (97.04, "%", "97 %"),
        (1.234, "USD", "1.23 USD"),
        (3, "mails", "3"),
        (12_345, "mails", "12345"),
    ],
)
def test_told(value: float, unit: str, words: str) -> None:
    """In the unit that makes the number short."""
    assert with_unit(value, unit) == words


@pytest.mark.parametrize(
    ("highest", "unit", "end"),
    [
        (0, "mails", 1),
        (1, "mails", 1),
        (7, "mails", 10),
        (41, "mails", 60),
        (0.013, "USD", 0.02),
        (70, "s", 120),
        (200_000, "s", 259_200),
    ],
)
def test_the_end_of_the_axis(highest: float, unit: str, end: float) -> None:
    """Round, and never below the highest value."""
    assert ceiling(highest, unit) == pytest.approx(end)
