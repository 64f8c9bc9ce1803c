"""Endpoints for comments: add, edit, delete, pin; visibility limited to a role or a group of the caller."""

from typing import Any, Final

from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, must, shows, whole
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import stamp
from triage_sandbox.jira.issue import issues, properties, said
from triage_sandbox.jira.issue.fields import writing
from triage_sandbox.jira.issue.fields.writing import FieldRefused
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.shapes import Shape

MOST_IDS: Final = 1000
_PINS_SINCE: Final = 9
_ENDLESS: Final = 1_048_576
"""What Jira calls a page that is not paged."""
_MOST: Final = {"cloud": 5000, "server": _ENDLESS}
_ORDERS: Final = {"": "ASC", "created": "ASC", "+created": "ASC", "-created": "DESC"}


def listed(call: Call) -> Answer:
    """Return a page of comments, by default the oldest first."""
    issue = call.issue()
    asked = call.query("orderBy").replace(" ", "+")  # a plus that was not quoted comes as a blank
    order = must(_ORDERS.get(asked), f"Comments cannot be ordered by '{asked}'.", 400)
    rows = said.visible(call, call.db.all(f"SELECT * FROM comment WHERE issue = ? ORDER BY id {order}", issue["id"]))
    return Answer(call.numbered("comments", rows, _shown, _MOST[call.site.deployment]))


def _shown(call: Call, row: Row) -> Shape:
    expand = call.listed("expand")
    return said.shape(call, row, rendered="renderedBody" in expand, with_properties="properties" in expand)


def find(call: Call) -> Row:
    """Return the comment that the path names. Raises `JiraError` 404 if the caller may not see it."""
    number = call.part("comment")
    row = call.db.find("comment", id=number)
    if row is not None:
        issue = call.issue(call.request.path_params.get("key", str(row["issue"])))
        if row["issue"] == issue["id"] and said.visible(call, [row]):
            return row
    raise JiraError(404, f"Can not find a comment for the id: {number}.")


def by_ids(call: Call) -> Answer:
    """Return up to a thousand comments by id; missing ones are left out."""
    ids = [whole(number, "ids", 0) for number in items_of(call.object(), "ids")]
    if not 0 < len(ids) <= MOST_IDS:
        raise JiraError(400, f"Between 1 and {MOST_IDS} ids must be given.")
    found = call.db.of_ids("comment", dict.fromkeys(ids))
    rows = said.visible(call, (row for row in found if _browsable(call, row)))
    page = {"startAt": 0, "maxResults": _ENDLESS, "total": len(rows), "isLast": True}
    return Answer(page | {"values": [_shown(call, row) for row in rows]})


def _browsable(call: Call, row: Row) -> bool:
    project = call.db.value("SELECT project FROM issue WHERE id = ?", row["issue"])
    return call.may("BROWSE_PROJECTS", project)


def post(call: Call) -> Answer:
    row = add(call, call.issue(), call.object())
    return Answer(_shown(call, row), 201)


def add(call: Call, issue: Row, data: dict[str, Any]) -> Row:
    """Add a comment with its properties in one transaction, if the caller may."""
    call.need("ADD_COMMENTS", issue["project"])
    return say(call, issue, data)


def say(call: Call, issue: Row, data: dict[str, Any]) -> Row:
    """Add a comment without its properties; the caller has checked the permission."""
    if call.db.value("SELECT count(*) FROM comment WHERE issue = ?", issue["id"]) >= call.site.comment_limit:
        raise JiraError(413, f"The issue has reached the limit of {call.site.comment_limit} comments.")
    body = _body(call, data.get("body"))
    kept_to = _kept_to(call, issue, data.get("visibility"))
    now = call.site.now()
    text = {**body.stored, "created": now, "updated": now}
    comment = call.db.insert("comment", {"issue": issue["id"], "author": call.me, **text, **kept_to})
    _told_of(call, issue, comment, data, now)
    return call.entry("comment", comment)


def _told_of(call: Call, issue: Row, comment: int, data: dict[str, Any], now: int) -> None:
    """What a comment leaves behind: its properties, and an issue with other words."""
    properties.take(call.db, "comment", comment, data)
    call.db.run("UPDATE issue SET updated = ? WHERE id = ?", now, issue["id"])
    issues.index(call.db, issue["id"])


def _body(call: Call, value: Any) -> Body:
    try:
        body = writing.body(call, value)
    except FieldRefused as e:
        raise JiraError(400, errors={"comment": str(e)}) from None
    if not body.plain.strip():
        raise JiraError(400, errors={"comment": "Comment body can not be empty!"})
    return body


def _kept_to(call: Call, issue: Row, sent: Any) -> dict[str, Any]:
    """Only members see it; who is none cannot say it."""
    if sent is None:
        return {"role": None, "crowd": None}
    kind, name = (
        (str(sent.get("type")), str(sent.get("value") or sent.get("identifier")))
        if isinstance(sent, dict)
        else ("", "")
    )
    if kind not in {"role", "group"}:
        raise JiraError(400, errors={"visibility": "The visibility of a comment must be of the type role or group."})
    if kind == "group":
        crowd = permissions.group(call.db, name)
        if crowd is None or not permissions.in_group(call.db, call.me, crowd["id"]):
            raise JiraError(400, errors={"commentLevel": f"You are currently not a member of the group: {name}."})
        return {"role": None, "crowd": crowd["id"]}
    role = call.db.value("SELECT id FROM role WHERE name = ?", name)
    if role is None or not permissions.in_role(call.db, call.me, role, issue["project"]):
        raise JiraError(400, errors={"commentLevel": f"You are currently not a member of the project role: {name}."})
    return {"role": role, "crowd": None}


def change(call: Call) -> Answer:
    """Replace a comment; its visibility changes only if it is sent."""
    issue, row = call.issue(), find(call)
    rewrite(call, issue, row, call.object())
    return Answer(_shown(call, call.entry("comment", row["id"])))


def rewrite(call: Call, issue: Row, row: Row, data: dict[str, Any]) -> None:
    """Replace the text of this comment, if the caller may; its visibility changes only if it is sent."""
    _mine(call, issue, row, "EDIT")
    body = _body(call, data.get("body"))
    kept_to = _kept_to(call, issue, data["visibility"]) if "visibility" in data else {}
    now = max(call.site.now(), row["created"] + 1)
    call.db.update("comment", row["id"], {**body.stored, **kept_to, "updated": now, "editor": call.me})
    _told_of(call, issue, row["id"], data, now)


def _mine(call: Call, issue: Row, row: Row, verb: str) -> None:
    """One's own comments are another permission than everybody's."""
    whose = "OWN" if row["author"] == call.me else "ALL"
    if not call.may(f"{verb}_{whose}_COMMENTS", issue["project"]):
        words = {"EDIT": "edit", "DELETE": "delete"}[verb]
        raise JiraError(400, f"You do not have the permission to {words} the comment with id: {row['id']}.")


def remove(call: Call) -> Answer:
    take_back(call, call.issue(), find(call))
    return DONE


def take_back(call: Call, issue: Row, row: Row) -> None:
    """Delete this comment with its properties, if the caller may."""
    _mine(call, issue, row, "DELETE")
    call.db.run("DELETE FROM property WHERE entity = 'comment' AND owner = ?", row["id"])
    call.db.run("DELETE FROM comment WHERE id = ?", row["id"])
    issues.index(call.db, issue["id"])


# --- pins: Data Center from 9 on ----------------------------------------------------------------


def pinned(call: Call) -> Answer:
    """Return the pinned comments in the order in which they were pinned."""
    _need_pins(call)
    issue = call.issue()
    sql = "SELECT * FROM comment WHERE issue = ? AND pinned IS NOT NULL ORDER BY pinned, id"
    rows = said.visible(call, call.db.all(sql, issue["id"]))
    return Answer([_pin(call, row) for row in rows])


def _need_pins(call: Call) -> None:
    if call.site.major < _PINS_SINCE:
        raise call.unheard_of()


def _pin(call: Call, row: Row) -> Shape:
    by = call.db.value("SELECT name FROM account WHERE id = ?", row["pinner"])
    return {"comment": said.shape(call, row), "pinnedBy": by, "pinnedDate": stamp(row["pinned"])}


def pin(call: Call) -> Answer:
    """Pin or unpin a comment: the body is true or false."""
    _need_pins(call)
    row, wanted = find(call), call.json()
    if not isinstance(wanted, bool):
        raise JiraError(400, "true or false is expected.")
    columns = {"pinned": call.site.now(), "pinner": call.me} if wanted else {"pinned": None, "pinner": None}
    call.db.update("comment", row["id"], columns)
    return DONE


_ISSUE: Final = f"{API}/issue/{{key}}"
_ONE: Final = f"{_ISSUE}/comment/{{comment}}"

ROUTES: Final = (
    Route("GET", f"{_ISSUE}/comment", listed),
    Route("POST", f"{_ISSUE}/comment", post),
    Route("GET", _ONE, shows(_shown, find)),
    Route("PUT", _ONE, change),
    Route("DELETE", _ONE, remove),
    Route("POST", f"{API}/comment/list", by_ids, only="cloud"),
    Route("GET", f"{_ISSUE}/pinned-comments", pinned, only="server"),
    Route("PUT", f"{_ONE}/pin", pin, only="server"),
)
