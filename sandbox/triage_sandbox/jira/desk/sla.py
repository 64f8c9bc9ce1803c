"""The two SLAs that Jira gives a new service project, counted around the clock, with goals by priority.

The first response is the first public comment of the team; the customer's turn pauses the time to resolution.
"""

from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.desk.shapes import address, date, paged
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import said
from triage_sandbox.jira.seed.desks import AGENT
from triage_sandbox.jira.shapes import Shape

_HOUR: Final = 3_600_000
_GOALS: Final = ((1, "Time to first response", (1, 2, 8, 24, 40)), (2, "Time to resolution", (4, 8, 36, 72, 120)))
"""Number, name, hours by the rank of the priority."""
_PAUSED: Final = "Waiting for customer"


def shape(call: Call, row: Row) -> Shape:
    rank = call.entry("priority", row["priority"])["rank"] if row["priority"] else 2
    ends = {1: _first_response(call, row), 2: row["resolved"]}
    waits = call.entry("status", row["status"])["name"] == _PAUSED

    def one(call: Call, goal: tuple[int, str, tuple[int, ...]]) -> Shape:
        number, name, hours = goal
        limit, ended = hours[min(rank, len(hours) - 1)] * _HOUR, ends[number]
        cycle = _cycle(row["created"], call.site.now() if ended is None else ended, limit)
        over: Shape = {"completedCycles": [] if ended is None else [cycle | {"stopTime": date(ended)}]}
        if ended is None:
            over["ongoingCycle"] = cycle | {"paused": waits and number == 2, "withinCalendarHours": True}
        link = {"self": address(call, f"request/{row['id']}/sla/{number}")}
        return {"id": str(number), "name": name, **over, "_links": link}

    return paged(call, _GOALS, one)


def _first_response(call: Call, row: Row) -> int | None:
    """When the team first said something to the customer."""
    for one in call.db.all("SELECT * FROM comment WHERE issue = ? ORDER BY id", row["id"]):
        team = permissions.holds(call.db, one["author"], AGENT, row["project"])
        if team and not said.internal(call.db, one["id"]):
            return int(one["created"])
    return None


def _cycle(begun: int, until: int, limit: int) -> dict[str, Any]:
    elapsed = until - begun
    return {
        "startTime": date(begun),
        "breachTime": date(begun + limit),
        "breached": elapsed > limit,
        "goalDuration": _span(limit),
        "elapsedTime": _span(elapsed),
        "remainingTime": _span(limit - elapsed),
    }


def _span(milliseconds: int) -> Shape:
    hours, minutes = divmod(abs(milliseconds) // 60_000, 60)
    text = " ".join(f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m")) if count) or "0m"
    return {"millis": milliseconds, "friendly": f"-{text}" if milliseconds < 0 else text}
