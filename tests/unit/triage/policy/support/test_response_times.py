"""Until when somebody answers an escalation."""

from datetime import UTC, date, datetime, timedelta

import pytest

from triage.config.support.rules import RESPONSE_TIMES, ResponseTime
from triage.domain.calendar.periods import WorkingHours
from triage.domain.support.conversations import SupportPriority
from triage.policy.support.response_times import due_of, earlier_of, remind_of

FRIDAY = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
PRAGUE = WorkingHours(zone="Europe/Prague", holidays=frozenset({date(2026, 11, 23)}))


@pytest.mark.parametrize(
    ("given", "hours", "due"),
    [
        (RESPONSE_TIMES[SupportPriority.P1], WorkingHours(), FRIDAY + timedelta(minutes=15)),
        (RESPONSE_TIMES[SupportPriority.P2], WorkingHours(), FRIDAY + timedelta(hours=2)),
        (RESPONSE_TIMES[SupportPriority.P3], WorkingHours(), datetime(2026, 11, 23, 17, tzinfo=UTC)),
        (RESPONSE_TIMES[SupportPriority.P4], WorkingHours(), datetime(2026, 11, 27, 17, tzinfo=UTC)),
        (ResponseTime(business_days=1), PRAGUE, datetime(2026, 11, 24, 16, tzinfo=UTC)),
    ],
)
def test_by_the_clock_or_by_working_days(given: ResponseTime, hours: WorkingHours, due: datetime) -> None:
    """Minutes run through the night; business days end when people go home, without weekends and holidays."""
    assert due_of(given, FRIDAY, hours) == due


def test_nobody_works() -> None:
    """Without any working hours the days of the calendar count."""
    due = due_of(ResponseTime(business_days=1), FRIDAY, WorkingHours(days={}))

    assert due.date() == date(2026, 11, 21)


def test_a_reminder_is_due_before() -> None:
    """After three quarters of the time."""
    assert remind_of(FRIDAY, FRIDAY + timedelta(hours=2)) == FRIDAY + timedelta(minutes=90)


def test_a_running_time_is_never_made_longer() -> None:
    """Of the time that runs and the one that a later mail gives the earlier one holds."""
    soon, late = datetime(2026, 11, 23, 9, tzinfo=UTC), datetime(2026, 11, 23, 10, tzinfo=UTC)

    assert earlier_of(late, None) == late
    assert earlier_of(late, soon) == earlier_of(soon, late) == soon
