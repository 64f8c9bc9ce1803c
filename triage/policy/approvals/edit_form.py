"""Makes a form of what a person may edit in a proposal, and reads the edits. Pure."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.domain.approvals import Approval
from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused

TEXTS: Final = frozenset({"body", "comment", "description", "text"})
"""Arguments that are texts of several lines."""


class FormEntry(StrEnum):
    """How a person writes the value of a field."""

    LINE = "line"
    TEXT = "text"
    NUMBER = "number"
    LIST = "list"
    """One value a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditField:
    """One argument of a tool call as a person reads and writes it."""

    name: str
    entry: FormEntry
    value: str
    """As it was proposed; empty: it was not."""
    about: str = ""
    """What the tool says of the argument."""
    choices: tuple[str, ...] = ()
    """The values there are; empty: any."""
    required: bool = False


def edit_fields(
    schema: Mapping[str, Json],
    given: Mapping[str, Json],
    editable: Collection[str],
    choices: Mapping[str, tuple[str, ...]],
) -> tuple[EditField, ...]:
    """Return a field for each editable argument of the tool's schema that a person can write as text."""
    return tuple(_fields(schema, given, editable, choices))


def _fields(
    schema: Mapping[str, Json],
    given: Mapping[str, Json],
    editable: Collection[str],
    choices: Mapping[str, tuple[str, ...]],
) -> Iterator[EditField]:
    for name, shape in schema["properties"].items():
        entry = _entry(name, shape)
        if name in editable and entry:
            yield EditField(
                name=name,
                entry=entry,
                value=worded(given.get(name)),
                about=shape.get("description", ""),
                choices=choices.get(name) or tuple(shape.get("enum", ())),
                required=name in schema.get("required", ()),
            )


def _entry(name: str, shape: Mapping[str, Json]) -> FormEntry | None:
    match shape.get("type"):
        case "string":
            return FormEntry.TEXT if name in TEXTS else FormEntry.LINE
        case "integer":
            return FormEntry.NUMBER
        case "array" if shape.get("items", {}).get("type") == "string":
            return FormEntry.LIST
    return None


def worded(value: Json) -> str:
    """Return a stored argument as a person writes it: a status or a person by name, one value of a list a line."""
    if isinstance(value, Mapping):
        return str(value["name"]) if "name" in value else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return "\n".join(map(worded, value))
    return "" if value is None else str(value)


def text_argument(approval: Approval) -> str:
    """Return the argument that a new text replaces: the proposed field, or of a whole call the text in it."""
    given = json.loads(approval.exact)
    if approval.field in given:
        return approval.field
    return next((name for name in given if name in TEXTS), approval.field or "body")


def edited_text(approval: Approval) -> str:
    """Return the arguments as a person has changed them, one a line; the value alone where there is one."""
    values = {name: worded(value) for name, value in json.loads(approval.edited).items() if name != "ticket_key"}
    return "\n".join(values.values() if len(values) == 1 else (f"{name}: {text}" for name, text in values.items()))


def changes_in(fields: Collection[EditField], written: Mapping[str, str]) -> dict[str, Json]:
    """Return what differs from the proposal; None: it is left out. Raises `ToolRefused` for a number that is none."""
    texts = {one: written[one.name].replace("\r\n", "\n").strip() for one in fields if one.name in written}
    return {one.name: _read(one, text) for one, text in texts.items() if text != one.value.strip()}


def _read(field: EditField, text: str) -> Json:
    if not text:
        return None
    match field.entry:
        case FormEntry.LIST:
            return [line.strip() for line in text.split("\n") if line.strip()]
        case FormEntry.NUMBER if not text.isdecimal():
            raise ToolRefused(f"{field.name}: {text!r} is no whole number")
        case FormEntry.NUMBER:
            return int(text)
    return text
