"""Reads busy periods from iCalendar (RFC 5545): repetitions are expanded, moved and cancelled occurrences honoured."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any, Final, TypeAlias

from dateutil.rrule import rrule, rruleset, rrulestr
from icalendar import Calendar

from triage.domain.calendar.periods import Period

MOST: Final = 5_000
"""Occurrences of one event within a period; a rule that repeats every second is cut there."""
FREE: Final = frozenset({"TRANSPARENT"})

Entry: TypeAlias = Any
"""A component of the library, whose properties it types as thirty classes."""


def busy_in(text: bytes, within: Period, zone: tzinfo) -> Iterator[Period]:
    """Yield the busy periods of a calendar, in UTC; `zone` is that of dates and floating times.

    Raises `ValueError` for a text that is no calendar.
    """
    for calendar in Calendar.from_ical(text, multiple=True):
        events = calendar.walk("VEVENT")
        moved = {
            (str(one.get("UID")), _utc(_start(one, "RECURRENCE-ID"), zone)) for one in events if "RECURRENCE-ID" in one
        }
        for event in events:
            if _is_busy(event):
                yield from _within(_occurrences(event, within, zone, moved), within)
        for one in calendar.walk("VFREEBUSY"):
            yield from _within(_reported(one), within)


def _is_busy(event: Entry) -> bool:
    cancelled = str(event.get("STATUS", "")).upper() == "CANCELLED"
    return "DTSTART" in event and not cancelled and str(event.get("TRANSP", "")).upper() not in FREE


def _occurrences(event: Entry, within: Period, zone: tzinfo, moved: set[tuple[str, datetime]]) -> Iterator[Period]:
    """Yield an event's occurrences, without those that another entry replaces."""
    start = _start(event, "DTSTART")
    length = _length(event, start, zone)
    if "RRULE" not in event and "RDATE" not in event:
        yield Period(_utc(start, zone), _utc(start, zone) + length)
        return
    first, uid = _local(start, zone), str(event.get("UID"))
    for moment in islice(_rules(event, first), MOST * 20):
        at = moment.replace(tzinfo=first.tzinfo).astimezone(UTC)
        if at >= within.end:
            return
        if at + length > within.start and (uid, at) not in moved:
            yield Period(at, at + length)


def _rules(event: Entry, first: datetime) -> Iterator[datetime]:
    """Yield the local starts, without a zone, so that nine o'clock stays nine when the clocks change."""
    found = rruleset()
    for rule in _listed(event.get("RRULE")):
        repeated = rrulestr(_local_rule(rule, first), dtstart=_naive(first, first))
        if isinstance(repeated, rrule):  # one line gives one rule, never a set
            found.rrule(repeated)
    found.rdate(_naive(first, first))
    for one in _dates(event.get("RDATE")):
        found.rdate(_naive(one, first))
    for one in _dates(event.get("EXDATE")):
        found.exdate(_naive(one, first))
    return iter(found)


def _local_rule(rule: Any, first: datetime) -> str:
    """Return the rule with its end, which is a date or in UTC, as local time."""
    parts = [part for part in rule.to_ical().decode().split(";") if not part.startswith("UNTIL=")]
    return ";".join([*parts, *(f"UNTIL={_naive(until, first):%Y%m%dT%H%M%S}" for until in rule.get("UNTIL", ()))])


def _naive(moment: date, like: datetime) -> datetime:
    """Return a moment in the zone of another one, without the zone."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, like.time())
    return (moment.astimezone(like.tzinfo) if moment.tzinfo else moment).replace(tzinfo=None)


def _dates(value: Any) -> Iterator[date]:
    for group in _listed(value):
        for one in group.dts:
            yield one.dt[0] if isinstance(one.dt, tuple) else one.dt


def _listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _reported(busy: Entry) -> Iterator[Period]:
    """Yield the periods of a free-busy report that are not free."""
    for one in _listed(busy.get("FREEBUSY")):
        if str(one.params.get("FBTYPE", "BUSY")).upper() != "FREE":
            for start, end in [one.dt] if hasattr(one, "dt") else one.dts:
                yield Period(start, start + end if isinstance(end, timedelta) else end)


def _within(periods: Iterator[Period], within: Period) -> Iterator[Period]:
    return (one for one in periods if one.start < within.end and one.end > within.start)


def _start(event: Entry, name: str) -> date:
    found: date = event[name].dt
    return found


def _length(event: Entry, start: date, zone: tzinfo) -> timedelta:
    """Return how long it takes: a day where only a date says when it begins."""
    if "DTEND" in event:
        return _utc(event["DTEND"].dt, zone) - _utc(start, zone)
    if "DURATION" in event:
        length: timedelta = event["DURATION"].dt
        return length
    return timedelta() if isinstance(start, datetime) else timedelta(days=1)


def _local(moment: date, zone: tzinfo) -> datetime:
    """Return a moment with its own zone, or with this one where it has none."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), zone)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _utc(moment: date, zone: tzinfo) -> datetime:
    return _local(moment, zone).astimezone(UTC)
