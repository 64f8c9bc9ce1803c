"""Issues over REST: made, read, changed, given to somebody, moved through the workflow, deleted."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from integrations.sandbox.jira import fields, issues, shapes, writing
from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.field import Field
from integrations.sandbox.jira.forms import Form
from integrations.sandbox.jira.reading import Issues, body_of
from integrations.sandbox.jira.rest import comments, links
from integrations.sandbox.jira.shapes import Shape
from integrations.sandbox.jira.writing import FieldRefused, Values

BULK_LIMIT: Final = 100


def create(call: Call) -> Answer:
    """A new issue."""
    data = call.object()
    with call.db.write():
        row = issues.create(call, data)
        links.from_update(call, row, data)
    return Answer({"id": str(row["id"]), "key": row["key"], "self": call.url(f"issue/{row['id']}")}, 201)


def read(call: Call) -> Answer:
    """One issue, with what was asked of it."""
    row = call.issue(call.part("key"))
    chosen = fields.wanted(call, call.listed("fields"), "*all")
    page = Issues(call, [row])
    return Answer(rendered(page, row, chosen, call.listed("expand"), call.listed("properties")))


def rendered(
    page: Issues, row: Row, chosen: Iterable[Field], expand: Iterable[str] = (), properties: Iterable[str] = ()
) -> Shape:
    """An issue as JSON."""
    call = page.call
    shape: Shape = {
        "expand": "renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations",
        "id": str(row["id"]),
        "self": call.url(f"issue/{row['id']}"),
        "key": row["key"],
    }
    if wanted := set(properties):
        known = {item["key"]: item["value"] for item in shapes.properties_of(call.db, "issue", row["id"])}
        shape["properties"] = {key: value for key, value in known.items() if key in wanted or "*all" in wanted}
    shape["fields"] = {field.id: field.read(page, row) for field in chosen}
    return shape | {name: _EXPANDED[name](page, row, chosen) for name in expand if name in _EXPANDED}


def names_of(chosen: Iterable[Field]) -> Shape:
    """What people call these fields."""
    return {field.id: field.name for field in chosen}


def schemas_of(chosen: Iterable[Field]) -> Shape:
    """The types of these fields."""
    return {field.id: field.schema for field in chosen}


def _rendered_fields(_: Issues, row: Row, chosen: Iterable[Field]) -> Shape:
    body = body_of(row)
    html = "" if body is None else str(body.html)
    return {field.id: html if field.id == "description" else None for field in chosen}


def _changelog(page: Issues, row: Row, _: Iterable[Field]) -> Shape:
    """The latest change first on Cloud, the first one first on Server."""
    order = "DESC" if page.call.site.cloud else "ASC"
    rows = page.call.db.all(f"SELECT * FROM change WHERE issue = ? ORDER BY id {order}", row["id"])
    entries = [shapes.change(page.call, change) for change in rows]
    return {"startAt": 0, "maxResults": len(entries), "total": len(entries), "histories": entries}


def _transitions(page: Issues, row: Row, _: Iterable[Field]) -> list[Shape]:
    return [_transition(page.call, row, step, with_fields=False) for step in _steps(page.call, row)]


_EXPANDED: Final[Mapping[str, Callable[[Issues, Row, Iterable[Field]], Any]]] = {
    "names": lambda _, __, chosen: names_of(chosen),
    "schema": lambda _, __, chosen: schemas_of(chosen),
    "renderedFields": _rendered_fields,
    "changelog": _changelog,
    "transitions": _transitions,
}


def bulk_fetch(call: Call) -> Answer:
    """Up to a hundred issues by key or id; those that are not there are left out."""
    call.only_cloud()
    data = call.object()
    asked = [str(key) for key in items_of(data, "issueIdsOrKeys")]
    if not 0 < len(asked) <= BULK_LIMIT:
        raise JiraError(400, f"issueIdsOrKeys must hold between 1 and {BULK_LIMIT} issues.")
    found = {row["id"]: row for key in asked if (row := call.seen(key)) is not None}
    chosen = fields.wanted(call, map(str, items_of(data, "fields")), "*navigable")
    expand, properties = map(str, items_of(data, "expand")), list(map(str, items_of(data, "properties")))
    page, wanted = Issues(call, found.values()), list(expand)
    shown = [rendered(page, row, chosen, wanted, properties) for row in page.rows]
    return Answer({"issues": shown, "issueErrors": []})


def edit(call: Call) -> Answer:
    """New values, and what `update` adds beside them."""
    row, data = call.issue(call.part("key")), call.object()
    with call.db.write():
        issues.edit(call, row, data)
        beside(call, row, data)
    return DONE


def beside(call: Call, row: Row, data: dict[str, Any]) -> None:
    """Comments and links that came inside `update`."""
    update = data.get("update") or {}
    for step in items_of(update, "comment"):
        if not isinstance(step, dict) or not isinstance(step.get("add"), dict):
            raise JiraError(400, errors={"comment": "expected an operation 'add' with a body"})
        comments.add(call, row, step["add"])
    links.from_update(call, row, data)


def assign(call: Call) -> Answer:
    """Give it to somebody, or to nobody."""
    row = call.issue(call.part("key"))
    project = shapes.entry(call, "project", row["project"])
    call.need("ASSIGN_ISSUES", project["id"])
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
    """Gone for good; sub-tasks only where the caller says so."""
    row = call.issue(call.part("key"))
    call.need("DELETE_ISSUES", row["project"])
    children = call.db.all(
        "SELECT t.* FROM ticket t JOIN issue_type k ON k.id = t.type WHERE t.parent = ? AND k.subtask", row["id"]
    )
    if children and call.query("deleteSubtasks") != "true":
        words = f"The issue '{row['key']}' has subtasks. You must specify the 'deleteSubtasks' parameter to delete this"
        raise JiraError(400, f"{words} issue and all its subtasks.")
    with call.db.write():
        for each in (*children, row):
            issues.remove(call, each)
    return DONE


def edit_meta(call: Call) -> Answer:
    """What can be changed."""
    row = call.issue(call.part("key"))
    project = shapes.entry(call, "project", row["project"])
    kind = shapes.entry(call, "issue_type", row["type"])
    shown = {
        field.id: field.meta(call, project, required=fields.required(field, kind), with_id=False)
        for field in fields.form(call, project, fields.ON_EDIT, kind)
    }
    return Answer({"fields": shown})


# --- the workflow -----------------------------------------------------------------------------


def _steps(call: Call, row: Row) -> list[Row]:
    """The transitions that leave the issue's status, by the project's own workflow where it has one."""
    if not call.may("TRANSITION_ISSUES", row["project"]):
        return []
    sql = (
        "SELECT * FROM transition WHERE source = ? AND project IS (SELECT max(project) FROM transition WHERE project = ?)"
        " ORDER BY id"
    )
    return call.db.all(sql, row["status"], row["project"])


def _screen(call: Call, step: Row, target: Row) -> str:
    """The fields a transition asks for: Data Center's default workflow asks for the resolution, Cloud's for nothing."""
    if step["screen"] is not None:
        return str(step["screen"])
    return "resolution assignee fixVersions" if target["category"] == "done" and not call.site.cloud else ""


def _transition(call: Call, row: Row, step: Row, *, with_fields: bool) -> Shape:
    target = shapes.entry(call, "status", step["target"])
    project = shapes.entry(call, "project", row["project"])
    screen = fields.on_screen(call, project, _screen(call, step, target))
    shape: Shape = {"id": str(step["id"]), "name": step["name"], "to": shapes.status(call, target)}
    if call.site.cloud:
        shape |= {
            "hasScreen": bool(screen),
            "isGlobal": False,
            "isInitial": False,
            "isAvailable": True,
            "isConditional": False,
            "isLooped": False,
        }
    if with_fields:
        shape["fields"] = {
            field.id: field.meta(call, project, required=field.id == "resolution", with_id=False) for field in screen
        }
    return shape


def transitions(call: Call) -> Answer:
    """Where the issue can go from here."""
    row = call.issue(call.part("key"))
    with_fields = "transitions.fields" in call.listed("expand")
    asked = call.query("transitionId")
    steps = [step for step in _steps(call, row) if not asked or str(step["id"]) == asked]
    shown = [_transition(call, row, step, with_fields=with_fields) for step in steps]
    return Answer({"expand": "transitions", "transitions": shown})


def transition(call: Call) -> Answer:
    """Go there."""
    row, data = call.issue(call.part("key")), call.object()
    sent = data.get("transition")
    wanted = str(sent.get("id")) if isinstance(sent, dict) else ""
    if not wanted:
        raise JiraError(400, "Missing 'transition' identifier")
    step = next((step for step in _steps(call, row) if str(step["id"]) == wanted), None)
    if step is None:
        raise JiraError(400, f"Transition id '{wanted}' is not valid for this issue.")
    target = shapes.entry(call, "status", step["target"])
    project = shapes.entry(call, "project", row["project"])
    screen = fields.on_screen(call, project, _screen(call, step, target))
    form = Form(call, project, screen, row).fill(data)
    if "resolution" in [field.id for field in screen]:
        form.require("resolution", "resolution", "Resolution is required.")
    values = form.complete()
    with call.db.write():
        issues.change(call, row, _moved(call, row, target) | values)
        beside(call, row, data)
    return DONE


def _moved(call: Call, row: Row, target: Row) -> Values:
    """The status with what the workflow sets by itself."""
    now = call.site.now()
    values: Values = {"status": target["id"]}
    if shapes.entry(call, "status", row["status"])["category"] == target["category"]:
        return values
    done = target["category"] == "done"
    first = call.db.value("SELECT id FROM resolution ORDER BY rank LIMIT 1")
    return values | {"moved": now, "resolution": first if done else None, "resolved": now if done else None}


_ISSUE: Final = "/rest/api/{version}/issue"

ROUTES: Final = (
    Route("POST", _ISSUE, create),
    Route("POST", f"{_ISSUE}/bulkfetch", bulk_fetch),
    Route("GET", f"{_ISSUE}/{{key}}", read, open=True),
    Route("PUT", f"{_ISSUE}/{{key}}", edit),
    Route("DELETE", f"{_ISSUE}/{{key}}", delete),
    Route("PUT", f"{_ISSUE}/{{key}}/assignee", assign),
    Route("GET", f"{_ISSUE}/{{key}}/editmeta", edit_meta),
    Route("GET", f"{_ISSUE}/{{key}}/transitions", transitions),
    Route("POST", f"{_ISSUE}/{{key}}/transitions", transition),
)
