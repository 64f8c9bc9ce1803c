"""Computes when a person has to answer an escalation, by its priority."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from triage.config.support.rules import ResponseTime
from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.support.service_timers import ServiceTimer
from triage.policy.calendar.working_hours import AHEAD, working_periods

FAR: Final = datetime.max.replace(tzinfo=UTC)
REMIND_AT: Final = 0.75
"""Part of the response time after which a reminder is due."""


def due_of(given: ResponseTime, since: datetime, hours: WorkingHours) -> datetime:
    """Return the moment until which somebody has to answer.

    Business days count from the next day on which people work; the last one ends when they go home, or at midnight where
    nobody works within sixty days.
    """
    if not given.business_days:
        return since + timedelta(minutes=given.minutes)
    zone = ZoneInfo(hours.zone)
    today = since.astimezone(zone).date()
    periods = working_periods(hours, Period(since, since + AHEAD))
    ends = {period.start.astimezone(zone).date(): period.end for period in periods}
    days = [end for day, end in ends.items() if day != today]
    if len(days) >= given.business_days:
        return days[given.business_days - 1]
    last = today + timedelta(days=given.business_days)
    return datetime.combine(last, time.max, zone).astimezone(UTC)


def earlier_of(due: datetime, before: datetime | None) -> datetime:
    """Return the moment that holds where a response time runs already: a later mail never gives more time."""
    return due if before is None else min(due, before)


def timer_of(timers: Sequence[ServiceTimer], name: str) -> ServiceTimer | None:
    """Return the timer of Jira that says until when a customer is answered, None where there is none.

    It is the one of this name; in a project without it the one that is missed first, and one that counts goes before one that pauses.
    """
    named = [one for one in timers if one.name.casefold() == name.casefold()]
    dated = [one for one in timers if one.running and one.breaches_at]
    return min(named or dated, key=lambda one: (not one.running, one.paused, one.breaches_at or FAR), default=None)


def remind_of(since: datetime, due: datetime) -> datetime:
    """Return the moment from which a reminder is due."""
    return since + (due - since) * REMIND_AT
