"""Builds the endpoints that components and versions share: find, create, change, delete."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.shapes import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Components or versions of projects; `{id}` in the path names one."""

    table: str
    shape: Callable[[Call, Row], Shape]
    parts: bodies.Parts
    homeless: str
    """What Jira says where no project is named."""
    missing: str
    """What it says where there is none, with braces for the id."""
    twice: str
    """What it says where another one of the project has the name."""
    sound: Callable[[dict[str, Any]], None] = lambda _: None
    """Stops columns that do not go together."""

    def find(self, call: Call, number: str = "", *, to_change: bool = False) -> Row:
        """Return a row by the path or by id. Raises `JiraError` 404 if the caller may not see it."""
        number = number or call.part("id")
        row = call.entry(self.table, number, self.missing)
        if not call.may("BROWSE_PROJECTS", row["project"]):
            raise JiraError(404, self.missing.format(number))
        if to_change:
            call.need("ADMINISTER_PROJECTS", row["project"])
        return row

    def one(self, call: Call) -> Answer:
        return Answer(self.shape(call, self.find(call)))

    def create(self, call: Call, **usual: Any) -> Answer:
        """Create a row; `usual` are the defaults of columns that a client need not send."""
        data = call.object()
        key = data.get("project") or data.get("projectId")
        if not key:
            raise JiraError(400, errors={"project": self.homeless})
        project = call.project(str(key))["id"]
        call.need("ADMINISTER_PROJECTS", project)
        columns = self._checked(call, project, {"name": None, **data})
        number = call.db.insert(self.table, {**usual, "project": project, **columns})
        return Answer(self.shape(call, call.entry(self.table, number)), 201)

    def edit(self, call: Call) -> Answer:
        row = self.find(call, to_change=True)
        call.db.update(self.table, row["id"], self._checked(call, row["project"], call.object(), row["id"]))
        return self.one(call)

    def _checked(self, call: Call, project: int, data: dict[str, Any], but: int = 0) -> dict[str, Any]:
        columns = bodies.taken(call, data, self.parts)
        same = f"SELECT 1 FROM {self.table} WHERE project = ? AND name = ? AND id <> ?"
        if call.db.one(same, project, columns.get("name"), but):
            raise JiraError(400, errors={"name": self.twice.format(columns["name"])})
        self.sound(columns)
        return columns

    def remove(self, call: Call, relations: Mapping[str, str]) -> Answer:
        """Delete a row; its issues get the other one that is named for the relation, if any."""
        row = self.find(call, to_change=True)
        for relation, target in relations.items():
            if target:
                sql = f"INSERT OR IGNORE INTO {relation} SELECT issue, ? FROM {relation} WHERE {self.table} = ?"
                call.db.run(sql, self.find(call, target)["id"], row["id"])
            call.db.run(f"DELETE FROM {relation} WHERE {self.table} = ?", row["id"])
        call.db.run(f"DELETE FROM {self.table} WHERE id = ?", row["id"])
        return DONE
