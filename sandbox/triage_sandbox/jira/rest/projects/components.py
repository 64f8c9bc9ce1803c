"""Endpoints for the components of a project, each with a lead."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, Route, lists, pages
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.rest.projects.parts import Part
from triage_sandbox.jira.shapes import Shape


def shape(call: Call, row: Row) -> Shape:
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


_DOCUMENTED: Final = ("self", "id", "name", "description", "lead", "assigneeType", "project")


def _listed(call: Call, row: Row) -> Shape:
    """As Data Center's own page has it."""
    whole = shape(call, row)
    return {name: whole[name] for name in _DOCUMENTED if name in whole} | {"archived": False, "deleted": False}


def _named(call: Call) -> list[Row]:
    """Of the projects that are named, or of all that the caller sees."""
    keys = call.listed("projectIds")
    seen = permissions.projects_with(call.db, call.me, "BROWSE_PROJECTS")
    return _rows(call, [call.project(key)["id"] for key in keys] if keys else sorted(seen))


def _count(call: Call, row: Row) -> int:
    return int(call.db.value("SELECT count(*) FROM issue_component WHERE component = ?", row["id"]))


def _of_project(call: Call) -> list[Row]:
    return _rows(call, [call.project()["id"]])


def _of_projects(call: Call) -> list[Row]:
    return _rows(call, [call.project(key)["id"] for key in call.listed("projectIdsOrKeys")])


def _rows(call: Call, projects: list[int]) -> list[Row]:
    """By what `query` and `orderBy` ask for."""
    asked, order = call.query("query"), call.query("orderBy")
    column = {"description": "description", "lead": "lead"}.get(order.lstrip("+-"), "name")
    marks = ", ".join("?" * len(projects))
    sql = f"SELECT * FROM component WHERE project IN ({marks}) AND (name || ' ' || description) LIKE '%' || ? || '%'"
    direction = "DESC" if order.startswith("-") else "ASC"
    return call.db.all(f"{sql} ORDER BY {column} COLLATE NOCASE {direction}, id", *projects, asked)


_COMPONENT: Final = Part(
    table="component",
    shape=shape,
    parts={
        "name": ("name", bodies.words(empty="The component name specified is invalid - cannot be an empty string.")),
        "description": ("description", bodies.words(32_767)),
        "assigneeType": ("assigning", bodies.ASSIGNING),
        "leadAccountId": ("lead", bodies.person),
        "leadUserName": ("lead", bodies.person),
    },
    homeless="The project must be specified.",
    missing="The component with id {} does not exist.",
    twice="A component with the name {} already exists in this project.",
)


def create(call: Call) -> Answer:
    return _COMPONENT.create(call, description="")


def delete(call: Call) -> Answer:
    """Delete a component; its issues get `moveIssuesTo` if that is sent."""
    return _COMPONENT.remove(call, {"issue_component": call.query("moveIssuesTo")})


def counts(call: Call) -> Answer:
    """Return the number of a component's issues."""
    row = _COMPONENT.find(call)
    return Answer({"self": call.url(f"component/{row['id']}"), "issueCount": _count(call, row)})


ROUTES: Final = (
    Route("GET", f"{API}/project/{{key}}/components", lists(shape, _of_project), open=True),
    Route("GET", f"{API}/project/{{key}}/component", pages(_counted, _of_project), open=True, only="cloud"),
    Route("GET", f"{API}/component/page", pages(_listed, _named, 100), only="server"),
    Route("GET", f"{API}/component", pages(shape, _of_projects), only="cloud"),
    Route("POST", f"{API}/component", create),
    Route("GET", f"{API}/component/{{id}}", _COMPONENT.one, open=True),
    Route("PUT", f"{API}/component/{{id}}", _COMPONENT.edit),
    Route("DELETE", f"{API}/component/{{id}}", delete),
    Route("GET", f"{API}/component/{{id}}/relatedIssueCounts", counts),
)
