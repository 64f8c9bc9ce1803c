"""Writes the changelog of an issue: each changed field with old and new value, as id and as text."""

from collections.abc import Iterator
from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.issue.fields.forms import RELATIONS, held
from triage_sandbox.jira.issue.fields.writing import Values
from triage_sandbox.jira.shapes import Shape

_NAMED: Final = {
    "type": ("issuetype", "SELECT name FROM issue_type WHERE id = ?"),
    "status": ("status", "SELECT name FROM status WHERE id = ?"),
    "resolution": ("resolution", "SELECT name FROM resolution WHERE id = ?"),
    "priority": ("priority", "SELECT name FROM priority WHERE id = ?"),
    "assignee": ("assignee", "SELECT shown FROM account WHERE id = ?"),
    "reporter": ("reporter", "SELECT shown FROM account WHERE id = ?"),
    "parent": ("parent", "SELECT key FROM ticket WHERE id = ?"),
    "security": ("security", "SELECT name FROM security_level WHERE id = ?"),
    "sprint": ("Sprint", "SELECT name FROM sprint WHERE id = ?"),
}
"""Columns that hold an id: the field, and where the id's name stands."""
_PLAIN: Final = {
    "summary": ("summary", "summary"),
    "description": ("description", "description_plain"),
    "environment": ("environment", "environment_plain"),
    "due": ("duedate", "due"),
    "estimate": ("timeoriginalestimate", "estimate"),
    "remaining": ("timeestimate", "remaining"),
}
"""Columns that hold text: the field, and the column with its words."""
_MEMBERS: Final = {
    "components": ("Component", "SELECT name FROM component WHERE id = ?"),
    "fixVersions": ("Fix Version", "SELECT name FROM version WHERE id = ?"),
    "versions": ("Version", "SELECT name FROM version WHERE id = ?"),
}


def items(call: Call, issue: Row, values: Values) -> list[Shape]:
    """Return a changelog item for each field that these values would change."""
    return [line for name in values for line in _items(call, issue, name, values)]


def _items(call: Call, issue: Row, name: str, values: Values) -> Iterator[Shape]:
    value = values[name]
    if name.startswith(custom.PREFIX):
        yield from _custom(call, issue, name, value)
    elif name in RELATIONS:
        yield from _relation(call, name, held(call, issue, name), value)
    elif name in _NAMED and issue[name] != value:
        field, sql = _NAMED[name]
        if name == "parent" and not call.site.cloud and not _subtask(call, issue):
            field = "Epic Link"
        change = item(field, field, *((side, call.db.value(sql, side)) for side in (issue[name], value)))
        yield change | (_of_sprint(call) if name == "sprint" else {})
    elif name in _PLAIN and issue[name] != value:
        field, words = _PLAIN[name]
        yield item(field, field, *((None, _text(side[words])) for side in (issue, values)))


def _subtask(call: Call, issue: Row) -> bool:
    return bool(call.db.value("SELECT subtask FROM issue_type WHERE id = ?", issue["type"]))


def _of_sprint(call: Call) -> Shape:
    """The one column that is shown as a custom field."""
    entry = {"fieldtype": "custom"}
    return entry | ({"fieldId": f"{custom.PREFIX}{custom.known(call.db, 'sprint')}"} if call.site.cloud else {})


def _relation(call: Call, name: str, old: list[Any], new: list[Any]) -> Iterator[Shape]:
    if name == "labels":
        if set(old) != set(new):
            yield item(name, name, (None, " ".join(old)), (None, " ".join(new)))
        return
    field, sql = _MEMBERS[name]
    for gone in sorted(set(old) - set(new)):
        yield item(field, name, (gone, call.db.value(sql, gone)), _NOTHING)
    for come in sorted(set(new) - set(old)):
        yield item(field, name, _NOTHING, (come, call.db.value(sql, come)))


def _custom(call: Call, issue: Row, name: str, new: list[Any]) -> Iterator[Shape]:
    number = int(name.removeprefix(custom.PREFIX))
    old = custom.held(call.db, issue["id"], number)
    if old == new:
        return
    field = call.db.value("SELECT name FROM custom_field WHERE id = ?", number)
    sides = ((", ".join(map(str, values)) or None, custom.told(call.db, number, values)) for values in (old, new))
    yield item(field, name, *sides) | {"fieldtype": "custom"}


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


Side = tuple[Any, str | None]
"""What is stored, and in words."""
_NOTHING: Final[Side] = (None, None)


def item(field: str, field_id: str, old: Side, new: Side) -> Shape:
    return {
        "field": field,
        "fieldtype": "jira",
        "fieldId": field_id,
        "from": None if old[0] is None else str(old[0]),
        "fromString": old[1],
        "to": None if new[0] is None else str(new[0]),
        "toString": new[1],
    }
