"""Days in the words of ten languages; which of them are deadlines stands in the tests of due dates."""

import re
from datetime import UTC, date, datetime

import pytest

from triage.config.word_lists import word_lists
from triage.policy.calendar.named_day import DAYS, date_expression, day_of
from triage.policy.text.word_patterns import MONTHS

TUESDAY = datetime(2026, 11, 24, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("2026-12-05", "en", date(2026, 12, 5)),
        ("friday next week", "en", date(2026, 12, 4)),
        ("5. dezember", "de", date(2026, 12, 5)),
        ("mitte januar", "de", date(2027, 1, 15)),
        ("kw 49", "de", date(2026, 12, 4)),
        ("12月5日", "ja", date(2026, 12, 5)),
        ("the end of february", "en", date(2027, 2, 28)),
    ],
)
def test_a_day_in_words(text: str, language: str, day: date) -> None:
    """The groups of the expression tell the day, the next of its name counted from the mail's."""
    found = re.search(date_expression(language), text)
    assert found
    assert day_of({name: part for name, part in found.groupdict().items() if part}, language, TUESDAY) == day


def test_every_language_names_all_days_and_months() -> None:
    """A language with the name of one day has those of all days and months, or it would read dates by halves."""
    lists = word_lists()
    reading = [code for code in lists.languages if lists.of(code, "date.monday")]

    assert {"en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ja"} <= set(reading)
    for code in reading:
        assert all(lists.of(code, f"date.{name}") for name in (*DAYS, *MONTHS, "days", "weeks", "today", "tomorrow"))
