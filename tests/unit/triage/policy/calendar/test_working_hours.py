"""Working hours are local: they keep their clock through summer and winter."""

from datetime import UTC, date, datetime, time

from triage.domain.calendar.periods import Period, WorkingHours
from triage.policy.calendar.working_hours import next_opening, working_periods

PRAGUE = WorkingHours(zone="Europe/Prague", holidays=frozenset({date(2026, 10, 28)}))


def _utc(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 10, day, hour, minute, tzinfo=UTC)


def test_nine_stays_nine_when_the_clocks_change() -> None:
    """On Friday before the change Prague opens at 7:00 UTC, on Monday after it at 8:00; the weekend is free."""
    found = list(working_periods(PRAGUE, Period(_utc(23, 0), _utc(26, 23))))

    assert found == [Period(_utc(23, 7), _utc(23, 15)), Period(_utc(26, 8), _utc(26, 16))]


def test_the_edges_are_cut() -> None:
    """A period that begins and ends within hours gives only what lies in it; a break divides a day."""
    hours = WorkingHours(days={3: ((time(8), time(12)), (time(13), time(17)))})

    found = list(working_periods(hours, Period(_utc(22, 9), _utc(22, 14))))

    assert found == [Period(_utc(22, 9), _utc(22, 12)), Period(_utc(22, 13), _utc(22, 14))]


def test_the_next_opening() -> None:
    """Within hours it is now, at their end the next day that is no holiday, without hours never."""
    assert next_opening(PRAGUE, _utc(23, 8, 30)) == _utc(23, 8, 30)
    assert next_opening(PRAGUE, _utc(23, 15)) == _utc(26, 8)
    assert next_opening(PRAGUE, _utc(27, 18)) == _utc(29, 8)
    assert next_opening(WorkingHours(days={}), _utc(27, 18)) is None
