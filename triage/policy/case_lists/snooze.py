"""Computes until when a case is put off: `tomorrow`, `monday` or a day, in the asker's morning."""

from datetime import date, datetime, time, timedelta
from typing import Final

from triage.domain.operations.case_lists import SearchInvalid
from triage.policy.case_lists.query import ReaderClock

MORNING: Final = time(8)
FARTHEST: Final = timedelta(days=366)
LATER_TODAY: Final = timedelta(hours=3)


def snoozed_until(choice: str, today: ReaderClock) -> datetime:
    """Return the moment. Raises `SearchInvalid` for what is no day, past, or more than a year away."""
    if choice == "later":
        return today.now + LATER_TODAY
    day = _day(choice, today)
    if not today.day < day <= today.day + FARTHEST:
        raise SearchInvalid("until", f"{choice} is not within the next year: choose a day after today")
    return datetime.combine(day, MORNING, today.zone)


def _day(choice: str, today: ReaderClock) -> date:
    if choice == "tomorrow":
        return today.day + timedelta(days=1)
    if choice == "monday":
        return today.day + timedelta(days=7 - today.day.weekday())
    try:
        return date.fromisoformat(choice)
    except ValueError:
        raise SearchInvalid("until", f"{choice or 'nothing'} is no day: write one as 2026-11-30") from None
