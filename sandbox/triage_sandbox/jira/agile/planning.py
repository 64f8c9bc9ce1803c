"""Endpoints that move issues into and out of sprints and epics, rank and estimate them, and edit epics."""

import json
from typing import Any, Final

from triage_sandbox.jira.agile import boards
from triage_sandbox.jira.agile import sprints as sprints_over_rest
from triage_sandbox.jira.agile.backlog import epic_of, epic_of_path
from triage_sandbox.jira.agile.boards import AGILE
from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of, must, shows
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import issues, rank
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.issue.fields.sprints import OPEN

MOST: Final = 50
_COLORS: Final = frozenset(f"color_{number}" for number in range(1, 15))


def _named(call: Call, data: dict[str, Any]) -> list[Row]:
    """The tickets that a request moves."""
    keys = [str(key) for key in items_of(data, "issues")]
    if not 0 < len(keys) <= MOST:
        raise JiraError(400, f"Between 1 and {MOST} issues must be given.")
    rows = [call.issue(key) for key in dict.fromkeys(keys)]
    for row in rows:
        call.need("SCHEDULE_ISSUES", row["project"])
    return rows


def _move(call: Call, column: str, value: int | None, *, ranked: bool = True) -> Answer:
    """Write one thing into all of them, and rank them where the request says beside whom."""
    data = call.object()
    rows = _named(call, data)
    for row in rows:
        issues.change(call, row, {column: value})
    if ranked and {"rankBeforeIssue", "rankAfterIssue"} & data.keys():
        _rank(call, rows, data, "Issue")
    return DONE


def into_sprint(call: Call) -> Answer:
    """Move tickets into a sprint that is not closed, out of their other sprints."""
    sprint = sprints_over_rest.of_path(call)
    if sprint["state"] not in OPEN:
        raise JiraError(400, "Issues can only be moved to active or future sprints.")
    return _move(call, "sprint", sprint["id"])


def into_backlog(call: Call) -> Answer:
    """Take tickets out of their sprint."""
    if "board" in call.request.path_params:
        boards.of_path(call)
    return _move(call, "sprint", None)


def onto_board(call: Call) -> Answer:
    """Move tickets from the backlog into the active sprint; a board without sprints shows them already."""
    board = boards.of_path(call)
    if boards.plans(board):
        sql = "SELECT id FROM sprint WHERE board = ? AND state = 'active' ORDER BY position"
        running = must(call.db.value(sql, board["id"]), "The board has no active sprint.", 400)
        return _move(call, "sprint", running)
    _named(call, call.object())
    return DONE


def order(call: Call) -> Answer:
    """Rank tickets before or after another one."""
    data = call.object()
    field = data.get("rankCustomFieldId")
    if field is not None and field != custom.known(call.db, "rank"):
        raise JiraError(400, f"The custom field '{field}' is not a rank field.")
    rows = _named(call, data)
    _rank(call, rows, data, "Issue")
    return DONE


def order_epic(call: Call) -> Answer:
    """Rank an epic before or after another one."""
    epic = epic_of_path(call)
    _rank(call, [epic], call.object(), "Epic")
    return DONE


def _rank(call: Call, rows: list[Row], data: dict[str, Any], what: str) -> None:
    """All of them in the order given; a ticket beside itself stays where it is."""
    before, behind = data.get(f"rankBefore{what}"), data.get(f"rankAfter{what}")
    if (before is None) == (behind is None):
        raise JiraError(400, f"Either rankBefore{what} or rankAfter{what} must be given.")
    anchor = call.issue(str(before or behind))
    moved = [row["id"] for row in rows if row["id"] != anchor["id"]]
    others = "SELECT {}(rank) FROM issue WHERE rank {} ? AND id NOT IN (SELECT value FROM json_each(?))"
    if before is not None:
        low, high = call.db.value(others.format("max", "<"), anchor["rank"], json.dumps(moved)), anchor["rank"]
    else:
        low, high = anchor["rank"], call.db.value(others.format("min", ">"), anchor["rank"], json.dumps(moved))
    for issue in moved:
        low = rank.between(low, high)
        call.db.run("UPDATE issue SET rank = ? WHERE id = ?", low, issue)


# --- epics ------------------------------------------------------------------------------------


def of_board(call: Call) -> Answer:
    """Return the epics of a board's projects."""
    projects = json.dumps([row["id"] for row in boards.projects_of(call, boards.of_path(call))])
    rows = call.db.all(
        "SELECT t.* FROM ticket t JOIN issue_type k ON k.id = t.type LEFT JOIN epic e ON e.issue = t.id"
        " WHERE k.name = 'Epic' AND t.project IN (SELECT value FROM json_each(?1))"
        " AND (?2 = '' OR coalesce(e.done, 0) = (?2 = 'true')) ORDER BY t.rank",
        projects,
        call.query("done"),
    )
    return boards.paged(call, rows, epic_of)


def change_epic(call: Call) -> Answer:
    """Change name, summary, colour or done state of an epic; fields that are not sent stay."""
    row, data = epic_of_path(call), call.object()
    call.need("EDIT_ISSUES", row["project"])
    sent = data.get("color")
    color = sent.get("key") if isinstance(sent, dict) else None
    if color is not None and color not in _COLORS:
        raise JiraError(400, errors={"color": f"'{color}' is not a colour of an epic."})
    call.db.run("INSERT OR IGNORE INTO epic (issue) VALUES (?)", row["id"])
    sql = "UPDATE epic SET color = coalesce(?, color), done = coalesce(?, done) WHERE issue = ?"
    done = data.get("done") if isinstance(data.get("done"), bool) else None
    call.db.run(sql, color, done, row["id"])
    if data.get("name"):
        issues.change(call, row, {f"{custom.PREFIX}{custom.known(call.db, 'epic_name')}": [str(data["name"])]})
    if data.get("summary"):
        issues.change(call, row, {"summary": str(data["summary"])})
    return Answer(epic_of(call, call.issue(row["key"])))


def into_epic(call: Call) -> Answer:
    """Move tickets into an epic, out of any other; epics and sub-tasks are refused."""
    target = epic_of_path(call)
    for row in _named(call, call.object()):
        kind = call.entry("issue_type", row["type"])
        if kind["name"] == "Epic" or kind["subtask"]:
            raise JiraError(400, f"The issue '{row['key']}' is of a type that cannot belong to an epic.")
    return _move(call, "parent", target["id"], ranked=False)


def out_of_epic(call: Call) -> Answer:
    """Take tickets out of their epics."""
    return _move(call, "parent", None, ranked=False)


# --- estimates --------------------------------------------------------------------------------


def _points(call: Call) -> str:
    """The field by which a board estimates."""
    board = boards.find(call, call.query("boardId"))
    points = custom.known(call.db, "points")
    if not boards.plans(board) or points is None:
        raise JiraError(400, "The board does not estimate issues by a field.")
    return f"{custom.PREFIX}{points}"


def estimate(call: Call) -> Answer:
    row, name = call.issue(), _points(call)
    held = custom.held(call.db, row["id"], int(name.removeprefix(custom.PREFIX)))
    return Answer({"fieldId": name, **({"value": held[0]} if held else {})})


def set_estimate(call: Call) -> Answer:
    row, name, value = call.issue(), _points(call), call.object().get("value")
    try:
        values = [] if value is None else [float(value)]
    except (TypeError, ValueError):
        raise JiraError(400, errors={name: f"'{value}' is not a number."}) from None
    issues.change(call, row, {name: values})
    return estimate(call)


ROUTES: Final = (
    Route("POST", f"{AGILE}/sprint/{{sprint}}/issue", into_sprint),
    Route("POST", f"{AGILE}/backlog/issue", into_backlog),
    Route("POST", f"{AGILE}/backlog/{{board}}/issue", into_backlog, only="cloud"),
    Route("POST", f"{AGILE}/board/{{board}}/issue", onto_board, only="cloud"),
    Route("PUT", f"{AGILE}/issue/rank", order),
    Route("GET", f"{AGILE}/issue/{{key}}/estimation", estimate),
    Route("PUT", f"{AGILE}/issue/{{key}}/estimation", set_estimate),
    Route("GET", f"{AGILE}/board/{{board}}/epic", of_board),
    Route("GET", f"{AGILE}/epic/{{epic}}", shows(epic_of, epic_of_path)),
    Route("POST", f"{AGILE}/epic/{{epic}}", change_epic),
    Route("POST", f"{AGILE}/epic/none/issue", out_of_epic),
    Route("POST", f"{AGILE}/epic/{{epic}}/issue", into_epic),
    Route("PUT", f"{AGILE}/epic/{{epic}}/rank", order_epic),
)
