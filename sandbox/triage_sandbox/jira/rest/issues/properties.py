"""Endpoints for properties of issues and comments, one at a time or of many issues at once."""

import json
from typing import Final

from triage_sandbox.jira.call import API, Answer, Call, Route, items_of, must, object_of, whole
from triage_sandbox.jira.issue import properties
from triage_sandbox.jira.rest.issues import comments
from triage_sandbox.jira.rest.properties import routes
from triage_sandbox.jira.shapes import Shape


def _issue(call: Call) -> tuple[str, int, str]:
    row = call.issue()
    return "issue", row["id"], call.url(f"issue/{row['key']}")


def _comment(call: Call) -> tuple[str, int, str]:
    row = comments.find(call)
    return "comment", row["id"], call.url(f"comment/{row['id']}")


def _many(call: Call) -> Answer:
    """A property of many issues, set or forgotten: Cloud sends the client on to the task that does it."""
    key, data = call.part("property"), call.object()
    setting = call.request.method == "PUT"
    asked = object_of(data.get("filter") or {}) if setting else data
    for number in _meant(call, key, asked):
        if setting:
            properties.put(call.db, "issue", number, key, data.get("value"))
        else:
            call.db.run("DELETE FROM property WHERE entity = 'issue' AND owner = ? AND key = ?", number, key)
    task = call.db.value("SELECT ifnull(max(owner), 10000) + 1 FROM property WHERE entity = 'task'")
    properties.put(call.db, "task", task, key, call.site.now())
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
    found = call.db.one("SELECT key, value FROM property WHERE entity = 'task' AND owner = ?", number)
    row = must(found, f"The task with id '{number}' does not exist.")
    then = int(row["value"])
    body: Shape = {"self": call.url(f"task/{number}"), "id": number, "status": "COMPLETE", "progress": 100}
    body |= {"description": f"Property {row['key']}", "submittedBy": 10_000, "elapsedRuntime": 0}
    return Answer(body | dict.fromkeys(("submitted", "started", "finished", "lastUpdate"), then))


ROUTES: Final = (
    *routes(f"{API}/issue/{{key}}", _issue, need="EDIT_ISSUES"),
    *routes(f"{API}/comment/{{comment}}", _comment),
    Route("PUT", f"{API}/issue/properties/{{property}}", _many, only="cloud"),
    Route("DELETE", f"{API}/issue/properties/{{property}}", _many, only="cloud"),
    Route("GET", f"{API}/task/{{task}}", _task, only="cloud"),
)
