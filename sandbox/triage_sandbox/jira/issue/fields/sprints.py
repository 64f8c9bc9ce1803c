"""Converts sprints to JSON, inside an issue and alone, and puts an issue into a sprint."""

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import moment
from triage_sandbox.jira.issue.fields.writing import FieldRefused
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.shapes import Shape

OPEN: Final = ("future", "active")
_DATES: Final = {"startDate": "starts", "endDate": "ends", "completeDate": "completed"}


def day(milliseconds: int | None) -> str | None:
    """Return a moment as the agile API writes it: `2026-11-20T08:13:13.360Z`."""
    if milliseconds is None:
        return None
    return moment(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shape(call: Call, row: Row) -> Shape:
    """Return a sprint as JSON of the agile API."""
    body = {"id": row["id"], "self": f"{call.base}/rest/agile/1.0/sprint/{row['id']}", "state": row["state"]}
    body |= {"name": row["name"], **_dates(row), "originBoardId": row["board"]}
    body |= {"goal": row["goal"]} if row["goal"] or row["state"] != "future" else {}
    if call.site.cloud:
        return body | {"createdDate": day(row["created"])}
    activated = {"activatedDate": day(row["activated"])} if row["activated"] is not None else {}
    return body | activated | {"synced": False, "autoStartStop": False}


def _dates(row: Row) -> Shape:
    return {name: day(row[column]) for name, column in _DATES.items() if row[column] is not None}


# --- the field of an issue --------------------------------------------------------------------


def read(page: Issues, row: Row, _: Sequence[Any]) -> list[Shape] | list[str] | None:
    """Return past sprints, then the present one: objects on Cloud, Java's `toString` on Data Center."""
    found = page.related("sprints", row)
    if page.call.site.cloud:
        return [_in_field(sprint) for sprint in found] or None
    return [_printed(sprint) for sprint in found] or None


def _in_field(row: Row) -> Shape:
    brief = {"id": row["id"], "name": row["name"], "state": row["state"], "boardId": row["board"], "goal": row["goal"]}
    return brief | _dates(row)


def _printed(row: Row) -> str:
    parts = {
        "id": row["id"],
        "rapidViewId": row["board"],
        "state": row["state"].upper(),
        "name": row["name"],
        "startDate": day(row["starts"]),
        "endDate": day(row["ends"]),
        "completeDate": day(row["completed"]),
        "activatedDate": day(row["activated"]),
        "sequence": row["position"],
        "goal": row["goal"],
        "synced": "false",
        "autoStartStop": "false",
        "incompleteIssuesDestinationId": None,
    }
    inside = ",".join(f"{name}={'<null>' if value is None else value}" for name, value in parts.items())
    return f"com.atlassian.greenhopper.service.sprint.Sprint@{crc32(inside.encode()):x}[{inside}]"


def write(call: Call, _: int, value: Any) -> list[int]:
    """Check the number of a sprint, which must not be closed."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldRefused("Number value expected as the Sprint id.")
    state = call.db.value("SELECT state FROM sprint WHERE id = ?", value)
    if state is None:
        raise FieldRefused(f"The sprint with id '{value}' does not exist.")
    if state not in OPEN:
        raise FieldRefused("Issue can be assigned only active or future sprints.")
    return [value]
