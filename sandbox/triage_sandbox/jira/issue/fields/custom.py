"""Reads and stores custom fields: their definitions, and their values in issues.

A field is a row of `custom_field`; what an issue holds in it are rows of `custom_value`, one for each value.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.issue.fields.custom_kinds import KINDS, option, stored_text
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.shapes import Shape

PREFIX: Final = "customfield_"


def fields_of(call: Call) -> tuple[Field, ...]:
    """Return the custom fields that this deployment shows."""
    rows = call.db.all("SELECT id, name, kind, required FROM custom_field ORDER BY id")
    return tuple(_field(*row) for row in rows if not (call.site.cloud and KINDS[row["kind"]].server_only))


@cache
def _field(number: int, name: str, kind_name: str, required: int) -> Field:
    kind = KINDS[kind_name]

    def read(page: Issues, row: Row) -> Any:
        return kind.read(page, row, page.custom[row["id"]].get(number, ()))

    def write(call: Call, _: Row, value: Any) -> dict[str, Any]:
        values = [] if value is None or kind.write is None else kind.write(call, number, value)
        return {kind.column: values[0] if values else None} if kind.column else {f"{PREFIX}{number}": values}

    def choices(call: Call, _: Row) -> list[Shape]:
        return [
            option(call, row) for row in call.db.all("SELECT * FROM custom_option WHERE field = ? ORDER BY id", number)
        ]

    return Field(
        id=f"{PREFIX}{number}",
        name=name,
        type=kind.type,
        clauses="",
        read=read,
        write=write if kind.write else None,
        choices=choices if kind.options else None,
        operations=kind.operations,
        custom=kind.custom,
        required=bool(required),
    )


def known(db: Database, kind: str) -> int | None:
    """Return the number of the first custom field of a kind, such as the sprint field."""
    number: int | None = db.value("SELECT id FROM custom_field WHERE kind = ? ORDER BY id", kind)
    return number


def held(db: Database, issue: int, number: int) -> list[Any]:
    """Return the values that an issue has in a custom field."""
    rows = db.all("SELECT value FROM custom_value WHERE issue = ? AND field = ? ORDER BY id", issue, number)
    return [row[0] for row in rows]


def put(db: Database, issue: int, number: int, values: Iterable[Any]) -> None:
    """Set an issue's values in a custom field."""
    clear(db, "issue = ? AND field = ?", issue, number)
    kind = KINDS[db.value("SELECT kind FROM custom_field WHERE id = ?", number)]
    for value in values:
        row = db.insert("custom_value", {"issue": issue, "field": number, "value": value})
        if kind.wordy:
            plain = stored_text(value).plain if kind.rich else value
            db.run("INSERT INTO custom_words (rowid, value) VALUES (?, ?)", row, plain)


def clear(db: Database, where: str, *values: Any) -> None:
    """Delete values of a custom field, and their words in the search index."""
    db.run(f"DELETE FROM custom_words WHERE rowid IN (SELECT id FROM custom_value WHERE {where})", *values)
    db.run(f"DELETE FROM custom_value WHERE {where}", *values)


def define(
    db: Database,
    name: str,
    kind: str,
    *,
    number: int | None = None,
    projects: Iterable[int] = (),
    options: Iterable[str] = (),
    required: bool = False,
    description: str = "",
) -> int:
    """Create a custom field; return its number. Without `projects` it is on the screens of all."""
    chosen = list(projects)
    row = {"id": number, "name": name, "kind": kind, "description": description, "required": required}
    field = db.insert("custom_field", row | {"projects": json.dumps(chosen) if chosen else None})
    for value in options:
        db.insert("custom_option", {"field": field, "value": value})
    return field


def of_project(call: Call, project: int) -> set[int]:
    """Return the numbers of the custom fields on a project's screens."""
    rows = call.db.all(
        "SELECT id FROM custom_field f WHERE projects IS NULL"
        " OR EXISTS (SELECT 1 FROM json_each(f.projects) WHERE value = ?)",
        project,
    )
    return {row["id"] for row in rows}


def told(db: Database, number: int, values: Sequence[Any]) -> str | None:
    """Return values as the changelog shows them."""
    kind = KINDS[db.value("SELECT kind FROM custom_field WHERE id = ?", number)]
    sql = "SELECT value FROM custom_option WHERE id = ?" if kind.options else ""
    if kind.type == "user":
        sql = "SELECT shown FROM account WHERE id = ?"
    shown = [db.value(sql, value) if sql else f"{value:g}" if isinstance(value, float) else value for value in values]
    return ", ".join(map(str, shown)) or None
