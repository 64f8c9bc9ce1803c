"""Endpoints for the parts of a board: its filter, columns, projects and versions."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.agile.boards import AGILE, of_path, paged, plans, projects_of, shape
from triage_sandbox.jira.call import Answer, Call, Route, shows
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.shapes import Shape

_COLUMNS: Final = (("new", "To Do"), ("indeterminate", "In Progress"), ("done", "Done"))


def configuration(call: Call) -> Answer:
    """Return a board's filter, its columns, and its fields for estimation and rank."""
    row = of_path(call)
    shown = shape(call, row)
    body: Shape = {
        "id": row["id"],
        "name": row["name"],
        "type": row["kind"],
        "self": f"{shown['self']}/configuration",
        "filter": {"id": str(row["filter"]), "self": f"{call.base}/rest/api/2/filter/{row['filter']}"},
        "columnConfig": {"columns": _columns(call, row), "constraintType": "none"},
    }
    if call.site.cloud and row["project"] is not None:
        place = call.entry("project", row["project"])
        body["location"] = {
            "type": "project",
            "key": place["key"],
            "id": str(place["id"]),
            "self": call.url(f"project/{place['id']}"),
            "name": place["name"],
        }
    if plans(row):
        body["estimation"] = _estimation(call)
    else:
        body["subQuery"] = {"query": "fixVersion in unreleasedVersions() OR fixVersion is EMPTY"}
    return Answer(body | {"ranking": {"rankCustomFieldId": custom.known(call.db, "rank")}})


def _columns(call: Call, board: Row) -> list[Shape]:
    """One for each category, with the states that the workflows of the board's projects know."""
    states: dict[int, Row] = {}
    for project in projects_of(call, board):
        states |= {row["id"]: row for row in projects.states(call.db, project["id"])}
    return [
        {
            "name": name,
            "statuses": [
                {"id": str(state["id"]), "self": f"{call.base}/rest/api/2/status/{state['id']}"}
                for state in states.values()
                if state["category"] == category
            ],
        }
        for category, name in _COLUMNS
    ]


def _estimation(call: Call) -> Shape:
    points = custom.known(call.db, "points")
    if points is None:
        return {"type": "none"}
    name = call.db.value("SELECT name FROM custom_field WHERE id = ?", points)
    return {"type": "field", "field": {"fieldId": f"{custom.PREFIX}{points}", "displayName": name}}


def shown(call: Call) -> Answer:
    """Return the projects whose tickets the board shows."""
    return paged(call, projects_of(call, of_path(call)), shapes.project)


def versions(call: Call) -> Answer:
    board, released = of_path(call), call.query("released")
    sql = "SELECT * FROM version WHERE project = ? AND (?2 = '' OR released = (?2 = 'true')) ORDER BY rank, id"
    rows = [row for project in projects_of(call, board) for row in call.db.all(sql, project["id"], released)]
    return paged(call, rows, _version)


def _version(call: Call, row: Row) -> Shape:
    """Boards write a release's number as one."""
    return shapes.version(call, row) | {"id": row["id"], "projectId": row["project"]}


def nothing(call: Call) -> Answer:
    """Return an empty page, for things that no board here has."""
    of_path(call)
    return paged(call, [], shape)


_BOARD: Final = f"{AGILE}/board/{{board}}"

ROUTES: Final = (
    Route("GET", f"{_BOARD}/configuration", configuration),
    Route("GET", f"{_BOARD}/project", shown),
    Route("GET", f"{_BOARD}/project/full", shown),
    Route("GET", f"{_BOARD}/version", versions),
    Route("GET", f"{_BOARD}/quickfilter", nothing),
    Route("GET", f"{_BOARD}/features", shows(lambda _, __: {"features": []}, of_path), only="cloud"),
    Route("GET", f"{_BOARD}/reports", shows(lambda _, __: {"reports": []}, of_path), only="cloud"),
)
