"""Endpoints for the fields of a create form: all at once (the old interface), or by project and issue type."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.projects import kinds as kinds_of
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.shapes import Shape


def create_types(call: Call) -> Answer:
    """Return a page of the issue types that can be created in a project."""
    project = call.project()
    return _paged(call, "issueTypes", fields.types(call, project))


def create_fields(call: Call) -> Answer:
    """Return a page of the create form's fields for one issue type."""
    project = call.project()
    kind = call.entry("issue_type", call.part("type"))
    return _paged(call, "fields", list(_form(call, project, kind, with_id=True).values()))


def _paged(call: Call, cloud_name: str, entries: list[Shape]) -> Answer:
    """Cloud and Data Center page this alike and name it differently."""
    if call.site.cloud:
        return Answer(call.numbered(cloud_name, entries, lambda _, entry: entry))
    return Answer(call.bare_page(entries, lambda _, entry: entry))


def _form(call: Call, project: Row, kind: Row, *, with_id: bool) -> dict[str, Shape]:
    return {
        field.id: field.meta(call, project, required=fields.required(call, field, kind), with_id=with_id)
        for field in fields.form(call, project, fields.ON_CREATE, kind)
    }


def create_meta(call: Call) -> Answer:
    """Return all create forms at once: deprecated on Cloud, gone from Data Center 9 on."""
    if not call.site.cloud and call.site.major >= 9:
        raise JiraError(404, "Issue Does Not Exist")
    keys, ids = call.listed("projectKeys"), call.listed("projectIds")
    rows = [
        row
        for row in call.db.all("SELECT * FROM project ORDER BY key")
        if ((not keys and not ids) or row["key"] in keys or str(row["id"]) in ids)
        and call.may("CREATE_ISSUES", row["id"])
    ]
    return Answer({"expand": "projects", "projects": [_creatable(call, row) for row in rows]})


def _creatable(call: Call, project: Row) -> Shape:
    names, ids = call.request.query_params.getlist("issuetypeNames"), call.listed("issuetypeIds")
    full = "projects.issuetypes.fields" in call.query("expand")
    kinds = [
        shapes.issue_type(call, row)
        | ({"expand": "fields", "fields": _form(call, project, row, with_id=False)} if full else {})
        for row in kinds_of(call.db, project["id"])
        if (not names and not ids) or row["name"] in names or str(row["id"]) in ids
    ]
    known = shapes.project(call, project)
    brief = {name: known[name] for name in ("self", "id", "key", "name", "avatarUrls")}
    return brief | {"expand": "issuetypes", "issuetypes": kinds}


_META: Final = f"{API}/issue/createmeta"

ROUTES: Final = (
    Route("GET", _META, create_meta),
    Route("GET", f"{_META}/{{key}}/issuetypes", create_types),
    Route("GET", f"{_META}/{{key}}/issuetypes/{{type}}", create_fields),
)
