"""Endpoints that create, read, edit, assign, transition and delete one issue."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, shows
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import moment
from triage_sandbox.jira.issue import issues, properties, said
from triage_sandbox.jira.issue.fields import fields, writing
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.fields.reading import body_of
from triage_sandbox.jira.issue.fields.writing import FieldRefused
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.rest.issues import beside, workflow
from triage_sandbox.jira.shapes import Shape


def create(call: Call) -> Answer:
    return Answer(made(call, call.object()), 201)


def made(call: Call, data: dict[str, Any]) -> Shape:
    """Create an issue with all that a body holds; return Jira's answer."""
    row = issues.create(call, data)
    beside.add(call, row, data)
    return {"id": str(row["id"]), "key": row["key"], "self": call.url(f"issue/{row['id']}")}


def read(call: Call) -> Answer:
    """Return an issue with the fields and expansions that the query asks for."""
    row = call.issue()
    chosen = fields.wanted(call, call.listed("fields"), "*all")
    page = Issues(call, [row])
    return Answer(rendered(page, row, chosen, call.listed("expand"), call.listed("properties")))


def rendered(
    page: Issues, row: Row, chosen: Iterable[Field], expand: Iterable[str] = (), kept: Iterable[str] = ()
) -> Shape:
    call = page.call
    shape: Shape = {
        "expand": "renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations",
        "id": str(row["id"]),
        "self": call.url(f"issue/{row['id']}"),
        "key": row["key"],
    }
    if wanted := set(kept):
        known = {item["key"]: item["value"] for item in properties.listed(call.db, "issue", row["id"])}
        shape["properties"] = {key: value for key, value in known.items() if key in wanted or "*all" in wanted}
    shape["fields"] = {field.id: field.read(page, row) for field in chosen}
    return shape | {name: _EXPANDED[name](page, row, chosen) for name in expand if name in _EXPANDED}


def names_of(chosen: Iterable[Field]) -> Shape:
    return {field.id: field.name for field in chosen}


def schemas_of(chosen: Iterable[Field]) -> Shape:
    return {field.id: field.schema for field in chosen}


def _rendered_fields(page: Issues, row: Row, chosen: Iterable[Field]) -> Shape:
    """Texts as HTML and times as people read them; all else is null."""
    return {field.id: _RENDERED[field.id](page, row) if field.id in _RENDERED else None for field in chosen}


def _html(name: str) -> Callable[[Issues, Row], str]:
    return lambda _, row: "" if (body := body_of(row, name)) is None else str(body.html)


def _told(name: str) -> Callable[[Issues, Row], str | None]:
    return lambda _, row: None if row[name] is None else f"{moment(row[name]):%d/%b/%y %-I:%M %p}"


def _said(page: Issues, row: Row) -> Shape:
    """The comments, each with its body as HTML."""
    shown = [
        said.shape(page.call, comment) | {"body": str(Body(comment["body"], comment["markup"]).html)}
        for comment in said.visible(page.call, page.related("comments", row))
    ]
    return shapes.whole_page("comments", shown)


_RENDERED: Final[Mapping[str, Callable[[Issues, Row], Any]]] = {
    "description": _html("description"),
    "environment": _html("environment"),
    "comment": _said,
    "created": _told("created"),
    "updated": _told("updated"),
    "resolutiondate": _told("resolved"),
    "duedate": lambda _, row: row["due"],
}


def _changelog(page: Issues, row: Row, _: Iterable[Field]) -> Shape:
    """The latest change first on Cloud, the first one first on Server."""
    order = "DESC" if page.call.site.cloud else "ASC"
    rows = page.call.db.all(f"SELECT * FROM change WHERE issue = ? ORDER BY id {order}", row["id"])
    return shapes.whole_page("histories", [shapes.change(page.call, change) for change in rows])


_EXPANDED: Final[Mapping[str, Callable[[Issues, Row, Iterable[Field]], Any]]] = {
    "names": lambda _, __, chosen: names_of(chosen),
    "schema": lambda _, __, chosen: schemas_of(chosen),
    "renderedFields": _rendered_fields,
    "changelog": _changelog,
    "transitions": lambda page, row, _: workflow.ways(page.call, row, with_fields=False),
    "editmeta": lambda page, row, _: _editable(page.call, row),
    "operations": lambda _, __, ___: {"linkGroups": []},
}


def edit(call: Call) -> Answer:
    """Change an issue's fields, and apply `update`."""
    row, data = call.issue(), call.object()
    issues.edit(call, row, data)
    beside.add(call, row, data)
    if call.site.cloud and call.query("returnIssue") == "true":
        fresh = call.issue(str(row["id"]))
        return Answer(rendered(Issues(call, [fresh]), fresh, fields.wanted(call, (), "*all"), call.listed("expand")))
    return DONE


def assign(call: Call) -> Answer:
    """Set the assignee, or nobody."""
    row = call.issue()
    project = call.entry("project", row["project"])
    data = call.object()
    # Data Center knows -1 for the default and null for nobody; so does Cloud, under its own key.
    key = "accountId" if call.site.cloud else "name"
    try:
        values = writing.assignee(call, project, {key: data.get(key)})
    except FieldRefused as e:
        raise JiraError(400, errors={"assignee": str(e)}) from None
    issues.change(call, row, values)
    return DONE


def delete(call: Call) -> Answer:
    """Delete an issue; with sub-tasks only if `deleteSubtasks` is set."""
    row = call.issue()
    children = call.db.all(
        "SELECT t.* FROM ticket t JOIN issue_type k ON k.id = t.type WHERE t.parent = ? AND k.subtask", row["id"]
    )
    if children and call.query("deleteSubtasks") != "true":
        words = f"The issue '{row['key']}' has subtasks. You must specify the 'deleteSubtasks' parameter to delete this"
        raise JiraError(400, f"{words} issue and all its subtasks.")
    for each in (*children, row):
        issues.remove(call, each)
    return DONE


def _editable(call: Call, row: Row) -> Shape:
    project, kind = call.entry("project", row["project"]), call.entry("issue_type", row["type"])
    shown = {
        field.id: field.meta(call, project, required=fields.required(call, field, kind), with_id=False)
        for field in fields.form(call, project, fields.ON_EDIT, kind)
    }
    return {"fields": shown}


def subtasks(call: Call) -> Answer:
    """Return the sub-tasks (Data Center)."""
    row = call.issue()
    page = Issues(call, [row])
    return Answer([page.brief(child["id"]) for child in page.related("subtasks", row)])


def notify(call: Call) -> Answer:
    """Accept a notification about an issue. The sandbox sends no mail and answers as Jira does."""
    call.issue()
    wanted = call.object().get("to")
    if not isinstance(wanted, dict) or not any(wanted.values()):
        raise JiraError(400, "No recipients were defined for notification.")
    return DONE


_ISSUE: Final = f"{API}/issue"

ROUTES: Final = (
    Route("POST", _ISSUE, create),
    Route("GET", f"{_ISSUE}/{{key}}", read, open=True),
    Route("PUT", f"{_ISSUE}/{{key}}", edit),
    Route("DELETE", f"{_ISSUE}/{{key}}", delete, need="DELETE_ISSUES"),
    Route("PUT", f"{_ISSUE}/{{key}}/assignee", assign, need="ASSIGN_ISSUES"),
    Route("GET", f"{_ISSUE}/{{key}}/editmeta", shows(_editable, Call.issue)),
    Route("GET", f"{_ISSUE}/{{key}}/subtask", subtasks),
    Route("POST", f"{_ISSUE}/{{key}}/notify", notify),
)
