"""Projects: what they are made of, and what a form for a new issue has to ask."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import Answer, Call, Route
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.shapes import Shape


def every(call: Call) -> Answer:
    """All projects that the caller sees: none for strangers."""
    rows = call.db.all("SELECT * FROM project ORDER BY key") if call.user is not None else []
    return Answer([shapes.project(call, row) for row in rows])


def one(call: Call) -> Answer:
    """A project with all its parts."""
    row = call.project(call.part("key"))
    shape = shapes.project(call, row) | {
        "description": row["description"],
        "lead": shapes.user(call, row["lead"]),
        "components": [_component(call, part, row) for part in _parts(call, "component", row)],
        "issueTypes": [shapes.issue_type(call, kind) for kind in _types(call)],
        "assigneeType": "UNASSIGNED",
        "versions": [shapes.version(call, part) for part in _parts(call, "version", row)],
        "roles": {},
    }
    return Answer(shape | ({"style": "classic", "isPrivate": False, "properties": {}} if call.site.cloud else {}))


def _parts(call: Call, table: str, project: Row) -> list[Row]:
    return call.db.all(f"SELECT * FROM {table} WHERE project = ? ORDER BY name", project["id"])


def _types(call: Call) -> list[Row]:
    return call.db.all("SELECT * FROM issue_type ORDER BY rank")


def statuses(call: Call) -> Answer:
    """The states of each kind of issue, which share one workflow here."""
    call.project(call.part("key"))
    states = [shapes.status(call, row) for row in call.db.all("SELECT * FROM status ORDER BY rank")]
    kinds = [
        {
            "self": call.url(f"issuetype/{row['id']}"),
            "id": str(row["id"]),
            "name": row["name"],
            "subtask": bool(row["subtask"]),
            "statuses": states,
        }
        for row in _types(call)
    ]
    return Answer(kinds)


def components(call: Call) -> Answer:
    """The parts of the product, each with its lead."""
    project = call.project(call.part("key"))
    return Answer([_component(call, row, project) for row in _parts(call, "component", project)])


def _component(call: Call, row: Row, project: Row) -> Shape:
    lead = shapes.user(call, row["lead"])
    return shapes.component(call, row) | {
        **({"lead": lead} if lead else {}),
        "assigneeType": "PROJECT_DEFAULT",
        "realAssigneeType": "PROJECT_DEFAULT",
        "isAssigneeTypeValid": False,
        "project": project["key"],
        "projectId": project["id"],
    }


_API: Final = "/rest/api/{version}"

ROUTES: Final = (
    Route("GET", f"{_API}/project", every, open=True),
    Route("GET", f"{_API}/project/{{key}}", one, open=True),
    Route("GET", f"{_API}/project/{{key}}/statuses", statuses, open=True),
    Route("GET", f"{_API}/project/{{key}}/components", components, open=True),
)
