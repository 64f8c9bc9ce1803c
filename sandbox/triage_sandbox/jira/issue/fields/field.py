"""Defines what a field of an issue is: name, JQL names, reader, writer."""

from collections.abc import Callable
from dataclasses import dataclass

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields.reading import Reader
from triage_sandbox.jira.issue.fields.writing import Writer
from triage_sandbox.jira.shapes import Shape

Choices = Callable[[Call, Row], list[Shape]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of issues: its id, name, type, and how it is read and written."""

    id: str
    name: str
    type: str
    """`array of label` holds labels."""
    clauses: str
    """Its names in JQL, with blanks between."""
    read: Reader
    write: Writer | None = None
    choices: Choices | None = None
    operations: tuple[str, ...] = ("set",)
    navigable: bool = True
    cloud_only: bool = False
    custom: str = ""
    """Of a custom field: what Jira calls its kind."""
    required: bool = False
    """When an issue is created."""

    @property
    def number(self) -> int:
        """The 10010 of customfield_10010."""
        return int(self.id.rpartition("_")[2])

    @property
    def clause_names(self) -> list[str]:
        return [f"cf[{self.number}]", self.name] if self.custom else self.clauses.split()

    @property
    def schema(self) -> Shape:
        """Its type as Jira's `schema` object."""
        kind, _, items = self.type.partition(" of ")
        what = {"custom": self.custom, "customId": self.number} if self.custom else {"system": self.id}
        return {"type": kind, **({"items": items} if items else {}), **what}

    def meta(self, call: Call, project: Row, *, required: bool, with_id: bool) -> Shape:
        """Its entry in create and edit metadata."""
        shape = {
            "required": required,
            "schema": self.schema,
            "name": self.name,
            **({"key": self.id} if call.site.cloud else {}),
            **({"fieldId": self.id} if with_id or not call.site.cloud else {}),
            "hasDefaultValue": self.id in {"priority", "reporter"},
            "operations": list(self.operations),
        }
        if self.id in {"assignee", "reporter"}:
            shape["autoCompleteUrl"] = call.url(f"user/assignable/search?project={project['key']}&query=")
        return shape | ({"allowedValues": self.choices(call, project)} if self.choices else {})
