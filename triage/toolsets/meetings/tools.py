"""The tool that reads the calendars: when our people are busy, and which times are free for a meeting."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Protocol
from zoneinfo import ZoneInfo

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.conversation import Grant, Json
from triage.domain.errors import SourceDown, ToolRefused
from triage.domain.ports import Calendar, Clock
from triage.policy.calendar.free_slots import free_slots, merged

LONGEST: Final = timedelta(days=31)
NOTICE: Final = timedelta(hours=2)
"""Nobody is invited to a meeting that begins at once."""
SLOTS: Final = 6


class HasCalendar(Protocol):
    """The part of a context that this tool needs."""

    @property
    def clock(self) -> Clock:
        """Source of the time."""

    @property
    def calendar(self) -> Calendar | None:
        """The calendars; None if none are configured."""

    @property
    def hours(self) -> WorkingHours:
        """When our people work."""


@tool(Grant.READ)
async def check_calendar(
    at: HasCalendar,
    start: Annotated[datetime, Field(description="from, ISO 8601; without a zone: our own")],
    end: Annotated[datetime, Field(description="until, at most 31 days later")],
    minutes: Annotated[int, Field(ge=15, le=480, description="length of the meeting")] = 30,
) -> Json:
    """When our people are busy between two times, and free slots in working hours. It shows no titles."""
    if at.calendar is None:
        raise ToolRefused("no calendar is configured")
    zone = ZoneInfo(at.hours.zone)
    within = Period(_utc(start, zone), _utc(end, zone))
    if not within.start < within.end <= within.start + LONGEST:
        raise ToolRefused(f"end must come after start, by at most {LONGEST.days} days")
    try:
        busy = merged(await at.calendar.busy(within))
    except SourceDown as e:
        return {"error": f"{e}; propose no time without it"}
    ahead = Period(max(within.start, at.clock.now() + NOTICE), within.end)
    slots = free_slots(busy, at.hours, ahead, timedelta(minutes=minutes), SLOTS) if ahead.start < ahead.end else ()
    return {
        "zone": at.hours.zone,
        "busy": [_shown(one, zone) for one in busy],
        "free": [_shown(one, zone) for one in slots],
    }


def _utc(moment: datetime, zone: ZoneInfo) -> datetime:
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _shown(period: Period, zone: ZoneInfo) -> str:
    """`Mon 2026-11-23 09:00-09:30`, local."""
    start, end = period.start.astimezone(zone), period.end.astimezone(zone)
    last = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%a %Y-%m-%d %H:%M}-{last}"
