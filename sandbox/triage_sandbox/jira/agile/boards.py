"""Endpoints that list, create and delete boards; a board is a filter with columns, with or without sprints."""

from collections.abc import Iterator
from typing import Any, Final

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, shows, whole
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.jql.parser import parse
from triage_sandbox.jira.jql.syntax import Both, Clause, Condition, Literal, Several
from triage_sandbox.jira.rest import properties
from triage_sandbox.jira.rest.search import filters
from triage_sandbox.jira.shapes import Shape

AGILE: Final = "/rest/agile/1.0"
NAME_LIMIT: Final = 255
_KINDS: Final = {"scrum": "scrum", "kanban": "kanban", "agility": "simple"}


def find(call: Call, number: str) -> Row:
    """Return a board. Raises `JiraError` 404 if there is none, or if the caller may not see its filter."""
    row = call.db.find("board", id=number)
    if row is None or not _seen(call, row):
        raise JiraError(404, "The requested board cannot be viewed because it either does not exist or you do not have"
                        " permission to view it.")  # fmt: skip
    return row


def of_path(call: Call) -> Row:
    return find(call, call.part("board"))


def _seen(call: Call, row: Row) -> bool:
    return row["owner"] == call.me or filters.seen(call, call.entry("filter", row["filter"]))


def shape(call: Call, row: Row) -> Shape:
    """Return a board as JSON; Cloud adds its location."""
    self = f"{call.base}{AGILE}/board/{row['id']}"
    body = {"id": row["id"], "self": self, "name": row["name"], "type": row["kind"]}
    return body | ({"location": _location(call, row), "isPrivate": False} if call.site.cloud else {})


def _location(call: Call, row: Row) -> Shape:
    if row["project"] is None:
        owner = call.entry("account", row["owner"])
        return {"userAccountId": owner["id"], "displayName": owner["shown"], "name": owner["shown"]}
    project = call.entry("project", row["project"])
    shown = f"{project['name']} ({project['key']})"
    return {
        "projectId": project["id"],
        "displayName": shown,
        "projectName": project["name"],
        "projectKey": project["key"],
        "projectTypeKey": project["kind"],
        "avatarURI": f"{call.base}/secure/projectavatar?size=small&pid={project['id']}",
        "name": shown,
    }


def projects_of(call: Call, board: Row) -> list[Row]:
    """Return the projects that a board's filter names, by name; if it names none, the board's own project."""
    jql = call.db.value("SELECT jql FROM filter WHERE id = ?", board["filter"])
    found = "SELECT * FROM project WHERE key = ?1 OR name = ?1 OR id = ?1"
    rows = [row for name in _named(parse(jql).where) if (row := call.db.one(found, name)) is not None]
    if not rows and board["project"] is not None:
        rows = [call.entry("project", board["project"])]
    return sorted({row["id"]: row for row in rows}.values(), key=lambda row: str(row["name"]))


def _named(condition: Condition | None) -> Iterator[str]:
    """Projects by which every hit of a condition is bound."""
    match condition:
        case Both("AND", parts):
            for part in parts:
                yield from _named(part)
        case Clause(field, "=" | "IN", operand) if field.casefold() == "project":
            for member in operand.members if isinstance(operand, Several) else (operand,):
                if isinstance(member, Literal):
                    yield member.text


def plans(board: Row) -> bool:
    """Tell whether the board has sprints and a backlog; a kanban board has neither."""
    return bool(board["kind"] != "kanban")


def listed(call: Call) -> Answer:
    """Return a page of boards, filtered by project, type and name."""
    name, kinds, project = call.query("name"), call.listed("type"), call.query("projectKeyOrId")
    wanted = call.project(project)["id"] if project else None
    rows = [
        row
        for row in call.db.all("SELECT * FROM board ORDER BY id")
        if _seen(call, row)
        and name.casefold() in row["name"].casefold()
        and (not kinds or row["kind"] in kinds)
        and call.query("filterId") in {"", str(row["filter"])}
        and (wanted is None or wanted in {each["id"] for each in projects_of(call, row)})
    ]
    return paged(call, rows, shape)


def paged(call: Call, rows: list[Row], shown: Any, most: int = 50) -> Answer:
    """Return a page of rows in the paging of the agile API."""
    return Answer(call.bare_page(rows, shown, most, most))


def create(call: Call) -> Answer:
    """Create a board over a filter."""
    data = call.object()
    name, kind = str(data.get("name") or "").strip(), _KINDS.get(str(data.get("type")))
    if not 0 < len(name) < NAME_LIMIT:
        raise JiraError(400, errors={"name": "The board name must be between 1 and 254 characters."})
    if kind is None:
        raise JiraError(400, errors={"type": "The board type must be scrum or kanban."})
    saved = call.db.find("filter", id=whole(data.get("filterId"), "filterId", 0))
    if saved is None:
        raise JiraError(400, errors={"filterId": "The selected filter is not available."})
    filters.find(call, str(saved["id"]))
    columns = {"name": name, "kind": kind, "filter": saved["id"], "owner": call.me}
    number = call.db.insert("board", columns | {"project": _place(call, data, saved)})
    return Answer(shape(call, find(call, str(number))), 201)


def _place(call: Call, data: dict[str, Any], saved: Row) -> int | None:
    """Where a board is to stand: Cloud is told, Data Center takes the one project of the filter."""
    location = data.get("location")
    if call.site.cloud:
        location = location if isinstance(location, dict) else {"type": "user"}
        if location.get("type") != "project":
            return None
        project: int = call.project(str(location.get("projectKeyOrId")))["id"]
        return project
    names = list(_named(parse(saved["jql"]).where))
    return None if len(names) != 1 else int(call.project(names[0])["id"])


def remove(call: Call) -> Answer:
    """Delete a board; its sprints stay with the tickets that are in them."""
    call.db.run("DELETE FROM board WHERE id = ?", of_path(call)["id"])
    return DONE


def of_filter(call: Call) -> Answer:
    rows = call.db.all("SELECT * FROM board WHERE filter = ? ORDER BY id", call.part("filter"))
    return paged(call, rows, lambda call, row: {key: shape(call, row)[key] for key in ("id", "self", "name")})


def _owner(call: Call) -> tuple[str, int, str]:
    """Whose properties a path means."""
    row = of_path(call)
    return "board", row["id"], f"{call.base}{AGILE}/board/{row['id']}"


_ONE: Final = f"{AGILE}/board/{{board}}"

ROUTES: Final = (
    Route("GET", f"{AGILE}/board", listed),
    Route("POST", f"{AGILE}/board", create),
    Route("GET", f"{AGILE}/board/filter/{{filter}}", of_filter, only="cloud"),
    Route("GET", _ONE, shows(shape, of_path)),
    Route("DELETE", _ONE, remove),
    *properties.routes(_ONE, _owner),
)
