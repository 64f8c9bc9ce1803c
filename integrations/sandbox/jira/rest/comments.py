"""Comments, and the properties that issues and comments carry."""

import json
from typing import Any, Final

from integrations.sandbox.jira import issues, shapes, writing
from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.markup.body import Body
from integrations.sandbox.jira.writing import FieldRefused


def listed(call: Call) -> Answer:
    """A page of what was said; the oldest first unless asked otherwise."""
    issue = call.issue(call.part("key"))
    order = "DESC" if call.query("orderBy").startswith("-") else "ASC"
    start, most = call.number("startAt", 0), call.number("maxResults", 5000)
    page = f"SELECT * FROM comment WHERE issue = ? ORDER BY id {order} LIMIT ? OFFSET ?"
    rows = call.db.all(page, issue["id"], most, start)
    total = call.db.value("SELECT count(*) FROM comment WHERE issue = ?", issue["id"])
    shown = [_shown(call, row) for row in rows]
    return Answer({"startAt": start, "maxResults": most, "total": total, "comments": shown})


def one(call: Call) -> Answer:
    """One comment."""
    return Answer(_shown(call, _comment(call, call.issue(call.part("key")))))


def _shown(call: Call, row: Row) -> shapes.Shape:
    expand = call.listed("expand")
    return shapes.comment(call, row, rendered="renderedBody" in expand, properties="properties" in expand)


def _comment(call: Call, issue: Row | None = None) -> Row:
    number = call.part("comment")
    row = call.db.one("SELECT * FROM comment WHERE id = ?", number)
    if row is None or call.user is None or (issue is not None and row["issue"] != issue["id"]):
        raise JiraError(404, f"Can not find a comment for the id: {number}.")
    return row


def post(call: Call) -> Answer:
    """Say something."""
    row = add(call, call.issue(call.part("key")), call.object())
    return Answer(_shown(call, row), 201)


def add(call: Call, issue: Row, data: dict[str, Any]) -> Row:
    """A new comment with its properties, all or nothing."""
    call.need("ADD_COMMENTS", issue["project"])
    body = _body(call, data.get("body"))
    properties = [issues.named(item) for item in items_of(data, "properties")]
    now, me = call.site.now(), call.me
    text = {"body": body.source, "markup": body.language, "plain": body.plain}
    with call.db.write():
        times = {"created": now, "updated": now}
        comment = call.db.insert("comment", {"issue": issue["id"], "author": me, **text, **times})
        for key, value in properties:
            issues.put_property(call.db, "comment", comment, key, value)
        call.db.run("UPDATE issue SET updated = ? WHERE id = ?", now, issue["id"])
        issues.index(call.db, issue["id"])
    call.site.feed.publish()
    return shapes.entry(call, "comment", comment)


def _body(call: Call, value: Any) -> Body:
    try:
        body = writing.body(call, value)
    except FieldRefused as e:
        raise JiraError(400, errors={"comment": str(e)}) from None
    if not body.plain.strip():
        raise JiraError(400, errors={"comment": "Comment body can not be empty!"})
    return body


def change(call: Call) -> Answer:
    """Say it differently."""
    issue = call.issue(call.part("key"))
    row = _comment(call, issue)
    body = _body(call, call.object().get("body"))
    with call.db.write():
        sql = "UPDATE comment SET body = ?, markup = ?, plain = ?, updated = ? WHERE id = ?"
        call.db.run(sql, body.source, body.language, body.plain, call.site.now(), row["id"])
        issues.index(call.db, issue["id"])
    call.site.feed.publish()
    return Answer(_shown(call, shapes.entry(call, "comment", row["id"])))


def remove(call: Call) -> Answer:
    """Take it back."""
    issue = call.issue(call.part("key"))
    row = _comment(call, issue)
    with call.db.write():
        call.db.run("DELETE FROM property WHERE entity = 'comment' AND owner = ?", row["id"])
        call.db.run("DELETE FROM comment WHERE id = ?", row["id"])
        issues.index(call.db, issue["id"])
    call.site.feed.publish()
    return DONE


# --- properties -------------------------------------------------------------------------------


def _owner(call: Call) -> tuple[str, int, str]:
    """Whose properties the path means: kind, id, and where they stand."""
    if "comment" in call.request.path_params:
        row = _comment(call)
        return "comment", row["id"], call.url(f"comment/{row['id']}/properties")
    issue = call.issue(call.part("key"))
    return "issue", issue["id"], call.url(f"issue/{issue['key']}/properties")


def property_keys(call: Call) -> Answer:
    """The names of all properties."""
    entity, owner, self = _owner(call)
    found = shapes.properties_of(call.db, entity, owner)
    return Answer({"keys": [{"self": f"{self}/{item['key']}", "key": item["key"]} for item in found]})


def get_property(call: Call) -> Answer:
    """One property."""
    entity, owner, _ = _owner(call)
    key = call.part("property")
    value = call.db.value("SELECT value FROM property WHERE entity = ? AND owner = ? AND key = ?", entity, owner, key)
    if value is None:
        raise _unknown(key)
    return Answer({"key": key, "value": json.loads(value)})


def put_property(call: Call) -> Answer:
    """Set one property: 201 where it is new, 200 where it was there."""
    entity, owner, _ = _owner(call)
    new = issues.put_property(call.db, entity, owner, call.part("property"), call.json())
    return Answer(b"", 201 if new else 200)


def delete_property(call: Call) -> Answer:
    """Forget one property."""
    entity, owner, _ = _owner(call)
    key = call.part("property")
    sql = "DELETE FROM property WHERE entity = ? AND owner = ? AND key = ? RETURNING 1"
    if call.db.value(sql, entity, owner, key) is None:
        raise _unknown(key)
    return DONE


def _unknown(key: str) -> JiraError:
    return JiraError(404, f"The property '{key}' does not exist.")


_ISSUE: Final = "/rest/api/{version}/issue/{key}"
_COMMENT: Final = "/rest/api/{version}/comment/{comment}"

ROUTES: Final = (
    Route("GET", f"{_ISSUE}/comment", listed),
    Route("POST", f"{_ISSUE}/comment", post),
    Route("GET", f"{_ISSUE}/comment/{{comment}}", one),
    Route("PUT", f"{_ISSUE}/comment/{{comment}}", change),
    Route("DELETE", f"{_ISSUE}/comment/{{comment}}", remove),
    *(
        route
        for owner in (_ISSUE, _COMMENT)
        for route in (
            Route("GET", f"{owner}/properties", property_keys),
            Route("GET", f"{owner}/properties/{{property}}", get_property),
            Route("PUT", f"{owner}/properties/{{property}}", put_property),
            Route("DELETE", f"{owner}/properties/{{property}}", delete_property),
        )
    ),
)
