"""Checks the body of a create or edit request field by field and reports all errors at once."""

from collections.abc import Iterable
from typing import Any, Final, Self

from triage_sandbox.jira.call import Call, JiraError, object_of
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.fields.writing import FieldRefused, Values

RELATIONS: Final = {
    "labels": ("issue_label", "label"),
    "components": ("issue_component", "component"),
    "fixVersions": ("issue_version", "version"),
    "versions": ("issue_affected", "version"),
}
"""Fields that hold several values: their table and its column."""
_ELSEWHERE: Final = frozenset({"comment", "issuelinks", "worklog"})
"""Parts of `update` that add something beside the issue."""


class Form:
    """The values of a create or edit request: `fields` sets, `update` adds, removes and sets."""

    def __init__(self, call: Call, project: Row, shown: Iterable[Field], current: Row | None = None) -> None:
        self.values: Values = {}
        self.errors: dict[str, str] = {}
        self._call = call
        self._project = project
        self._current = current
        self._shown = {field.id: field for field in shown}

    def fill(self, data: dict[str, Any]) -> Self:
        """Take the values of a request body."""
        for name, value in part_of(data, "fields").items():
            if name != "project" or self._current is not None:
                self._take(name, [{"set": value}])
        for name, steps in part_of(data, "update").items():
            if name not in _ELSEWHERE:
                self._take(name, steps)
        return self

    def require(self, name: str, column: str, words: str) -> None:
        """Add an error for a required field without a value, unless it has an error already."""
        if column not in self.values:
            self.errors.setdefault(name, words)

    def complete(self) -> Values:
        """Return the values. Raises `JiraError` 400 with every error."""
        if self.errors:
            raise JiraError(400, errors=self.errors)
        return self.values

    def _take(self, name: str, steps: Any) -> None:
        try:
            for verb, value in _verbs(steps):
                self.values |= self._stepped(name, verb, value)
        except FieldRefused as e:
            self.errors[name] = str(e)

    def _stepped(self, name: str, verb: str, value: Any) -> Values:
        field = self._shown.get(name)
        if field is None or field.write is None:
            raise FieldRefused(f"Field '{name}' cannot be set. It is not on the appropriate screen, or unknown.")
        if verb == "set" or (verb == "edit" and "add" not in field.operations):
            return field.write(self._call, self._project, value)
        if verb not in field.operations:
            raise FieldRefused(f"The operation '{verb}' is not supported for this field.")
        sent = set(field.write(self._call, self._project, [value])[field.id])
        held = set(self.values.get(field.id, self.held(field)))
        return {field.id: sorted(held | sent if verb == "add" else held - sent)}

    def held(self, field: Field) -> list[Any]:
        """Return what the issue holds in a field with several values, or in a custom one."""
        return [] if self._current is None else held(self._call, self._current, field.id)


def held(call: Call, issue: Row, name: str) -> list[Any]:
    """Return the values of a field with several values."""
    if name not in RELATIONS:
        return custom.held(call.db, issue["id"], int(name.removeprefix(custom.PREFIX)))
    table, column = RELATIONS[name]
    rows = call.db.all(f"SELECT {column} FROM {table} WHERE issue = ? ORDER BY {column}", issue["id"])
    return [row[0] for row in rows]


def part_of(data: dict[str, Any], name: str) -> dict[str, Any]:
    """Return `fields` or `update` of a body; empty if it was not sent."""
    return object_of(data.get(name) or {})


def _verbs(steps: Any) -> list[tuple[str, Any]]:
    """`[{"add": "x"}, {"remove": "y"}]` as pairs."""
    if not isinstance(steps, list) or not all(isinstance(step, dict) and len(step) == 1 for step in steps):
        raise FieldRefused("expected an array of operations, each with one verb")
    return [pair for step in steps for pair in step.items()]
