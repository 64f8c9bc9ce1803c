"""Creates, changes, transitions and deletes issues; logs every change and updates the search index."""

import json
from typing import Any

from triage_sandbox.jira.call import Call, JiraError
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.issue import history, properties, rank
from triage_sandbox.jira.issue.fields import custom, fields, writing
from triage_sandbox.jira.issue.fields.custom import PREFIX
from triage_sandbox.jira.issue.fields.forms import RELATIONS, Form, part_of
from triage_sandbox.jira.issue.fields.writing import Values
from triage_sandbox.jira.shapes import Shape


def create(call: Call, data: dict[str, Any]) -> Row:
    """Create an issue with its properties in one transaction."""
    me = call.me
    project = _project(call, data)
    call.need("CREATE_ISSUES", project["id"])
    kind = _kind(call, project, data)
    shown = fields.form(call, project, fields.ON_CREATE, kind)
    form = Form(call, project, shown).fill(data)
    cloud = call.site.cloud
    form.require("issuetype", "type", "Specify an issue type" if cloud else "issue type is required")
    form.require("summary", "summary", "You must specify a summary of the issue.")
    for field in shown:
        if field.custom and fields.required(call, field, kind):
            form.require(field.id, field.id, f"{field.name} is required.")
    _check_family(call, project, form, kind)
    values = form.complete()
    issue = insert(call.db, project["id"], with_defaults(call, project, values, me), call.site.now())
    call.db.run("INSERT INTO watcher (issue, account) VALUES (?, ?)", issue, me)
    properties.take(call.db, "issue", issue, data)
    return call.entry("ticket", issue)


def _kind(call: Call, project: Row, data: dict[str, Any]) -> Row | None:
    """What kind of issue it is to be, None where that cannot be said; the form complains of it later."""
    try:
        return call.entry("issue_type", writing.kind_of(call, project, part_of(data, "fields").get("issuetype")))
    except writing.FieldRefused:
        return None


def _project(call: Call, data: dict[str, Any]) -> Row:
    sent = data.get("fields")
    value = sent.get("project") if isinstance(sent, dict) else None
    row = None
    if isinstance(value, dict):
        by = "id" if "id" in value else "key"
        row = call.db.one(f"SELECT * FROM project WHERE {by} = ?", str(value.get(by)))
    if row is None or not call.may("BROWSE_PROJECTS", row["id"]):
        words = "Specify a valid project ID or key" if call.site.cloud else "valid project is required"
        raise JiraError(400, errors={"project": words})
    return row


def _check_family(call: Call, project: Row, form: Form, kind: Row | None) -> None:
    """Sub-tasks are parts of what is none, and that may be a part of an epic; nothing else goes together."""
    parent = form.values.get("parent")
    if kind is None or "parent" in form.errors:
        return
    if parent is None:
        if kind["subtask"]:
            form.errors["parent"] = "Issue type is a sub-task but parent issue key or id not specified."
        return
    row = call.entry("issue", parent)
    above = _level(call.entry("issue_type", row["type"]))
    if above != _level(kind) + 1 or (kind["subtask"] and row["project"] != project["id"]):
        name = "parentId" if call.site.cloud else "parent"
        form.errors[name] = "Given parent issue does not belong to appropriate hierarchy."


def _check_new_family(call: Call, project: Row, form: Form, kind: Row) -> None:
    """The same for an issue that is there; it stays a sub-task, or none."""
    new = call.entry("issue_type", form.values["type"]) if "type" in form.values else kind
    if new["subtask"] != kind["subtask"]:  # people convert issues on the page; the API does not
        form.errors["issuetype"] = "The issue type selected is invalid."
    if "parent" in form.values:
        _check_family(call, project, form, new)


def _level(kind: Row) -> int:
    return -1 if kind["subtask"] else int(kind["name"] == "Epic")


def with_defaults(call: Call, project: Row, values: Values, me: str) -> Values:
    """Return the values of a new issue, with defaults for what was not sent."""
    hidden = call.site.off_screen | set(project["hidden"].split())
    middle = "SELECT id FROM priority ORDER BY abs(rank - (SELECT max(rank) FROM priority) / 2) LIMIT 1"
    defaults = {
        "reporter": me,
        "creator": me,
        "priority": None if "priority" in hidden else call.db.value(middle),
        "status": project["initial"] or call.db.value("SELECT id FROM status ORDER BY rank LIMIT 1"),
        "assignee": writing.default_assignee(project),
    }
    return defaults | values


def insert(db: Database, project: int, values: Values, now: int) -> int:
    """Insert an issue with the project's next number; return its id."""
    number = db.value("UPDATE project SET counter = counter + 1 WHERE id = ? RETURNING counter", project)
    times = {"created": now, "updated": now, "moved": now}
    place = {"project": project, "number": number, "rank": rank.last(db)}
    issue = db.insert("issue", {**place, **times, **_columns(values)})
    _relate(db, issue, values)
    words = (issue, values["summary"], values.get("description_plain", ""), values.get("environment_plain", ""))
    db.run("INSERT INTO words (rowid, summary, description, comment, environment) VALUES (?, ?, ?, '', ?)", *words)
    return issue


def _columns(values: Values) -> Values:
    """What stands in the issue's own row."""
    return {name: value for name, value in values.items() if name not in RELATIONS and not name.startswith(PREFIX)}


def _relate(db: Database, issue: int, values: Values) -> None:
    """What stands beside the issue's row, instead of what stood there."""
    for name, members in values.items():
        if name.startswith(PREFIX):
            custom.put(db, issue, int(name.removeprefix(PREFIX)), members)
        elif name in RELATIONS:
            table, column = RELATIONS[name]
            db.run(f"DELETE FROM {table} WHERE issue = ?", issue)
            for member in members:
                db.run(f"INSERT INTO {table} (issue, {column}) VALUES (?, ?)", issue, member)


def edit(call: Call, issue: Row, data: dict[str, Any]) -> None:
    """Change values of an issue."""
    project, kind = call.entry("project", issue["project"]), call.entry("issue_type", issue["type"])
    shown = fields.form(call, project, fields.ON_EDIT, kind)
    form = Form(call, project, shown, issue).fill(data)
    _check_new_family(call, project, form, kind)
    change(call, issue, form.complete())
    properties.take(call.db, "issue", issue["id"], data)


def change(call: Call, issue: Row, values: Values) -> None:
    """Write the values that differ, and add them to the changelog."""
    items = history.items(call, issue, values)
    if not items:
        return  # real Jira leaves `updated` alone, too
    now = call.site.now()
    columns = _columns(values) | {"updated": now}
    call.db.update("issue", issue["id"], columns)
    _relate(call.db, issue["id"], values)
    log(call, issue["id"], items)
    index(call.db, issue["id"])


def log(call: Call, issue: int, items: list[Shape], author: str = "") -> None:
    """Add a changelog entry, by default of the caller; the issue counts as updated."""
    now = call.site.now()
    words = json.dumps(items, ensure_ascii=False)
    call.db.insert("change", {"issue": issue, "author": author or call.me, "created": now, "items": words})
    call.db.run("UPDATE issue SET updated = ? WHERE id = ?", now, issue)


def index(db: Database, issue: int) -> None:
    """Update the search index with the words of an issue."""
    db.run("DELETE FROM words WHERE rowid = ?", issue)
    db.run(
        "INSERT INTO words (rowid, summary, description, comment, environment) SELECT id, summary, description_plain,"
        " coalesce((SELECT group_concat(plain, char(10)) FROM comment WHERE issue = i.id), ''), environment_plain"
        " FROM issue i WHERE id = ?",
        issue,
    )


def remove(call: Call, issue: Row) -> None:
    """Delete an issue with all that belongs to it; its number is not used again."""
    call.db.run(
        "DELETE FROM property WHERE (entity = 'issue' AND owner = ?1)"
        " OR (entity = 'comment' AND owner IN (SELECT id FROM comment WHERE issue = ?1))",
        issue["id"],
    )
    call.db.run("UPDATE issue SET parent = NULL WHERE parent = ?", issue["id"])
    call.db.run("DELETE FROM words WHERE rowid = ?", issue["id"])
    custom.clear(call.db, "issue = ?", issue["id"])
    call.db.run("DELETE FROM issue WHERE id = ?", issue["id"])
