"""Builds list, create, rename and delete endpoints for small lists that administrators keep."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.shapes import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A simple resource with create, read, update and delete; `{id}` in the path names one, its routes say who may write."""

    table: str
    shape: Callable[[Call, Row], Shape]
    parts: bodies.Parts
    needs: tuple[str, ...] = ("name",)
    """Parts without which there is no new one."""
    missing: str
    """What Jira says where there is none; the braces stand for the id."""
    twice: str
    """What Jira says where another one has the name."""
    made: int = 201
    free: str = ""
    """SQL that lets go of it before it is removed."""

    def find(self, call: Call, number: str) -> Row:
        """Return the row that the path names. Raises `JiraError` 404."""
        return call.entry(self.table, number, self.missing)

    def rows(self, call: Call) -> list[Row]:
        return call.db.all(f"SELECT * FROM {self.table} ORDER BY name")

    def every(self, call: Call) -> Answer:
        return Answer([self.shape(call, row) for row in self.rows(call)])

    def one(self, call: Call) -> Answer:
        return Answer(self.shape(call, self.find(call, call.part("id"))))

    def create(self, call: Call) -> Answer:
        columns = self._checked(call, {**dict.fromkeys(self.needs), **call.object()})
        text = {"description": ""} if "description" in self.parts else {}
        number = call.db.insert(self.table, text | columns)
        return Answer(self.shape(call, call.entry(self.table, number)), self.made)

    def edit(self, call: Call) -> Answer:
        number = self.find(call, call.part("id"))["id"]
        call.db.update(self.table, number, self._checked(call, call.object(), number))
        return self.one(call)

    def _checked(self, call: Call, data: dict[str, Any], but: int = 0) -> dict[str, Any]:
        columns = bodies.taken(call, data, self.parts)
        if call.db.one(f"SELECT 1 FROM {self.table} WHERE name = ? AND id <> ?", columns.get("name"), but):
            raise JiraError(409, self.twice.format(columns["name"]))
        return columns

    def delete(self, call: Call) -> Answer:
        """Delete a row. Raises `JiraError` 409 while others refer to it."""
        number = self.find(call, call.part("id"))["id"]
        try:
            if self.free:
                call.db.run(self.free, number)
            call.db.run(f"DELETE FROM {self.table} WHERE id = ?", number)
        except sqlite3.IntegrityError:
            raise JiraError(409, f"The {self.table.replace('_', ' ')} is in use.") from None
        return DONE
