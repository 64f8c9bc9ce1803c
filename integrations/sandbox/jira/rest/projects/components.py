"""Components: the parts of a project's product, each with a lead."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route
from integrations.sandbox.jira.ground.database import Row
from integrations.sandbox.jira.rest import bodies
from integrations.sandbox.jira.rest.kept import home, part
from integrations.sandbox.jira.shapes import Shape

_NAMELESS: Final = "The component name specified is invalid - cannot be an empty string."
_PARTS: Final[bodies.Parts] = {
    "name": ("name", bodies.words(empty=_NAMELESS)),
    "description": ("description", bodies.words(32_767)),
    "assigneeType": ("assigning", bodies.ASSIGNING),
    "leadAccountId": ("lead", bodies.person),
    "leadUserName": ("lead", bodies.person),
}


def shape(call: Call, row: Row) -> Shape:
    """A component with everything."""
    project = call.entry("project", row["project"])
    lead, wanted = shapes.user(call, row["lead"]), row["assigning"]
    by_default = project["lead"] if project["assigning"] == "PROJECT_LEAD" else None
    assignees = {"COMPONENT_LEAD": row["lead"], "PROJECT_LEAD": project["lead"], "PROJECT_DEFAULT": by_default}
    valid = wanted != "COMPONENT_LEAD" or row["lead"] is not None
    real = wanted if valid else "PROJECT_DEFAULT"
    chosen = {"assignee": assignees.get(wanted), "realAssignee": assignees.get(real)}
    return shapes.component(call, row) | {
        **({"lead": lead} if lead else {}),
        **{name: shapes.user(call, account) for name, account in chosen.items() if account is not None},
        "assigneeType": wanted,
        "realAssigneeType": real,
        "isAssigneeTypeValid": valid,
        "project": project["key"],
        "projectId": project["id"],
    }


def _counted(call: Call, row: Row) -> Shape:
    return shape(call, row) | {"issueCount": _count(call, row)}


def _count(call: Call, row: Row) -> int:
    return int(call.db.value("SELECT count(*) FROM issue_component WHERE component = ?", row["id"]))


def of_project(call: Call) -> Answer:
    """All of a project."""
    project = call.project()
    return Answer([shape(call, row) for row in _rows(call, [project["id"]])])


def paged(call: Call) -> Answer:
    """A page of a project's."""
    project = call.project()
    return Answer(call.page(_rows(call, [project["id"]]), _counted))


def found(call: Call) -> Answer:
    """Those of several projects."""
    projects = [call.project(key)["id"] for key in call.listed("projectIdsOrKeys")]
    return Answer(call.page(_rows(call, projects), shape))


def _rows(call: Call, projects: list[int]) -> list[Row]:
    """By what `query` and `orderBy` ask for."""
    asked, order = call.query("query"), call.query("orderBy")
    column = {"description": "description", "lead": "lead"}.get(order.lstrip("+-"), "name")
    marks = ", ".join("?" * len(projects))
    sql = f"SELECT * FROM component WHERE project IN ({marks}) AND (name || ' ' || description) LIKE '%' || ? || '%'"
    direction = "DESC" if order.startswith("-") else "ASC"
    return call.db.all(f"{sql} ORDER BY {column} COLLATE NOCASE {direction}, id", *projects, asked)


def _one(call: Call, number: str = "", *, to_change: bool = False) -> Row:
    return part(call, "component", "The component with id {} does not exist.", number, to_change=to_change)


def one(call: Call) -> Answer:
    """One of them."""
    return Answer(shape(call, _one(call)))


def create(call: Call) -> Answer:
    """A new one."""
    data = call.object()
    project = home(call, data, "The project must be specified.")
    columns = bodies.taken(call, {"name": None, **data}, _PARTS)
    _unique(call, project, columns["name"])
    number = call.db.insert("component", {"description": "", "project": project, **columns})
    return Answer(shape(call, call.entry("component", number)), 201)


def _unique(call: Call, project: int, name: str, but: int = 0) -> None:
    if call.db.one("SELECT 1 FROM component WHERE project = ? AND name = ? AND id <> ?", project, name, but):
        words = f"A component with the name {name} already exists in this project."
        raise JiraError(400, errors={"name": words})


def edit(call: Call) -> Answer:
    """Another name, text or lead."""
    row = _one(call, to_change=True)
    columns = bodies.taken(call, call.object(), _PARTS)
    _unique(call, row["project"], columns.get("name", row["name"]), row["id"])
    call.db.update("component", row["id"], columns)
    return one(call)


def delete(call: Call) -> Answer:
    """Gone; its issues stay, and get another one where the caller names it."""
    row, target = _one(call, to_change=True), call.query("moveIssuesTo")
    with call.db.write():
        if target:
            other = _one(call, target)["id"]
            sql = "INSERT OR IGNORE INTO issue_component SELECT issue, ? FROM issue_component WHERE component = ?"
            call.db.run(sql, other, row["id"])
        call.db.run("DELETE FROM issue_component WHERE component = ?", row["id"])
        call.db.run("DELETE FROM component WHERE id = ?", row["id"])
    return DONE


def counts(call: Call) -> Answer:
    """How many issues it has."""
    row = _one(call)
    return Answer({"self": call.url(f"component/{row['id']}"), "issueCount": _count(call, row)})


ROUTES: Final = (
    Route("GET", f"{API}/project/{{key}}/components", of_project, open=True),
    Route("GET", f"{API}/project/{{key}}/component", paged, open=True),
    Route("GET", f"{API}/component", found, only="cloud"),
    Route("POST", f"{API}/component", create),
    Route("GET", f"{API}/component/{{id}}", one, open=True),
    Route("PUT", f"{API}/component/{{id}}", edit),
    Route("DELETE", f"{API}/component/{{id}}", delete),
    Route("GET", f"{API}/component/{{id}}/relatedIssueCounts", counts),
)
