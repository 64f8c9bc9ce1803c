"""Until when somebody answers an escalation."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from triage.config.support.rules import RESPONSE_TIMES, ResponseTime
from triage.domain.calendar.periods import WorkingHours
from triage.domain.support.conversations import SupportPriority
from triage.domain.support.service_timers import ServiceTimer
from triage.policy.support.response_times import due_of, earlier_of, remind_of, timer_of

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


FIRST = ServiceTimer(name="Time to first response", running=True, breaches_at=FRIDAY + timedelta(hours=8))
WHOLE = ServiceTimer(name="Time to resolution", running=True, breaches_at=FRIDAY + timedelta(hours=4))
MET = ServiceTimer(name="Erste Antwort", running=False)
WAITS = ServiceTimer(name="Review", running=True, paused=True, breaches_at=FRIDAY)


@pytest.mark.parametrize(
    ("timers", "name", "chosen"),
    [
        ((), "Time to first response", None),
        ((WHOLE, FIRST), "time to FIRST response", FIRST),
        ((WHOLE, FIRST, MET, WAITS), "Erste Antwort", MET),
        ((MET, WAITS, FIRST, WHOLE), "No such timer", WHOLE),
        ((MET, WAITS), "No such timer", WAITS),
        ((MET,), "No such timer", None),
        ((replace(MET, name="x"), replace(FIRST, name="x")), "x", replace(FIRST, name="x")),
    ],
)
def test_which_timer_of_jira_counts(timers: tuple[ServiceTimer, ...], name: str, chosen: ServiceTimer | None) -> None:
    """The one that triage.yaml names, met or not; where there is none, the one that is missed first, if it counts at all."""
    assert timer_of(timers, name) == chosen
