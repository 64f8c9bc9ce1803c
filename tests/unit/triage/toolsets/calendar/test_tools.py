"""The tool that returns date and time."""

from dataclasses import dataclass
from datetime import UTC, datetime

from triage.toolsets.calendar.tools import get_current_period


@dataclass(frozen=True)
class Held:
    """A clock that stands still, as the context and its clock."""

    @property
    def clock(self) -> "Held":
        """Itself."""
        return self

    def now(self) -> datetime:
        """The last minute of a year whose day belongs to week 53."""
        return datetime(2026, 12, 31, 23, 59, tzinfo=UTC)


async def test_the_period_is_that_of_the_clock() -> None:
    """Minute, weekday, ISO week and month are those of the clock, in UTC."""
    assert await get_current_period.function(Held()) == {
        "now": "2026-12-31T23:59Z",
        "weekday": "Thursday",
        "week": 53,
        "month": "2026-12",
    }
