"""The fields of an issue, one line each: how it is called, asked for, read and set."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from integrations.sandbox.jira import reading, shapes, writing
from integrations.sandbox.jira.call import Call
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.reading import Reader
from integrations.sandbox.jira.shapes import Shape
from integrations.sandbox.jira.writing import Writer

Choices = Callable[[Call, Row], list[Shape]]


@dataclass(frozen=True, slots=True)
class Field:
    """One field."""

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

    @property
    def schema(self) -> Shape:
        """Its type in Jira's words."""
        kind, _, items = self.type.partition(" of ")
        return {"type": kind, **({"items": items} if items else {}), "system": self.id}

    def meta(self, call: Call, project: Row, *, required: bool, with_id: bool) -> Shape:
        """What a form needs to know of it."""
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


def _all(table: str, shape: Callable[[Call, Row], Shape]) -> Choices:
    return lambda call, _: [shape(call, row) for row in call.db.all(f"SELECT * FROM {table} ORDER BY rank")]


def _of_project(table: str, shape: Callable[[Call, Row], Shape]) -> Choices:
    def choices(call: Call, project: Row) -> list[Shape]:
        rows = call.db.all(f"SELECT * FROM {table} WHERE project = ? ORDER BY name", project["id"])
        return [shape(call, row) for row in rows]

    return choices


def _this_project(call: Call, project: Row) -> list[Shape]:
    return [shapes.project(call, project)]


_LIST: Final = ("add", "set", "remove")

_project: Final = reading.catalogue("project", "project", shapes.project)
_type: Final = reading.catalogue("issue_type", "type", shapes.issue_type)
_priority: Final = reading.catalogue("priority", "priority", shapes.priority)
_status: Final = reading.catalogue("status", "status", shapes.status)
_resolution: Final = reading.catalogue("resolution", "resolution", shapes.resolution)

_types: Final = _all("issue_type", shapes.issue_type)
_priorities: Final = _all("priority", shapes.priority)
_resolutions: Final = _all("resolution", shapes.resolution)
_components: Final = _of_project("component", shapes.component)
_versions: Final = _of_project("version", shapes.version)

FIELDS: Final = (
    Field("summary", "Summary", "string", "summary", reading.column("summary"), writing.summary),
    Field("description", "Description", "string", "description", reading.description, writing.description),
    Field("project", "Project", "project", "project", _project, choices=_this_project),
    Field("issuetype", "Issue Type", "issuetype", "issuetype type", _type, writing.issue_type, _types),
    Field("priority", "Priority", "priority", "priority", _priority, writing.priority, _priorities),
    Field("assignee", "Assignee", "user", "assignee", reading.user("assignee"), writing.assignee),
    Field("reporter", "Reporter", "user", "reporter", reading.user("reporter"), writing.reporter),
    Field("creator", "Creator", "user", "creator", reading.user("creator")),
    Field("labels", "Labels", "array of string", "labels", reading.labels, writing.labels, None, _LIST),
    Field(
        "components", "Components", "array of component", "component",
        reading.components, writing.components, _components, _LIST,
    ),
    Field(
        "fixVersions", "Fix versions", "array of version", "fixVersion",
        reading.versions, writing.versions, _versions, _LIST,
    ),
    Field("duedate", "Due date", "date", "due duedate", reading.column("due"), writing.due),
    Field("parent", "Parent", "issuelink", "parent", reading.parent, writing.parent),
    Field("status", "Status", "status", "status", _status),
    Field(
        "statusCategory", "Status Category", "statusCategory", "statusCategory", reading.status_category,
        cloud_only=True,
    ),
    Field(
        "statuscategorychangedate", "Status Category Changed", "datetime", "statusCategoryChangedDate",
        reading.time("moved"), cloud_only=True,
    ),
    Field("resolution", "Resolution", "resolution", "resolution", _resolution, writing.resolution, _resolutions),
    Field("resolutiondate", "Resolved", "datetime", "resolutiondate resolved", reading.time("resolved")),
    Field("created", "Created", "datetime", "created createdDate", reading.time("created")),
    Field("updated", "Updated", "datetime", "updated updatedDate", reading.time("updated")),
    Field("issuelinks", "Linked Issues", "array of issuelinks", "", reading.links, operations=("add",)),
    Field("subtasks", "Sub-tasks", "array of issuelinks", "subtasks", reading.subtasks),
    Field("watches", "Watchers", "watches", "watchers", reading.watches),
    Field(
        "attachment", "Attachment", "array of attachment", "attachments", reading.attachments, navigable=False
    ),
    Field("comment", "Comment", "comments-page", "comment", reading.comments, navigable=False),
    Field("environment", "Environment", "string", "environment", reading.constant(None)),
    Field("versions", "Affects versions", "array of version", "affectedVersion", reading.constant([])),
    Field("security", "Security Level", "securitylevel", "level", reading.constant(None)),
    Field("workratio", "Work Ratio", "number", "workratio", reading.constant(-1)),
    Field("lastViewed", "Last Viewed", "datetime", "lastViewed", reading.constant(None)),
)  # fmt: skip
BY_ID: Final = {field.id: field for field in FIELDS}

ON_CREATE: Final = (
    "issuetype project summary description priority assignee reporter labels components fixVersions duedate parent"
)
ON_EDIT: Final = "summary issuetype description priority assignee reporter labels components fixVersions duedate parent"
REQUIRED: Final = frozenset({"issuetype", "project", "summary"})


def visible(call: Call) -> tuple[Field, ...]:
    """The fields that this deployment has."""
    return tuple(field for field in FIELDS if call.site.cloud or not field.cloud_only)


def on_screen(call: Call, screen: str) -> tuple[Field, ...]:
    """The fields of a form, without those that the sandbox was told to hide."""
    return tuple(BY_ID[name] for name in screen.split() if name not in call.site.off_screen)


def wanted(call: Call, names: Iterable[str], default: str) -> tuple[Field, ...]:
    """The fields that `fields=` asks for: names, `*all`, `*navigable`, and `-name` to leave one out."""
    asked = [name for name in names if name] or [default]
    removed = {name[1:] for name in asked if name.startswith("-")}
    if removed and all(name.startswith("-") for name in asked):
        asked = [default, *asked]
    return tuple(
        field
        for field in visible(call)
        if field.id not in removed
        and ("*all" in asked or ("*navigable" in asked and field.navigable) or field.id in asked)
    )
