"""Says when our people work, as local time with its summer and winter."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from triage.domain.calendar.periods import Period, WorkingHours

AHEAD = timedelta(days=60)
"""How far `next_opening` looks."""


def working_periods(hours: WorkingHours, within: Period) -> Iterator[Period]:
    """Yield the working periods within a period, in UTC and in order."""
    zone = ZoneInfo(hours.zone)
    day = within.start.astimezone(zone).date()
    last = within.end.astimezone(zone).date()
    while day <= last:
        for opens, closes in () if day in hours.holidays else hours.days.get(day.weekday(), ()):
            start = datetime.combine(day, opens, zone).astimezone(UTC)
            end = datetime.combine(day, closes, zone).astimezone(UTC)
            if (start := max(start, within.start)) < (end := min(end, within.end)):
                yield Period(start, end)
        day += timedelta(days=1)


def next_opening(hours: WorkingHours, moment: datetime) -> datetime | None:
    """Return the moment from which people work, this one if they do; None if not within sixty days."""
    opening = next(working_periods(hours, Period(moment, moment + AHEAD)), None)
    return opening.start if opening else None
