"""The calendar tool shows busy periods without titles, and free slots in working hours."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.errors import SourceDown, ToolRefused
from triage.toolsets.meetings.tools import check_calendar

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
LUNCH = Period(MONDAY + timedelta(hours=11), MONDAY + timedelta(hours=12))


@dataclass
class Time:
    """A clock that stands still."""

    moment: datetime = MONDAY + timedelta(hours=6, minutes=40)

    def now(self) -> datetime:
        """The moment."""
        return self.moment

    async def sleep(self, seconds: float) -> None:
        """Nobody waits here."""


@dataclass
class Busy:
    """A calendar with these periods, or one that cannot be read."""

    periods: tuple[Period, ...] = (LUNCH,)
    down: bool = False

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """The periods, whatever is asked."""
        if self.down:
            raise SourceDown("calendar work", "answers 503")
        return self.periods


@dataclass
class At:
    """What the tool reads."""

    clock: Time
    calendar: Busy | None
    hours: WorkingHours


def _at(calendar: Busy | None) -> At:
    return At(Time(), calendar, WorkingHours(zone="Europe/Prague"))


async def test_busy_and_free() -> None:
    """Times are local; a slot begins two hours from now at the earliest, and none overlaps a busy period."""
    asked = {"start": datetime(2026, 11, 23, 8), "end": datetime(2026, 11, 24, 18), "minutes": 60}  # noqa: DTZ001 - a model writes no zone

    told = await check_calendar.function(_at(Busy()), **asked)

    assert told == {
        "zone": "Europe/Prague",
        "busy": ["Mon 2026-11-23 12:00-13:00"],
        "free": [
            "Mon 2026-11-23 10:00-11:00",
            "Mon 2026-11-23 11:00-12:00",
            "Tue 2026-11-24 09:00-10:00",
            "Tue 2026-11-24 10:00-11:00",
        ],
    }


async def test_what_is_past_is_not_free() -> None:
    """Of a period that is over nothing is free, and a busy one over midnight names both days."""
    night = Period(MONDAY - timedelta(hours=3), MONDAY + timedelta(hours=1))

    told = await check_calendar.function(_at(Busy((night,))), start=MONDAY - timedelta(days=1), end=MONDAY)

    assert told["free"] == []
    assert told["busy"] == ["Sun 2026-11-22 22:00-2026-11-23 02:00"]


async def test_a_calendar_that_is_down_frees_nothing() -> None:
    """The model is told that the time is unknown."""
    told = await check_calendar.function(_at(Busy(down=True)), start=MONDAY, end=MONDAY + timedelta(days=1))

    assert set(told) == {"error"}
    assert "503" in told["error"]


@pytest.mark.parametrize(
    ("calendar", "days", "told"),
    [(None, 1, "no calendar"), (Busy(), 0, "after start"), (Busy(), 32, "at most 31 days")],
)
async def test_what_cannot_be_asked(calendar: Busy | None, days: int, told: str) -> None:
    """Without a calendar, and for a period that is none or endless, the refusal says so."""
    with pytest.raises(ToolRefused, match=told):
        await check_calendar.function(_at(calendar), start=MONDAY, end=MONDAY + timedelta(days=days))
