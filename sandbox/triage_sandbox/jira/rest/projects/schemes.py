"""Endpoints for the schemes of a project, read-only."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, lists, must, pages
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.shapes import Shape

_NOTIFICATIONS: Final = {"id": 10000, "name": "Default Notification Scheme", "description": ""}
_SECURITY: Final = {"id": 10000, "name": "Default", "description": ""}
_PRIORITIES: Final = {"id": 1, "name": "Default priority scheme", "description": "This is default priority scheme"}


def _notification(call: Call, _: object = None) -> Shape:
    self = call.url(f"notificationscheme/{_NOTIFICATIONS['id']}")
    return {"expand": "notificationSchemeEvents,user,group,projectRole,field,all", "self": self, **_NOTIFICATIONS}


def notification_of(call: Call) -> Answer:
    call.project()
    return Answer(_notification(call))


def notification_scheme(call: Call) -> Answer:
    """Return the only notification scheme."""
    if call.part("id") != str(_NOTIFICATIONS["id"]):
        raise JiraError(404, f"Notification scheme with id {call.part('id')} was not found.")
    more: Shape = {"notificationSchemeEvents": []} if call.listed("expand") else {}
    return Answer(_notification(call) | more)


def security_schemes(call: Call) -> Answer:
    """Return the security schemes; clients take the first one when they create a project."""
    self = call.url(f"issuesecurityschemes/{_SECURITY['id']}")
    return Answer({"issueSecuritySchemes": [{"self": self, **_SECURITY}]})


def security_of(call: Call) -> Answer:
    """Return the security scheme of a project; 404 if it has no levels."""
    project = call.project()
    if not _levels(call, project):
        raise JiraError(404, "There is no issue security scheme associated with this project.")
    return Answer({"self": call.url(f"issuesecurityschemes/{_SECURITY['id']}"), **_SECURITY})


def security_levels(call: Call) -> Answer:
    return Answer({"levels": _levels(call, call.project())})


def _levels(call: Call, project: Row) -> list[Shape]:
    rows = call.db.all("SELECT * FROM security_level WHERE project = ? ORDER BY name", project["id"])
    return [shapes.security_level(call, row) for row in rows]


def priorities_of(call: Call) -> Answer:
    """Return the priority scheme of a project, which has all priorities."""
    call.project()
    ids = [str(row["id"]) for row in call.db.all("SELECT id FROM priority ORDER BY rank")]
    body = {"expand": "schemes", "self": call.url(f"priorityschemes/{_PRIORITIES['id']}"), **_PRIORITIES}
    return Answer(body | {"optionIds": ids, "defaultScheme": True})


def workflows_of(call: Call) -> Answer:
    """Return the workflow scheme of a project, by its template."""
    project = call.project()
    name = f"{project['key']}: Software Simplified Workflow Scheme"
    body = {"id": project["id"], "name": name, "description": "", "draft": False, "issueTypeMappings": {}}
    return Answer(body | {"defaultWorkflow": f"Software Simplified Workflow for Project {project['key']}"})


_TYPES: Final = {
    10000: ("Default Issue Type Scheme", "Default issue type scheme is the list of global issue types."),
    10001: ("Software Issue Type Scheme", "The kinds of issues of projects that were made by a template."),
}


def _type_scheme(call: Call, number: int) -> Shape:
    name, description = _TYPES[number]
    self = call.url(f"issuetypescheme/{number}")
    return {"expand": "schemes", "self": self, "id": str(number), "name": name, "description": description}


def projects_of_types(call: Call) -> Answer:
    """Return the projects that use an issue type scheme."""
    tests, number = {"10000": "NOT EXISTS", "10001": "EXISTS"}, call.part("id")
    test = must(tests.get(number), f"The issue type scheme with id '{number}' does not exist.")
    sql = f"SELECT * FROM project p WHERE {test} (SELECT 1 FROM project_type WHERE project = p.id) ORDER BY key"
    return Answer([shapes.project(call, row) | {"lead": shapes.user(call, row["lead"])} for row in call.db.all(sql)])


_PROJECT: Final = f"{API}/project/{{key}}"

ROUTES: Final = (
    Route("GET", f"{_PROJECT}/notificationscheme", notification_of),
    Route("GET", f"{API}/notificationscheme", pages(_notification, lambda _: [0])),
    Route("GET", f"{API}/notificationscheme/{{id}}", notification_scheme),
    Route("GET", f"{API}/issuesecurityschemes", security_schemes),
    Route("GET", f"{_PROJECT}/issuesecuritylevelscheme", security_of),
    Route("GET", f"{_PROJECT}/securitylevel", security_levels),
    Route("GET", f"{_PROJECT}/priorityscheme", priorities_of),
    Route("GET", f"{_PROJECT}/workflowscheme", workflows_of),
    Route("GET", f"{API}/issuetypescheme", lists(_type_scheme, lambda _: _TYPES, "schemes")),
    Route("GET", f"{API}/issuetypescheme/{{id}}/associations", projects_of_types),
)
