"""Time as calendars have it: periods, and the hours in which people work."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Final

OFFICE: Final = ((time(9), time(17)),)


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A stretch of time, from `start` (included) to `end` (excluded); both with a time zone."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingHours:
    """The hours of our people, in their time zone."""

    zone: str = "UTC"
    """IANA name, such as `Europe/Prague`."""
    days: Mapping[int, tuple[tuple[time, time], ...]] = field(
        default_factory=lambda: {**dict.fromkeys(range(5), OFFICE), 5: (), 6: ()}
    )
    """Weekday (Monday is 0) → its hours, in order and apart; a missing day is free."""
    holidays: frozenset[date] = frozenset()
