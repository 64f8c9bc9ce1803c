"""Properties: small pieces of JSON that clients keep with issues, comments, projects, boards and sprints."""

import json
from collections.abc import Callable
from functools import partial
from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.agile import boards, sprints
from integrations.sandbox.jira.agile.boards import AGILE
from integrations.sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, object_of, whole
from integrations.sandbox.jira.issue import issues
from integrations.sandbox.jira.rest import comments
from integrations.sandbox.jira.shapes import Shape

Owner = Callable[[Call], tuple[str, int, str]]
"""Whose properties the path means: kind, id, and the address below which they stand."""


def _issue(call: Call) -> tuple[str, int, str]:
    row = call.issue(call.part("key"))
    if call.request.method != "GET":
        call.need("EDIT_ISSUES", row["project"])
    return "issue", row["id"], call.url(f"issue/{row['key']}")


def _comment(call: Call) -> tuple[str, int, str]:
    row = comments.find(call)
    return "comment", row["id"], call.url(f"comment/{row['id']}")


def _project(call: Call) -> tuple[str, int, str]:
    row = call.project(call.part("key"))
    if call.request.method != "GET":
        call.need("ADMINISTER_PROJECTS", row["id"])
    return "project", row["id"], call.url(f"project/{row['key']}")


def _board(call: Call) -> tuple[str, int, str]:
    row = boards.of_path(call)
    return "board", row["id"], f"{call.base}{AGILE}/board/{row['id']}"


def _sprint(call: Call) -> tuple[str, int, str]:
    row = sprints.of_path(call)
    return "sprint", row["id"], f"{call.base}{AGILE}/sprint/{row['id']}"


def _keys(owner: Owner, call: Call) -> Answer:
    """The names of all properties."""
    entity, number, self = owner(call)
    found = shapes.properties_of(call.db, entity, number)
    return Answer({"keys": [{"self": f"{self}/properties/{item['key']}", "key": item["key"]} for item in found]})


def _one(owner: Owner, call: Call) -> Answer:
    """One property."""
    key = call.part("property")
    known = {item["key"]: item for item in shapes.properties_of(call.db, *owner(call)[:2])}
    if key not in known:
        raise _unknown(key)
    return Answer(known[key])


def _put(owner: Owner, call: Call) -> Answer:
    """Set one property: 201 where it is new, 200 where it was there."""
    entity, number, _ = owner(call)
    new = issues.put_property(call.db, entity, number, call.part("property"), call.json())
    return Answer(b"", 201 if new else 200)


def _delete(owner: Owner, call: Call) -> Answer:
    """Forget one property."""
    entity, number, _ = owner(call)
    key = call.part("property")
    sql = "DELETE FROM property WHERE entity = ? AND owner = ? AND key = ? RETURNING 1"
    if call.db.value(sql, entity, number, key) is None:
        raise _unknown(key)
    return DONE


def _unknown(key: str) -> JiraError:
    return JiraError(404, f"The property '{key}' does not exist.")


# --- many at once -----------------------------------------------------------------------------


def _many(call: Call) -> Answer:
    """A property of many issues, set or forgotten: Cloud sends the client on to the task that does it."""
    key, data = call.part("property"), call.object()
    setting = call.request.method == "PUT"
    asked = object_of(data.get("filter") or {}) if setting else data
    with call.db.write():
        for number in _meant(call, key, asked):
            if setting:
                issues.put_property(call.db, "issue", number, key, data.get("value"))
            else:
                call.db.run("DELETE FROM property WHERE entity = 'issue' AND owner = ? AND key = ?", number, key)
        task = call.db.value("SELECT ifnull(max(owner), 10000) + 1 FROM property WHERE entity = 'task'")
        issues.put_property(call.db, "task", task, key, call.site.now())
    return Answer(b"", 303, {"location": call.url(f"task/{task}")})


def _meant(call: Call, key: str, asked: Shape) -> list[int]:
    """The issues that a filter leaves, of those which the caller may change."""
    sql = (
        "SELECT i.id, i.project, p.value FROM issue i"
        " LEFT JOIN property p ON p.entity = 'issue' AND p.owner = i.id AND p.key = ?"
    )
    wanted = {whole(issue, "entityIds", 0) for issue in items_of(asked, "entityIds")}
    has = asked.get("hasProperty")
    return [
        row["id"]
        for row in call.db.all(sql, key)
        if (not wanted or row["id"] in wanted)
        and has in (None, row["value"] is not None)
        and ("currentValue" not in asked or row["value"] == json.dumps(asked["currentValue"], ensure_ascii=False))
        and call.may("EDIT_ISSUES", row["project"])
    ]


def _task(call: Call) -> Answer:
    """A task, which has ended where it can be asked for."""
    number = call.part("task")
    row = call.db.one("SELECT key, value FROM property WHERE entity = 'task' AND owner = ?", number)
    if row is None:
        raise JiraError(404, f"The task with id '{number}' does not exist.")
    then = int(row["value"])
    told: Shape = {"self": call.url(f"task/{number}"), "id": number, "status": "COMPLETE", "progress": 100}
    told |= {"description": f"Property {row['key']}", "submittedBy": 10_000, "elapsedRuntime": 0}
    return Answer(told | dict.fromkeys(("submitted", "started", "finished", "lastUpdate"), then))


_OWNERS: Final = (
    (f"{API}/issue/{{key}}", _issue),
    (f"{API}/comment/{{comment}}", _comment),
    (f"{API}/project/{{key}}", _project),
    (f"{AGILE}/board/{{board}}", _board),
    (f"{AGILE}/sprint/{{sprint}}", _sprint),
)

_VERBS: Final = (
    ("GET", "properties", _keys),
    ("GET", "properties/{property}", _one),
    ("PUT", "properties/{property}", _put),
    ("DELETE", "properties/{property}", _delete),
)

ROUTES: Final = (
    *(
        Route(method, f"{path}/{tail}", partial(handler, owner))
        for path, owner in _OWNERS
        for method, tail, handler in _VERBS
    ),
    Route("PUT", f"{API}/issue/properties/{{property}}", _many, only="cloud"),
    Route("DELETE", f"{API}/issue/properties/{{property}}", _many, only="cloud"),
    Route("GET", f"{API}/task/{{task}}", _task, only="cloud"),
)
