"""Reads the SLAs of a customer request by the service desk API."""

from datetime import UTC, datetime
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.refusals import permitted
from integrations.jira.http.session import JiraSession
from triage.domain.conversation import Json
from triage.domain.support.service_timers import ServiceTimer

_MOST: Final = 50
"""SLAs that are read; projects have two to five."""


async def timers(session: JiraSession, key: str) -> tuple[ServiceTimer, ...]:
    """Return the SLAs of a request. Jira answers 404 for a ticket that is no request, 403 where our account is no agent."""
    asked = session.read("GET", f"/servicedeskapi/request/{key}/sla", params={"limit": _MOST}, about=key)
    page = await permitted(asked, session, {"values": []})
    with well_formed("SLAs"):
        return tuple(map(_timer, page["values"]))


def _timer(shape: Json) -> ServiceTimer:
    cycle = shape.get("ongoingCycle") or {}
    return ServiceTimer(
        name=str(shape["name"]),
        running=bool(cycle),
        # Outside its calendar's hours Jira counts no time, but still says when the goal would be missed.
        paused=bool(cycle.get("paused")),
        breaches_at=_moment(cycle.get("breachTime")),
    )


def _moment(shape: Json) -> datetime | None:
    """Convert by `epochMillis`: `iso8601` has the offset without a colon, and the other two have the user's time zone."""
    return datetime.fromtimestamp(shape["epochMillis"] / 1000, UTC) if shape else None
