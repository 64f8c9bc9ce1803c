"""Finds times for a meeting: on the days that the writer wishes, within working hours, and where nobody who must come is busy."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.mail import Message
from triage.policy.calendar.due_date import READ, days_named, sentences_in
from triage.policy.calendar.working_hours import working_periods

FARTHEST: Final = timedelta(days=100)
"""Nobody asks for a meeting that lies farther ahead; a day beyond is about something else."""

GRID = timedelta(minutes=30)
"""Meetings begin at full and half hours."""
A_DAY = 2
"""Slots of one day, so that a proposal leaves a choice of days."""
APART = timedelta(hours=2)
"""Least time between the beginnings of two slots, so that it leaves a choice of hours."""


def merged(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return the periods in order, those that overlap or touch as one; empty ones are left out."""
    found: list[Period] = []
    for one in sorted(period for period in periods if period.start < period.end):
        if found and one.start <= found[-1].end:
            found[-1] = Period(found[-1].start, max(found[-1].end, one.end))
        else:
            found.append(one)
    return tuple(found)


def free_periods(busy: Iterable[Period], hours: WorkingHours, within: Period) -> Iterator[Period]:
    """Yield what is left of the working hours."""
    taken = merged(busy)
    for working in working_periods(hours, within):
        start = working.start
        for one in taken:
            if one.end <= start or one.start >= working.end:
                continue
            if start < one.start:
                yield Period(start, one.start)
            start = one.end
        if start < working.end:
            yield Period(start, working.end)


def free_slots(
    busy: Iterable[Period], hours: WorkingHours, within: Period, length: timedelta, most: int
) -> tuple[Period, ...]:
    """Return the first slots of this length, at most `most`, spread over days and hours: two a day."""
    zone, found = ZoneInfo(hours.zone), list[Period]()
    for free in free_periods(busy, hours, within):
        start = _on_grid(free.start)
        while start + length <= free.end and len(found) < most:
            day = start.astimezone(zone).date()
            if sum(one.start.astimezone(zone).date() == day for one in found) >= A_DAY:
                break
            found.append(Period(start, start + length))
            start = _on_grid(start + max(length, APART))
    return tuple(found)


def _on_grid(moment: datetime) -> datetime:
    """Return the next full or half hour, this one if it is one."""
    over = (moment - datetime(1970, 1, 1, tzinfo=UTC)) % GRID
    return moment + (GRID - over if over else timedelta())


def wished_days(mail: Message, asked: Sequence[str], language: str, now: datetime) -> tuple[date, ...]:
    """Return the days from today on that a mail names from the words `asked` for the meeting on; where there are none, all that it names."""
    text, sent, today = (mail.reply or mail.text)[:READ], mail.date or now, now.date()
    low = text.lower()
    begins = min((at for words in asked if (at := low.find(words)) >= 0), default=0)
    for part in (text[begins:], text):
        named = {day for sentence in sentences_in(part) for _, day in days_named(sentence, sent, [language])}
        if ahead := sorted(day for day in named if today <= day <= today + FARTHEST):
            return tuple(ahead)
    return ()
