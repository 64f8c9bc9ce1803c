"""Endpoints for links between issues; both issues show the same link."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, must
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import history, issues
from triage_sandbox.jira.issue.fields.forms import part_of
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.rest.issues import comments


def link(call: Call) -> Answer:
    """Create a link; `inwardIssue` is the subject of the outward phrase: the one that duplicates or blocks."""
    data = call.object()
    kind, source, target = (
        _kind(call, data.get("type")),
        _end(call, data, "inwardIssue"),
        _end(call, data, "outwardIssue"),
    )
    connect(call, kind, source, target)
    if isinstance(data.get("comment"), dict):
        comments.add(call, source, data["comment"])
    return Answer(b"", 201)


def connect(call: Call, kind: Row, source: Row, target: Row) -> None:
    """Create a link unless it exists."""
    if source["id"] == target["id"]:
        raise JiraError(400, "You cannot link an issue to itself.")
    call.need("LINK_ISSUES", source["project"])
    known = "SELECT 1 FROM link WHERE type = ? AND source = ? AND target = ?"
    if call.db.one(known, kind["id"], source["id"], target["id"]) is not None:
        return
    call.db.insert("link", {"type": kind["id"], "source": source["id"], "target": target["id"]})
    _log(call, kind, source, target, gone=False)


def _log(call: Call, kind: Row, source: Row, target: Row, *, gone: bool) -> None:
    """Each end's history tells of the other."""
    for issue, words, other in ((source, kind["outward"], target), (target, kind["inward"], source)):
        change = (other["key"], f"This issue {words} {other['key']}")
        sides = ((None, None), change) if not gone else (change, (None, None))
        issues.log(call, issue["id"], [history.item("Link", "issuelinks", *sides)])


def _kind(call: Call, value: Any) -> Row:
    value = value if isinstance(value, dict) else {}
    by = "id" if "id" in value else "name"
    return must(call.chosen("link_type", value), f"No issue link type with {by} '{value.get(by)}' found.")


def _end(call: Call, data: dict[str, Any], name: str) -> Row:
    value = data.get(name)
    key = (value.get("key") or value.get("id")) if isinstance(value, dict) else None
    return must(call.seen(str(key)) if key else None, f"No issue could be found for the issue key '{key}'.")


def from_update(call: Call, issue: Row, data: dict[str, Any]) -> None:
    """Create the links of an issue's `update`, of which one end is the issue."""
    for step in items_of(part_of(data, "update"), "issuelinks"):
        wanted = step.get("add") if isinstance(step, dict) else None
        if not isinstance(wanted, dict):
            raise JiraError(400, errors={"issuelinks": "expected an operation 'add' with a type and an issue"})
        kind = _kind(call, wanted.get("type"))
        if "outwardIssue" in wanted:
            connect(call, kind, issue, _end(call, wanted, "outwardIssue"))
        else:
            connect(call, kind, _end(call, wanted, "inwardIssue"), issue)


def one(call: Call) -> Answer:
    """Return a link with both issues."""
    row = _link(call)
    page = Issues(call, [])
    return Answer(
        {
            "id": str(row["id"]),
            "self": call.url(f"issueLink/{row['id']}"),
            "type": page.one("link_type", row["type"], shapes.link_type),
            "inwardIssue": page.brief(row["source"]),
            "outwardIssue": page.brief(row["target"]),
        }
    )


def _link(call: Call) -> Row:
    return call.entry("link", call.part("id"), "No issue link with id '{}' exists.")


def unlink(call: Call) -> Answer:
    row = _link(call)
    source, target = (call.entry("ticket", row[end]) for end in ("source", "target"))
    call.need("LINK_ISSUES", source["project"])
    call.db.run("DELETE FROM link WHERE id = ?", row["id"])
    _log(call, call.entry("link_type", row["type"]), source, target, gone=True)
    return DONE


ROUTES: Final = (
    Route("POST", f"{API}/issueLink", link),
    Route("GET", f"{API}/issueLink/{{id}}", one),
    Route("DELETE", f"{API}/issueLink/{{id}}", unlink),
)
