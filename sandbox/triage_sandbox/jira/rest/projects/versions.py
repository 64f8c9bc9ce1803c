"""Endpoints for the versions of a project: create, order, merge, replace."""

from datetime import date
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, lists, pages
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import moment
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.rest.projects.parts import Part
from triage_sandbox.jira.shapes import Shape

_ORDERS: Final = {
    "name": "name COLLATE NOCASE",
    "description": "description",
    "releaseDate": "released_on",
    "startDate": "started_on",
}
_USED: Final = {"moveFixIssuesTo": "issue_version", "moveAffectedIssuesTo": "issue_affected"}
"""Which relation each parameter of a removal moves."""


def shape(call: Call, row: Row) -> Shape:
    today = moment(call.site.now()).date().isoformat()
    body = shapes.version(call, row) | {"projectId": row["project"]}
    body |= {"startDate": row["started_on"]} if row["started_on"] else {}
    for name, column in (("ReleaseDate", "released_on"), ("StartDate", "started_on")):
        if row[column]:
            body[f"user{name}"] = f"{date.fromisoformat(row[column]):%d/%b/%y}"
    if row["released_on"] and not row["released"]:
        body["overdue"] = row["released_on"] < today
    return body | ({"issuesStatusForFixVersion": _by_state(call, row)} if "issuesstatus" in _expanded(call) else {})


def _expanded(call: Call) -> list[str]:
    return [name.casefold() for name in call.listed("expand")]


def _by_state(call: Call, row: Row) -> dict[str, int]:
    sql = (
        "SELECT s.category, count(*) FROM issue_version v JOIN issue i ON i.id = v.issue"
        " JOIN status s ON s.id = i.status WHERE v.version = ? GROUP BY 1"
    )
    found = dict(tuple(pair) for pair in call.db.all(sql, row["id"]))
    states = {"toDo": "new", "inProgress": "indeterminate", "done": "done"}
    return {"unmapped": 0, **{name: found.get(category, 0) for name, category in states.items()}}


def _of_project(call: Call) -> list[Row]:
    """In their own order unless `orderBy` says otherwise."""
    order = call.query("orderBy")
    column = _ORDERS.get(order.lstrip("+-"), "rank")
    direction = "DESC" if order.startswith("-") else "ASC"
    states = {"released": "released AND NOT archived", "unreleased": "NOT released", "archived": "archived"}
    wanted = " OR ".join(states[name] for name in call.listed("status") if name in states) or "1"
    sql = (
        f"SELECT * FROM version WHERE project = ? AND ({wanted}) AND (name || ' ' || description) LIKE '%' || ? || '%'"
    )
    return call.db.all(
        f"{sql} ORDER BY {column} {direction}, id {direction}", call.project()["id"], call.query("query")
    )


def _sound(columns: dict[str, Any]) -> None:
    started, released = columns.get("started_on"), columns.get("released_on")
    if started and released and started > released:
        raise JiraError(400, errors={"startDate": "The start date must be before the release date."})


_VERSION: Final = Part(
    table="version",
    shape=shape,
    parts={
        "name": ("name", bodies.words(empty="You must specify a valid version name.")),
        "description": ("description", bodies.words(16_384)),
        "released": ("released", bodies.flag),
        "archived": ("archived", bodies.flag),
        "releaseDate": ("released_on", bodies.day),
        "startDate": ("started_on", bodies.day),
    },
    homeless="You must specify a project to create a version in.",
    missing="Could not find version for id '{}'",
    twice="A version with this name already exists in this project.",
    sound=_sound,
)


def create(call: Call) -> Answer:
    """Create a version, the last of its project."""
    last = call.db.value("SELECT coalesce(max(rank), 0) + 1 FROM version")
    return _VERSION.create(call, released=False, rank=last)


def edit(call: Call) -> Answer:
    """Update a version; with `moveUnfixedIssuesTo` its open issues get another one."""
    row, data = _VERSION.find(call, to_change=True), call.object()
    if data.get("released") is True and data.get("moveUnfixedIssuesTo"):
        _move_open(call, row, _named(call, data["moveUnfixedIssuesTo"]))
    return _VERSION.edit(call)


def _named(call: Call, address: Any) -> Row:
    """The version that an address or an id in a body means."""
    return _VERSION.find(call, str(address).rpartition("/")[2])


def _move_open(call: Call, row: Row, target: Row) -> None:
    """What is not done goes on to the next release."""
    sql = "UPDATE OR REPLACE issue_version SET version = ? WHERE version = ? AND issue IN"
    call.db.run(f"{sql} (SELECT id FROM issue WHERE resolution IS NULL)", target["id"], row["id"])


def move(call: Call) -> Answer:
    """Change the place of a version in its project."""
    row, data = _VERSION.find(call, to_change=True), call.object()
    siblings = call.db.all("SELECT id FROM version WHERE project = ? ORDER BY rank, id", row["project"])
    order = [each["id"] for each in siblings]
    at = order.index(row["id"])
    order.remove(row["id"])
    places = {"First": 0, "Last": len(order), "Earlier": max(0, at - 1), "Later": at + 1}
    before = _named(call, data["after"])["id"] if "after" in data else None
    if before in order:
        place = order.index(before) + 1
    elif str(data.get("position")) in places:
        place = places[str(data["position"])]
    else:
        raise JiraError(400, "Either 'after' or 'position' must be specified.")
    order.insert(place, row["id"])
    for rank, number in enumerate(order, 1):
        call.db.update("version", number, {"rank": rank})
    return _VERSION.one(call)


def delete(call: Call) -> Answer:
    """Delete a version; its issues get the versions that the query names."""
    return _VERSION.remove(call, {table: call.query(name) for name, table in _USED.items()})


def remove_and_swap(call: Call) -> Answer:
    """Delete a version; its issues get the versions that the body names."""
    data = call.object()
    return _VERSION.remove(call, {table: str(data.get(name) or "") for name, table in _USED.items()})


def merge(call: Call) -> Answer:
    """Delete a version; all its issues get another one."""
    return _VERSION.remove(call, dict.fromkeys(_USED.values(), call.part("target")))


def related(call: Call) -> Answer:
    """Return the number of issues that name the version."""
    row = _VERSION.find(call)
    fixed, affected = (
        call.db.value(f"SELECT count(*) FROM {table} WHERE version = ?", row["id"]) for table in _USED.values()
    )
    body = {"self": call.url(f"version/{row['id']}"), "issuesFixedCount": fixed, "issuesAffectedCount": affected}
    return Answer(body | {"issueCountWithCustomFieldsShowingVersion": 0, "customFieldUsage": []})


def unresolved(call: Call) -> Answer:
    """Return the number of its open issues."""
    row = _VERSION.find(call)
    sql = "SELECT count(*) FROM issue_version v JOIN issue i ON i.id = v.issue WHERE v.version = ?"
    body: dict[str, Any] = {
        "self": call.url(f"version/{row['id']}"),
        "issuesUnresolvedCount": call.db.value(f"{sql} AND i.resolution IS NULL", row["id"]),
    }
    return Answer(body | ({"issuesCount": call.db.value(sql, row["id"])} if call.site.cloud else {}))


_ONE: Final = f"{API}/version/{{id}}"

ROUTES: Final = (
    Route("GET", f"{API}/project/{{key}}/versions", lists(shape, _of_project), open=True),
    Route("GET", f"{API}/project/{{key}}/version", pages(shape, _of_project), open=True),
    Route("POST", f"{API}/version", create),
    Route("GET", _ONE, _VERSION.one, open=True),
    Route("PUT", _ONE, edit),
    Route("DELETE", _ONE, delete),
    Route("POST", f"{_ONE}/move", move),
    Route("POST", f"{_ONE}/removeAndSwap", remove_and_swap),
    Route("PUT", f"{_ONE}/mergeto/{{target}}", merge),
    Route("GET", f"{_ONE}/relatedIssueCounts", related),
    Route("GET", f"{_ONE}/unresolvedIssueCount", unresolved),
)
