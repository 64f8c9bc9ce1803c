"""Endpoints that create, start, change and close sprints; a closed sprint never reopens."""

from datetime import datetime
from typing import Any, Final

from triage_sandbox.jira.agile import boards
from triage_sandbox.jira.agile.boards import AGILE
from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, shows, whole
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import milliseconds_of
from triage_sandbox.jira.issue.fields import sprints
from triage_sandbox.jira.rest import properties

NAME_LIMIT: Final = 30
_ORDER: Final = "CASE state WHEN 'closed' THEN 0 WHEN 'active' THEN 1 ELSE 2 END, position, id"


def find(call: Call, number: str) -> Row:
    """Return a sprint. Raises `JiraError` 404 if there is none."""
    return call.entry("sprint", number, "Sprint does not exist or you do not have permission to view it.")


def of_path(call: Call) -> Row:
    return find(call, call.part("sprint"))


def of_board(call: Call) -> Answer:
    """Return a board's sprints: closed, active, future."""
    board, states = boards.of_path(call), call.listed("state")
    if not boards.plans(board):
        raise JiraError(400, "The board does not support sprints")
    if unknown := set(states) - {"closed", "active", "future"}:
        raise JiraError(400, f"'{min(unknown)}' is not a state of a sprint.")
    rows = call.db.all(f"SELECT * FROM sprint WHERE board = ? ORDER BY {_ORDER}", board["id"])
    return boards.paged(call, [row for row in rows if not states or row["state"] in states], sprints.shape)


def create(call: Call) -> Answer:
    data = call.object()
    name = _name(data)
    if data.get("originBoardId") is None:
        raise JiraError(400, errors={"originBoardId": "Board id must be specified."})
    board = boards.find(call, str(whole(data["originBoardId"], "originBoardId", 0)))
    if not boards.plans(board):
        raise JiraError(400, "Sprints can only be created on boards that support sprints.")
    _manage(call, board)
    dates = _ordered(_date(data, "startDate"), _date(data, "endDate"))
    row = {"board": board["id"], "name": name, "goal": str(data.get("goal") or ""), **dates}
    place = call.db.value("SELECT coalesce(max(position), 0) + 1 FROM sprint")
    number = call.db.insert("sprint", {**row, "created": call.site.now(), "position": place})
    return Answer(sprints.shape(call, find(call, str(number))), 201)


def _manage(call: Call, board: Row | None) -> None:
    """Whoever plans sprints must be allowed to in all projects of the board."""
    for project in boards.projects_of(call, board) if board is not None else ():
        call.need("MANAGE_SPRINTS_PERMISSION", project["id"])


def _name(data: dict[str, Any]) -> str:
    name = str(data.get("name") or "").strip()
    if not name:
        raise JiraError(400, errors={"name": "Sprint name must be specified."})
    if len(name) > NAME_LIMIT:
        raise JiraError(400, errors={"name": f"The sprint name must be no longer than {NAME_LIMIT} characters."})
    return name


def _date(data: dict[str, Any], name: str) -> int | None:
    """A moment in ISO 8601; without an offset it is UTC."""
    if not data.get(name):
        return None
    try:
        return milliseconds_of(datetime.fromisoformat(str(data[name])))
    except (ValueError, OverflowError):
        raise JiraError(400, errors={name: f"'{data[name]}' is not a date and time in ISO 8601."}) from None


def _ordered(starts: int | None, ends: int | None) -> dict[str, int | None]:
    if starts is not None and ends is not None and ends <= starts:
        raise JiraError(400, errors={"endDate": "The end date of a sprint must be after its start date."})
    return {"starts": starts, "ends": ends}


def update(call: Call) -> Answer:
    """Update a sprint: PUT replaces all fields, POST only those that are sent."""
    row, data = of_path(call), call.object()
    _manage(call, call.db.find("board", id=row["board"]))
    full = call.request.method == "PUT"
    columns: dict[str, Any] = {"name": _name(data)} if full or "name" in data else {}
    if full or "goal" in data:
        columns["goal"] = str(data.get("goal") or "")
    if row["state"] != "closed":
        columns |= _dates(row, data, full=full)
    state = str(data.get("state") or row["state"]).lower()
    if state != row["state"]:
        columns |= _moved(call, row, state, columns)
    call.db.update("sprint", row["id"], columns)
    if columns.get("state") == "closed":
        _release(call, row["id"])
    return Answer(sprints.shape(call, find(call, str(row["id"]))))


def _dates(row: Row, data: dict[str, Any], *, full: bool) -> dict[str, int | None]:
    """A running sprint keeps its dates where a full update does not name them: it cannot do without."""
    keep = not full or row["state"] == "active"
    starts = _date(data, "startDate") if data.get("startDate") or not keep else row["starts"]
    ends = _date(data, "endDate") if data.get("endDate") or not keep else row["ends"]
    return _ordered(starts, ends)


def _moved(call: Call, row: Row, state: str, columns: dict[str, Any]) -> dict[str, Any]:
    """From future to active to closed, a step at a time."""
    now = call.site.now()
    if (row["state"], state) == ("active", "closed"):
        return {"state": state, "completed": now}
    if (row["state"], state) != ("future", "active"):
        raise JiraError(400, f"A sprint cannot go from the state '{row['state']}' to '{state}'.")
    if columns.get("starts") is None or columns.get("ends") is None:
        raise JiraError(400, "A sprint must have a start date and an end date to be started.")
    running = "SELECT 1 FROM sprint WHERE board = ? AND state = 'active'"
    if not call.site.parallel_sprints and call.db.one(running, row["board"]) is not None:
        raise JiraError(400, "The board has an active sprint already, and parallel sprints are not enabled.")
    return {"state": state, "activated": now}


def _release(call: Call, sprint: int) -> None:
    """What was in a sprint that is closed was in it; what is not done is in the backlog again."""
    call.db.run("INSERT OR IGNORE INTO past_sprint SELECT id, sprint FROM issue WHERE sprint = ?", sprint)
    call.db.run("UPDATE issue SET sprint = NULL WHERE sprint = ?", sprint)


def remove(call: Call) -> Answer:
    """Delete a sprint; its tickets go to the backlog. Data Center refuses to delete one that has begun."""
    row = of_path(call)
    _manage(call, call.db.find("board", id=row["board"]))
    if not call.site.cloud and row["state"] != "future":
        raise JiraError(400, "A sprint that is active or completed cannot be deleted.")
    call.db.run("DELETE FROM sprint WHERE id = ?", row["id"])
    return DONE


def swap(call: Call) -> Answer:
    """Exchange the order of two sprints."""
    row = of_path(call)
    other = find(call, str(whole(call.object().get("sprintToSwapWith"), "sprintToSwapWith", 0)))
    for one_, place in ((row, other["position"]), (other, row["position"])):
        call.db.run("UPDATE sprint SET position = ? WHERE id = ?", place, one_["id"])
    return DONE


def _owner(call: Call) -> tuple[str, int, str]:
    """Whose properties a path means."""
    row = of_path(call)
    return "sprint", row["id"], f"{call.base}{AGILE}/sprint/{row['id']}"


_SPRINT: Final = f"{AGILE}/sprint"
_ONE: Final = f"{_SPRINT}/{{sprint}}"

ROUTES: Final = (
    Route("GET", f"{AGILE}/board/{{board}}/sprint", of_board),
    Route("POST", _SPRINT, create),
    Route("GET", _ONE, shows(sprints.shape, of_path)),
    Route("PUT", _ONE, update),
    Route("POST", _ONE, update),
    Route("DELETE", _ONE, remove),
    Route("POST", f"{_ONE}/swap", swap),
    *properties.routes(_ONE, _owner),
)
