"""Projects: what they are made of, and what a form for a new issue has to ask."""

from typing import Final

from integrations.sandbox.jira import fields, shapes
from integrations.sandbox.jira.call import Answer, Call, JiraError, Route
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


# --- what a form has to ask -------------------------------------------------------------------


def create_types(call: Call) -> Answer:
    """The kinds of issues that can be created in a project."""
    call.project(call.part("key"))
    return _paged(call, "issueTypes", [shapes.issue_type(call, row) for row in _types(call)])


def create_fields(call: Call) -> Answer:
    """The fields of the form for one kind."""
    project = call.project(call.part("key"))
    kind = shapes.entry(call, "issue_type", call.part("type"))
    return _paged(call, "fields", list(_form(call, project, kind, with_id=True).values()))


def _paged(call: Call, cloud_name: str, entries: list[Shape]) -> Answer:
    """Cloud and Data Center page this alike and name it differently."""
    start, most = call.number("startAt", 0), call.number("maxResults", 50)
    shown = entries[start : start + most]
    page = {"maxResults": most, "startAt": start, "total": len(entries)}
    if call.site.cloud:
        return Answer({**page, cloud_name: shown})
    return Answer({**page, "isLast": start + most >= len(entries), "values": shown})


def _form(call: Call, project: Row, kind: Row, *, with_id: bool) -> dict[str, Shape]:
    required = fields.REQUIRED | ({"parent"} if kind["subtask"] else set())
    return {
        field.id: field.meta(call, project, required=field.id in required, with_id=with_id)
        for field in fields.on_screen(call, fields.ON_CREATE)
    }


def create_meta(call: Call) -> Answer:
    """Everything at once: deprecated on Cloud, gone from Data Center 9 on."""
    if not call.site.cloud and int(call.site.version.partition(".")[0]) >= 9:
        raise JiraError(404, "Issue Does Not Exist")
    keys, ids = call.listed("projectKeys"), call.listed("projectIds")
    rows = [
        row
        for row in call.db.all("SELECT * FROM project ORDER BY key")
        if (not keys and not ids) or row["key"] in keys or str(row["id"]) in ids
    ]
    return Answer({"expand": "projects", "projects": [_creatable(call, row) for row in rows]})


def _creatable(call: Call, project: Row) -> Shape:
    names, ids = call.request.query_params.getlist("issuetypeNames"), call.listed("issuetypeIds")
    full = "projects.issuetypes.fields" in call.query("expand")
    kinds = [
        shapes.issue_type(call, row)
        | ({"expand": "fields", "fields": _form(call, project, row, with_id=False)} if full else {})
        for row in _types(call)
        if (not names and not ids) or row["name"] in names or str(row["id"]) in ids
    ]
    known = shapes.project(call, project)
    brief = {name: known[name] for name in ("self", "id", "key", "name", "avatarUrls")}
    return brief | {"expand": "issuetypes", "issuetypes": kinds}


_API: Final = "/rest/api/{version}"

ROUTES: Final = (
    Route("GET", f"{_API}/project", every, open=True),
    Route("GET", f"{_API}/project/{{key}}", one, open=True),
    Route("GET", f"{_API}/project/{{key}}/statuses", statuses, open=True),
    Route("GET", f"{_API}/project/{{key}}/components", components, open=True),
    Route("GET", f"{_API}/issue/createmeta", create_meta),
    Route("GET", f"{_API}/issue/createmeta/{{key}}/issuetypes", create_types),
    Route("GET", f"{_API}/issue/createmeta/{{key}}/issuetypes/{{type}}", create_fields),
)
