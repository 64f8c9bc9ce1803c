"""The types of custom fields: name, accepted values, and JSON of each."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.stamps import day_of
from triage_sandbox.jira.issue.fields import sprints, writing
from triage_sandbox.jira.issue.fields.writing import FieldRefused
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.shapes import Shape

_TYPES: Final = "com.atlassian.jira.plugin.system.customfieldtypes:"
_AGILE: Final = "com.pyxis.greenhopper.jira:"

Read = Callable[[Issues, Row, Sequence[Any]], Any]
"""Takes the page, the issue and the stored values; gives what Jira shows."""
Write = Callable[[Call, int, Any], list[Any]]
"""Takes the call, the number of the field and what was sent; gives the values to store."""


@dataclass(frozen=True, slots=True)
class CustomKind:
    """A kind of custom field: how its values are read, checked, stored and shown."""

    type: str
    custom: str
    read: Read
    write: Write | None
    operations: tuple[str, ...] = ("set",)
    options: bool = False
    server_only: bool = False
    """Cloud shows this relation in another way."""
    wordy: bool = False
    """Its text is found by words."""
    rich: bool = False
    """Text of several lines in the language of the API version."""
    column: str = ""
    """It is another face of this column of the issue."""


def _first(_: Issues, __: Row, values: Sequence[Any]) -> Any:
    return values[0] if values else None


def _every(_: Issues, __: Row, values: Sequence[Any]) -> list[Any] | None:
    return list(values) or None


def _text(_: Call, __: int, value: Any) -> list[Any]:
    if not isinstance(value, str):
        raise FieldRefused("Operation value must be a string")
    if len(value) > writing.TEXT_LIMIT:
        raise FieldRefused(
            f"The entered text is too long. It exceeds the allowed limit of {writing.TEXT_LIMIT:,} characters."
        )
    return [value]


def _line(call: Call, field: int, value: Any) -> list[Any]:
    values = _text(call, field, value)
    if len(values[0]) > writing.SUMMARY_LIMIT:
        raise FieldRefused(
            f"The entered text is too long. It exceeds the allowed limit of {writing.SUMMARY_LIMIT} characters."
        )
    return values


def _paragraphs(call: Call, _: int, value: Any) -> list[Any]:
    """A document for v3, a string for v2; stored as it was sent, a document as JSON."""
    return [writing.body(call, value).source] if value else []


def _rich(page: Issues, _: Row, values: Sequence[Any]) -> Any:
    return stored_text(values[0]).said_in(page.call.version) if values else None


def stored_text(source: str) -> Body:
    """Return a multi-line text as it was stored."""
    return Body(source, "adf" if source.startswith('{"') else "wiki")


def _number(_: Call, __: int, value: Any) -> list[Any]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldRefused("Operation value must be a number")
    return [float(value)]


def _day(_: Call, __: int, value: Any) -> list[Any]:
    day = day_of(value)
    if day is None:
        raise FieldRefused(f"Error parsing date string: {value}")
    return [day]


def _address(call: Call, field: int, value: Any) -> list[Any]:
    values = _line(call, field, value)
    if not re.match(r"[a-z][a-z0-9+.-]*://\S+$", values[0], re.IGNORECASE):
        raise FieldRefused("Not a valid URL")
    return values


def _person(call: Call, _: int, value: Any) -> list[Any]:
    return [writing.account(call, value)]


def _shown_person(page: Issues, _: Row, values: Sequence[Any]) -> Shape | None:
    return page.user(values[0]) if values else None


def _words(_: Call, __: int, value: Any) -> list[Any]:
    return list(writing.words(value))


def _choice(call: Call, field: int, value: Any) -> list[Any]:
    if not isinstance(value, dict) or not {"id", "value"} & value.keys():
        raise FieldRefused(
            "Specify a valid 'id' or 'value' for the option" if call.site.cloud else "data was not an object"
        )
    by = "id" if "id" in value else "value"
    found = call.db.value(f"SELECT id FROM custom_option WHERE field = ? AND {by} = ?", field, str(value[by]))
    if found is None:
        raise FieldRefused(f"Option {by} '{value[by]}' is not valid")
    return [found]


def _choices(call: Call, field: int, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise FieldRefused("data was not an array")
    return sorted({option for part in value for option in _choice(call, field, part)})


def _shown_choice(page: Issues, row: Row, values: Sequence[Any]) -> Shape | None:
    shown = _shown_choices(page, row, values)
    return shown[0] if shown else None


def _shown_choices(page: Issues, _: Row, values: Sequence[Any]) -> list[Shape] | None:
    found = (page.one("custom_option", value, option) for value in values)
    return [shape for shape in found if shape is not None] or None


def option(call: Call, row: Row) -> Shape:
    """Return a select option as JSON."""
    shape = {"self": call.url(f"customFieldOption/{row['id']}"), "value": row["value"], "id": str(row["id"])}
    return shape if call.site.cloud else shape | {"disabled": bool(row["disabled"])}


def _epic(call: Call, _: int, value: Any) -> list[Any]:
    row = call.seen(value) if isinstance(value, str) else None
    if row is None:
        raise FieldRefused(f"Issue key '{value}' does not exist." if value else "No issue key was given.")
    if not _is_epic(call.db, row["id"]):
        raise FieldRefused(f"Issue with key {row['key']} is not an Epic.")
    return [row["id"]]


def _is_epic(db: Database, issue: int) -> bool:
    sql = "SELECT 1 FROM issue i JOIN issue_type t ON t.id = i.type WHERE i.id = ? AND t.name = 'Epic'"
    return db.one(sql, issue) is not None


def _shown_epic(page: Issues, row: Row, _: Sequence[Any]) -> str | None:
    """The epic's key: the same relation that Cloud shows as `parent`."""
    if row["parent"] is None or not _is_epic(page.call.db, row["parent"]):
        return None
    key: str = page.call.db.value("SELECT key FROM ticket WHERE id = ?", row["parent"])
    return key


def _rank(_: Issues, row: Row, __: Sequence[Any]) -> str:
    return str(row["rank"])


_SEVERAL: Final = ("add", "set", "remove")

KINDS: Final = {
    "text": CustomKind("string", f"{_TYPES}textfield", _first, _line, wordy=True),
    "textarea": CustomKind("string", f"{_TYPES}textarea", _rich, _paragraphs, wordy=True, rich=True),
    "url": CustomKind("string", f"{_TYPES}url", _first, _address, wordy=True),
    "number": CustomKind("number", f"{_TYPES}float", _first, _number),
    "points": CustomKind("number", f"{_AGILE}jsw-story-points", _first, _number),
    "date": CustomKind("date", f"{_TYPES}datepicker", _first, _day),
    "user": CustomKind("user", f"{_TYPES}userpicker", _shown_person, _person),
    "labels": CustomKind("array of string", f"{_TYPES}labels", _every, _words, _SEVERAL),
    "select": CustomKind("option", f"{_TYPES}select", _shown_choice, _choice, options=True),
    "radio": CustomKind("option", f"{_TYPES}radiobuttons", _shown_choice, _choice, options=True),
    "multiselect": CustomKind("array of option", f"{_TYPES}multiselect", _shown_choices, _choices, _SEVERAL, options=True),
    "checkboxes": CustomKind("array of option", f"{_TYPES}multicheckboxes", _shown_choices, _choices, _SEVERAL, options=True),
    "epic_name": CustomKind("string", f"{_AGILE}gh-epic-label", _first, _line, wordy=True),
    "epic_status": CustomKind("option", f"{_AGILE}gh-epic-status", _shown_choice, None, options=True, server_only=True),
    "epic_link": CustomKind("any", f"{_AGILE}gh-epic-link", _shown_epic, _epic, server_only=True, column="parent"),
    "rank": CustomKind("any", f"{_AGILE}gh-lexo-rank", _rank, None),
    "sprint": CustomKind("array of json", f"{_AGILE}gh-sprint", sprints.read, sprints.write, column="sprint"),
}  # fmt: skip
"""By the word that stands in `custom_field.kind`."""
