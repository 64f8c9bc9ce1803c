"""Until when a case is put off."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from triage.domain.operations.case_lists import SearchInvalid
from triage.policy.case_lists.query import ReaderClock
from triage.policy.case_lists.snooze import snoozed_until

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
"""In Berlin it is Saturday, the 21st."""
TODAY = ReaderClock(NOW, BERLIN)


@pytest.mark.parametrize(
    ("choice", "until"),
    [
        ("later", NOW + timedelta(hours=3)),
        ("tomorrow", datetime(2026, 11, 22, 8, tzinfo=BERLIN)),
        ("monday", datetime(2026, 11, 23, 8, tzinfo=BERLIN)),
        ("2027-01-04", datetime(2027, 1, 4, 8, tzinfo=BERLIN)),
    ],
)
def test_a_choice(choice: str, until: datetime) -> None:
    """A day begins at eight where the person is."""
    assert snoozed_until(choice, TODAY) == until


def test_monday_on_a_monday() -> None:
    """It is the next one."""
    monday = ReaderClock(datetime(2026, 11, 23, 9, tzinfo=UTC), BERLIN)

    assert snoozed_until("monday", monday) == datetime(2026, 11, 30, 8, tzinfo=BERLIN)


@pytest.mark.parametrize("choice", ["", "soon", "2026-11-21", "2026-11-01", "2028-01-01"])
def test_no_day(choice: str) -> None:
    """What is no day, past, or too far away is refused with the cure."""
    with pytest.raises(SearchInvalid, match="until"):
        snoozed_until(choice, TODAY)
