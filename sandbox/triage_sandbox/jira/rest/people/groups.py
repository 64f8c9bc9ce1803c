"""Endpoints for groups: search, members, create, add and remove."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, must, shows
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.shapes import Shape


def _group(call: Call) -> Row:
    """The group that the query means."""
    reference = call.query("groupname") or call.query("groupId")
    if not reference:
        raise JiraError(400, "The 'groupname' or 'groupId' query parameter needs to be provided")
    return must(permissions.group(call.db, reference), f"The group named '{reference}' does not exist")


def brief(call: Call, row: Row) -> Shape:
    """Return a group as accounts list it."""
    self = call.url(f"group?groupId={row['id']}" if call.site.cloud else f"group?groupname={row['name']}")
    return {"name": row["name"], **({"groupId": row["id"]} if call.site.cloud else {}), "self": self}


def of_account(call: Call, account: str) -> list[Shape]:
    sql = "SELECT c.* FROM crowd c JOIN member m ON m.crowd = c.id WHERE m.account = ? ORDER BY c.name"
    return [brief(call, row) for row in call.db.all(sql, account)]


def _members(call: Call, row: Row, *, inactive: bool) -> list[Row]:
    sql = "SELECT a.* FROM account a JOIN member m ON m.account = a.id WHERE m.crowd = ? AND (a.active OR ?)"
    return call.db.all(f"{sql} ORDER BY a.name", row["id"], inactive)


def _filled(call: Call, row: Row) -> Shape:
    expand = next((part for part in call.listed("expand") if part.startswith("users")), "")
    first, _, last = expand.removeprefix("users").strip("[]").partition(":")
    start = int(first) if first.isdecimal() else 0
    everybody = _members(call, row, inactive=True)
    end = min(int(last) if last.isdecimal() else start + 49, len(everybody) - 1)
    people = [shapes.person(call, each) for each in everybody[start : end + 1]] if expand else []
    users = {"size": len(everybody), "items": people, "max-results": 50, "start-index": start, "end-index": max(end, 0)}
    return brief(call, row) | {"users": users, "expand": "users"}


def members(call: Call) -> Answer:
    """Return a page of a group's members, without inactive ones unless asked."""
    rows = _members(call, _group(call), inactive=call.query("includeInactiveUsers") == "true")
    return Answer(call.page(rows, shapes.person))


def picker(call: Call) -> Answer:
    """Return groups by a part of their name."""
    return Answer(found(call))


def found(call: Call) -> dict[str, Any]:
    """Return the groups that a picker shows."""
    text, most = call.query("query").casefold(), call.number("maxResults", 20)
    left_out = {*call.request.query_params.getlist("exclude"), *call.listed("excludeId")}
    rows = [
        row
        for row in call.db.all("SELECT * FROM crowd ORDER BY name")
        if text in row["name"].casefold() and not {row["name"], row["id"]} & left_out
    ]
    shown = [_picked(call, row, text) for row in rows[:most]]
    header = f"Showing {len(shown)} of {len(rows)} matching groups"
    return {"header": header, "total": len(rows), "groups": shown}


def _picked(call: Call, row: Row, text: str) -> Shape:
    body = {"name": row["name"], "html": shapes.marked(row["name"], text), "labels": []}
    return body | ({"groupId": row["id"]} if call.site.cloud else {})


def create(call: Call) -> Answer:
    name = str(call.object().get("name") or "").strip()
    if not name:
        raise JiraError(400, errors={"name": "A group name must be specified."})
    if permissions.group(call.db, name) is not None:
        raise JiraError(400, errors={"groupName": "A group or user with this name already exists."})
    call.db.insert("crowd", {"id": permissions.crowd_id(name), "name": name})
    return Answer(_filled(call, call.entry("crowd", permissions.crowd_id(name))), 201)


def delete(call: Call) -> Answer:
    """Delete a group with its grants; refused while a comment is limited to it."""
    group = _group(call)
    if call.db.one("SELECT 1 FROM comment WHERE crowd = ?", group["id"]):
        raise JiraError(400, f"The group '{group['name']}' is in use.")
    call.db.run("DELETE FROM crowd WHERE id = ?", group["id"])
    return Answer(b"")


def add(call: Call) -> Answer:
    group, account = _group(call), _account(call, call.object())
    known = call.db.one("SELECT 1 FROM member WHERE crowd = ? AND account = ?", group["id"], account["id"])
    if known is not None:
        raise JiraError(400, f"Cannot add user '{account['name']}', user is already a member of '{group['name']}'")
    call.db.insert("member", {"crowd": group["id"], "account": account["id"]})
    return Answer(_filled(call, group), 201)


def remove(call: Call) -> Answer:
    group = _group(call)
    account = _account(call, {"accountId": call.query("accountId"), "name": call.query("username")})
    call.db.run("DELETE FROM member WHERE crowd = ? AND account = ?", group["id"], account["id"])
    return Answer(b"")


def _account(call: Call, reference: dict[str, Any]) -> Row:
    key = "accountId" if call.site.cloud else "name"
    if not reference.get(key):
        raise JiraError(400, f"The '{key}' of a user must be provided.")
    return must(call.account_of(reference), f"The user named '{reference[key]}' does not exist")


ROUTES: Final = (
    Route("GET", f"{API}/group", shows(_filled, _group)),
    Route("POST", f"{API}/group", create, need="ADMINISTER"),
    Route("DELETE", f"{API}/group", delete, need="ADMINISTER"),
    Route("GET", f"{API}/group/member", members),
    Route("POST", f"{API}/group/user", add, need="ADMINISTER"),
    Route("DELETE", f"{API}/group/user", remove, need="ADMINISTER"),
    Route("GET", f"{API}/groups/picker", picker),
)
