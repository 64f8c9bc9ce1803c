"""Issues are made, changed, moved and removed here; every change is logged, every word indexed."""

import json
from typing import Any, Final

from integrations.sandbox.jira import fields, history
from integrations.sandbox.jira.call import Call, JiraError, items_of
from integrations.sandbox.jira.database import Database, Row
from integrations.sandbox.jira.forms import RELATIONS, Form
from integrations.sandbox.jira.shapes import entry
from integrations.sandbox.jira.writing import Values

PROPERTY_LIMIT: Final = 32_768


def create(call: Call, data: dict[str, Any]) -> Row:
    """A new issue with its properties, all or nothing."""
    me = call.me
    project = _project(call, data)
    form = Form(call, project, fields.ON_CREATE).fill(data)
    cloud = call.site.cloud
    form.require("issuetype", "type", "Specify an issue type" if cloud else "issue type is required")
    form.require("summary", "summary", "You must specify a summary of the issue.")
    _check_parent(call, form)
    values = form.complete()
    properties = [named(item) for item in items_of(data, "properties")]
    with call.db.write():
        issue = insert(call.db, project["id"], _with_defaults(call, values, me), call.site.now())
        call.db.run("INSERT INTO watcher (issue, account) VALUES (?, ?)", issue, me)
        for key, value in properties:
            put_property(call.db, "issue", issue, key, value)
    call.site.feed.publish()
    return entry(call, "ticket", issue)


def _project(call: Call, data: dict[str, Any]) -> Row:
    sent = data.get("fields")
    value = sent.get("project") if isinstance(sent, dict) else None
    row = None
    if isinstance(value, dict):
        by = "id" if "id" in value else "key"
        row = call.db.one(f"SELECT * FROM project WHERE {by} = ?", str(value.get(by)))
    if row is None:
        words = "Specify a valid project ID or key" if call.site.cloud else "valid project is required"
        raise JiraError(400, errors={"project": words})
    return row


def _check_parent(call: Call, form: Form) -> None:
    kind = form.values.get("type")
    subtask = kind is not None and entry(call, "issue_type", kind)["subtask"]
    if subtask and form.values.get("parent") is None:
        form.errors.setdefault("parent", "Issue type is a sub-task but parent issue key or id not specified.")


def _with_defaults(call: Call, values: Values, me: str) -> Values:
    middle = "SELECT id FROM priority ORDER BY abs(rank - (SELECT max(rank) FROM priority) / 2) LIMIT 1"
    defaults = {
        "reporter": me,
        "creator": me,
        "priority": None if "priority" in call.site.off_screen else call.db.value(middle),
        "status": call.db.value("SELECT id FROM status ORDER BY rank LIMIT 1"),
    }
    return defaults | values


def named(item: Any) -> tuple[str, Any]:
    """A property as a client sends it with a new issue or comment."""
    if not isinstance(item, dict) or not isinstance(item.get("key"), str) or "value" not in item:
        raise JiraError(400, "A property needs a key and a value.")
    return item["key"], item["value"]


def insert(db: Database, project: int, values: Values, now: int) -> int:
    """The rows of a new issue with the project's next number; its id."""
    number = db.value("UPDATE project SET counter = counter + 1 WHERE id = ? RETURNING counter", project)
    times = {"created": now, "updated": now, "moved": now}
    columns = {name: value for name, value in values.items() if name not in RELATIONS}
    issue = db.insert("issue", {"project": project, "number": number, **times, **columns})
    for name in RELATIONS.keys() & values.keys():
        _relate(db, issue, name, values[name])
    words = (issue, values["summary"], values.get("description_plain", ""))
    db.run("INSERT INTO words (rowid, summary, description, comment) VALUES (?, ?, ?, '')", *words)
    return issue


def _relate(db: Database, issue: int, name: str, members: list[Any]) -> None:
    table, column = RELATIONS[name]
    for member in members:
        db.run(f"INSERT INTO {table} (issue, {column}) VALUES (?, ?)", issue, member)


def edit(call: Call, issue: Row, data: dict[str, Any]) -> None:
    """New values for an issue."""
    project = entry(call, "project", issue["project"])
    change(call, issue, Form(call, project, fields.ON_EDIT, issue).fill(data).complete())


def change(call: Call, issue: Row, values: Values) -> None:
    """Write what is really new, and log it."""
    items = history.items(call, issue, values)
    if not items:
        return  # real Jira leaves `updated` alone, too
    me, now = call.me, call.site.now()
    columns = {name: value for name, value in values.items() if name not in RELATIONS} | {"updated": now}
    with call.db.write():
        marks = ", ".join(f"{name} = ?" for name in columns)
        call.db.run(f"UPDATE issue SET {marks} WHERE id = ?", *columns.values(), issue["id"])
        for name in RELATIONS.keys() & values.keys():
            call.db.run(f"DELETE FROM {RELATIONS[name][0]} WHERE issue = ?", issue["id"])
            _relate(call.db, issue["id"], name, values[name])
        log = {"issue": issue["id"], "author": me, "created": now, "items": json.dumps(items, ensure_ascii=False)}
        call.db.insert("change", log)
        index(call.db, issue["id"])
    call.site.feed.publish()


def index(db: Database, issue: int) -> None:
    """Make the words of an issue findable."""
    db.run("DELETE FROM words WHERE rowid = ?", issue)
    db.run(
        "INSERT INTO words (rowid, summary, description, comment) SELECT id, summary, description_plain,"
        " coalesce((SELECT group_concat(plain, char(10)) FROM comment WHERE issue = i.id), '')"
        " FROM issue i WHERE id = ?",
        issue,
    )


def remove(call: Call, issue: Row) -> None:
    """Everything about it goes; its number is never used again."""
    with call.db.write():
        call.db.run(
            "DELETE FROM property WHERE (entity = 'issue' AND owner = ?1)"
            " OR (entity = 'comment' AND owner IN (SELECT id FROM comment WHERE issue = ?1))",
            issue["id"],
        )
        call.db.run("UPDATE issue SET parent = NULL WHERE parent = ?", issue["id"])
        call.db.run("DELETE FROM words WHERE rowid = ?", issue["id"])
        call.db.run("DELETE FROM issue WHERE id = ?", issue["id"])
    call.site.feed.publish()


def put_property(db: Database, entity: str, owner: int, key: str, value: Any) -> bool:
    """Set a property; true where it is new."""
    text = json.dumps(value, ensure_ascii=False)
    if not 0 < len(key) <= 255:
        raise JiraError(400, "The property key must not be empty and no longer than 255 characters.")
    if len(text) > PROPERTY_LIMIT:
        raise JiraError(400, f"The property value is too long. It must not exceed {PROPERTY_LIMIT} characters.")
    known = db.one("SELECT 1 FROM property WHERE entity = ? AND owner = ? AND key = ?", entity, owner, key)
    db.run("REPLACE INTO property (entity, owner, key, value) VALUES (?, ?, ?, ?)", entity, owner, key, text)
    return known is None
