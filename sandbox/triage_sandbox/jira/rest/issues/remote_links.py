"""Endpoints for links from an issue to web pages; a repeated `globalId` updates the link in place."""

import json
from typing import Any, Final

from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, must
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields.writing import Values
from triage_sandbox.jira.shapes import Shape

_LONGEST_ID: Final = 255


def listed(call: Call) -> Answer:
    """Return all remote links of an issue, or the one with a `globalId`."""
    issue = call.issue()
    wanted = call.query("globalId")
    if wanted:
        return Answer(_shape(call, issue, _by_global_id(call, issue, wanted)))
    rows = call.db.all("SELECT * FROM remote_link WHERE issue = ? ORDER BY id", issue["id"])
    return Answer([_shape(call, issue, row) for row in rows])


def one(call: Call) -> Answer:
    issue = call.issue()
    return Answer(_shape(call, issue, _link(call, issue)))


def _link(call: Call, issue: Row) -> Row:
    number = call.part("link")
    if not number.isdecimal():
        raise JiraError(400, "The link id must be a number.")
    return call.entry("remote_link", number, "The remote link with id '{}' does not exist.", issue=issue["id"])


def _by_global_id(call: Call, issue: Row, wanted: str) -> Row:
    row = call.db.find("remote_link", issue=issue["id"], global_id=wanted)
    return must(row, f"The remote link with global id '{wanted}' does not exist.")


def _shape(call: Call, issue: Row, row: Row) -> Shape:
    known = {"globalId": row["global_id"], "relationship": row["relationship"]}
    return {
        "id": row["id"],
        "self": call.url(f"issue/{issue['key']}/remotelink/{row['id']}"),
        **{name: value for name, value in known.items() if value is not None},
        "application": json.loads(row["application"]),
        "object": json.loads(row["object"]),
    }


def post(call: Call) -> Answer:
    """Create a remote link (201), or update the one with the same `globalId` (200)."""
    issue = call.issue()
    columns = _columns(call.object())
    known = call.db.value(
        "SELECT id FROM remote_link WHERE issue = ? AND global_id = ?", issue["id"], columns["global_id"]
    )
    if known is None:
        number = call.db.insert("remote_link", {"issue": issue["id"], **columns})
    else:
        number = known
        call.db.update("remote_link", number, columns)
    self = call.url(f"issue/{issue['key']}/remotelink/{number}")
    return Answer({"id": number, "self": self}, 201 if known is None else 200)


def put(call: Call) -> Answer:
    issue = call.issue()
    call.db.update("remote_link", _link(call, issue)["id"], _columns(call.object()))
    return DONE


def _columns(data: dict[str, Any]) -> Values:
    target, application = data.get("object"), data.get("application") or {}
    if not isinstance(target, dict):
        raise JiraError(400, errors={"object": "'object' is required."})
    missing = {name: f"'{name}' is required." for name in ("url", "title") if not target.get(name)}
    if missing or not isinstance(application, dict):
        raise JiraError(400, errors=missing or {"application": "expected an object"})
    named = data.get("globalId")
    if named is not None and not 0 < len(str(named)) <= _LONGEST_ID:
        raise JiraError(400, errors={"globalId": f"The maximum length of 'globalId' is {_LONGEST_ID} characters."})
    # As Jira gives it back: an icon and a state are always there, empty where nothing was said of them.
    status = target.get("status") if isinstance(target.get("status"), dict) else {}
    whole = {**target, "icon": target.get("icon") or {}, "status": {"icon": {}, **(status or {})}}
    return {
        "global_id": None if named is None else str(named),
        "relationship": data.get("relationship"),
        "application": json.dumps(application, ensure_ascii=False),
        "object": json.dumps(whole, ensure_ascii=False),
    }


def remove(call: Call) -> Answer:
    """Delete a remote link by id or `globalId`."""
    # A quirk of the real thing: no body is needed, and yet 415 without saying of what type it is.
    if not call.request.headers.get("content-type"):
        raise JiraError(415, "Unsupported Media Type")
    issue = call.issue()
    if "link" in call.request.path_params:
        row = _link(call, issue)
    elif wanted := call.query("globalId"):
        row = _by_global_id(call, issue, wanted)
    else:
        raise JiraError(400, "The 'globalId' parameter is required.")
    call.db.run("DELETE FROM remote_link WHERE id = ?", row["id"])
    return DONE


_PATH: Final = f"{API}/issue/{{key}}/remotelink"

ROUTES: Final = (
    Route("GET", _PATH, listed),
    Route("POST", _PATH, post, need="LINK_ISSUES"),
    Route("DELETE", _PATH, remove, need="LINK_ISSUES"),
    Route("GET", f"{_PATH}/{{link}}", one),
    Route("PUT", f"{_PATH}/{{link}}", put, need="LINK_ISSUES"),
    Route("DELETE", f"{_PATH}/{{link}}", remove, need="LINK_ISSUES"),
)
