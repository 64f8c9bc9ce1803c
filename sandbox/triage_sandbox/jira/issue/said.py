"""Reads comments: decides who may see each, and converts them to JSON."""

from collections.abc import Iterable
from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.stamps import stamp
from triage_sandbox.jira.issue import properties
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.shapes import Shape

PUBLIC: Final = "sd.public.comment"
"""The property that keeps a comment from customers: `{"internal": true}`."""


def shape(call: Call, row: Row, *, rendered: bool = False, with_properties: bool = False) -> Shape:
    """Return a comment as JSON, with its visibility."""
    body, author = Body(row["body"], row["markup"]), shapes.user(call, row["author"])
    found = {
        "self": call.url(f"issue/{row['issue']}/comment/{row['id']}"),
        "id": str(row["id"]),
        "author": author,
        "body": body.said_in(call.version),
        "updateAuthor": author if row["editor"] is None else shapes.user(call, row["editor"]),
        "created": stamp(row["created"]),
        "updated": stamp(row["updated"]),
    }
    found |= {"jsdPublic": not internal(call.db, row["id"])} if call.site.cloud else {}
    found |= {"renderedBody": str(body.html)} if rendered else {}
    found |= {"properties": properties.listed(call.db, "comment", row["id"])} if with_properties else {}
    kept_to = _kept_to(call, row)
    return found | ({"visibility": kept_to} if kept_to else {})


def _kept_to(call: Call, row: Row) -> Shape | None:
    table = "role" if row["role"] is not None else "crowd"
    if row[table] is None:
        return None
    name = call.db.value(f"SELECT name FROM {table} WHERE id = ?", row[table])
    kind = {"type": "role" if table == "role" else "group", "value": name}
    return kind | ({"identifier": name if table == "role" else row["crowd"]} if call.site.cloud else {})


def internal(db: Database, comment: int) -> bool:
    """Tell whether a comment of a request is internal: only agents see it."""
    value = properties.value(db, "comment", comment, PUBLIC)
    return isinstance(value, dict) and str(value.get("internal")).casefold() == "true"


def visible(call: Call, rows: Iterable[Row]) -> list[Row]:
    """Return the comments without those of roles or groups that the caller is not in."""
    return [row for row in rows if _seen(call, row)]


def _seen(call: Call, row: Row) -> bool:
    if row["role"] is None and row["crowd"] is None:
        return True
    if call.user is None:
        return False
    if row["crowd"] is not None:
        return permissions.in_group(call.db, call.me, row["crowd"])
    project = call.db.value("SELECT project FROM issue WHERE id = ?", row["issue"])
    return permissions.in_role(call.db, call.me, row["role"], project)
