"""The section `hours:` of triage.yaml: when our people work."""

import re
from datetime import date, time
from functools import cache
from itertools import pairwise
from typing import Annotated, Final
from zoneinfo import available_timezones

from pydantic import AfterValidator, BeforeValidator, Field

from triage.config.shapes.base import Shape
from triage.domain.calendar.periods import OFFICE, WorkingHours

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPAN: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d) ?- ?([01]?\d|2[0-3]|24):([0-5]\d)")
_LAST: Final = time(23, 59, 59)

Span = tuple[time, time]


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _zone(value: str) -> str:
    if value not in _zones():
        raise ValueError(f"{value!r} is no time zone; write it like Europe/Prague")
    return value


def _spans(value: object) -> tuple[Span, ...]:
    """Parse `09:00-12:00, 13:00-17:30`; an empty text is a free day."""
    texts = [text for text in str(value or "").split(",") if text.strip()]
    spans = tuple(_span(text.strip()) for text in texts)
    if any(before[1] > after[0] for before, after in pairwise(spans)):
        raise ValueError(f"{value!r} overlaps; write the hours of a day in order")
    return spans


def _span(text: str) -> Span:
    found = _SPAN.fullmatch(text)
    if found is None or (found[3] == "24" and found[4] != "00"):
        raise ValueError(f"{text!r} are no hours; write them like 09:00-17:30")
    opens, closes = (
        time(int(found[1]), int(found[2])),
        _LAST if found[3] == "24" else time(int(found[3]), int(found[4])),
    )
    if opens >= closes:
        raise ValueError(f"{text!r} ends before it begins")
    return opens, closes


Hours = Annotated[tuple[Span, ...], BeforeValidator(_spans)]


class HoursShape(Shape):
    """The section; a day that is not named has no hours on Saturday and Sunday, else 09:00-17:00."""

    zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    monday: Hours = OFFICE
    tuesday: Hours = OFFICE
    wednesday: Hours = OFFICE
    thursday: Hours = OFFICE
    friday: Hours = OFFICE
    saturday: Hours = ()
    sunday: Hours = ()
    holidays: Annotated[tuple[date, ...], Field(max_length=1000)] = ()

    def frozen(self) -> WorkingHours:
        days = {number: getattr(self, name) for number, name in enumerate(DAYS)}
        return WorkingHours(zone=self.zone, days=days, holidays=frozenset(self.holidays))
