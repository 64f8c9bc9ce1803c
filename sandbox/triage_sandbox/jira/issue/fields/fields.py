"""The table of an issue's fields, and which of them a form, a screen or a request contains."""

from collections.abc import Callable, Iterable
from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import custom, reading, writing
from triage_sandbox.jira.issue.fields.custom_kinds import KINDS
from triage_sandbox.jira.issue.fields.field import Choices, Field
from triage_sandbox.jira.shapes import Shape


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

_security: Final = reading.catalogue("security_level", "security", shapes.security_level)
_levels: Final = _of_project("security_level", shapes.security_level)


def types(call: Call, project: Row) -> list[Shape]:
    return [shapes.issue_type(call, row) for row in projects.kinds(call.db, project["id"])]


_priorities: Final = _all("priority", shapes.priority)
_resolutions: Final = _all("resolution", shapes.resolution)
_components: Final = _of_project("component", shapes.component)
_versions: Final = _of_project("version", shapes.version)

FIELDS: Final = (
    Field("summary", "Summary", "string", "summary", reading.column("summary"), writing.summary),
    Field("description", "Description", "string", "description", reading.text("description"), writing.rich("description")),
    Field("project", "Project", "project", "project", _project, choices=_this_project),
    Field("issuetype", "Issue Type", "issuetype", "issuetype type", _type, writing.issue_type, types),
    Field("priority", "Priority", "priority", "priority", _priority, writing.priority, _priorities),
    Field("assignee", "Assignee", "user", "assignee", reading.user("assignee"), writing.assignee),
    Field("reporter", "Reporter", "user", "reporter", reading.user("reporter"), writing.reporter),
    Field("creator", "Creator", "user", "creator", reading.user("creator")),
    Field("labels", "Labels", "array of string", "labels", reading.labels, writing.labels, None, _LIST),
    Field(
        "components", "Components", "array of component", "component",
        reading.listed("components", shapes.component), writing.parts("components", "component"), _components, _LIST,
    ),
    Field(
        "fixVersions", "Fix versions", "array of version", "fixVersion",
        reading.listed("fixVersions", shapes.version), writing.parts("fixVersions", "version"), _versions, _LIST,
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
    Field("watches", "Watchers", "watches", "watchers", reading.followed("watchers", "watchers", "watchCount", "isWatching")),
    Field(
        "attachment", "Attachment", "array of attachment", "attachments", reading.listed("attachments", shapes.attachment), navigable=False
    ),
    Field("comment", "Comment", "comments-page", "comment", reading.comments, None, None, ("add", "edit", "remove"), navigable=False),
    Field("environment", "Environment", "string", "environment", reading.text("environment"), writing.rich("environment")),
    Field(
        "versions", "Affects versions", "array of version", "affectedVersion",
        reading.listed("versions", shapes.version), writing.parts("versions", "version"), _versions, _LIST,
    ),
    Field("security", "Security Level", "securitylevel", "level", _security, writing.security, _levels),
    Field("votes", "Votes", "votes", "votes", reading.followed("voters", "votes", "votes", "hasVoted")),
    Field("worklog", "Log Work", "array of worklog", "", reading.worklogs, navigable=False),
    Field(
        "timetracking", "Time tracking", "timetracking", "", reading.timetracking, writing.timetracking,
        operations=("set", "edit"), navigable=False,
    ),
    Field("timeoriginalestimate", "Original estimate", "number", "originalEstimate timeoriginalestimate", reading.column("estimate")),
    Field("timeestimate", "Remaining Estimate", "number", "remainingEstimate timeestimate", reading.column("remaining")),
    Field("timespent", "Time Spent", "number", "timespent", reading.spent),
    Field("progress", "Progress", "progress", "progress", reading.progress),
    Field("aggregateprogress", "Σ Progress", "progress", "", reading.whole_progress),
    Field("aggregatetimespent", "Σ Time Spent", "number", "", reading.whole("spent")),
    Field("aggregatetimeestimate", "Σ Remaining Estimate", "number", "", reading.whole("remaining")),
    Field("aggregatetimeoriginalestimate", "Σ Original Estimate", "number", "", reading.whole("estimate")),
    Field("workratio", "Work Ratio", "number", "workratio", reading.work_ratio),
    Field("lastViewed", "Last Viewed", "datetime", "lastViewed", reading.constant(None)),
)  # fmt: skip
BY_ID: Final = {field.id: field for field in FIELDS}

ON_CREATE: Final = (
    "issuetype project summary description priority assignee reporter labels components fixVersions versions"
    " environment duedate parent security timetracking attachment issuelinks"
)
ON_EDIT: Final = f"{ON_CREATE.replace(' project', '')} comment"
REQUIRED: Final = frozenset({"issuetype", "project", "summary"})


def visible(call: Call) -> tuple[Field, ...]:
    system = FIELDS if call.site.cloud else _SERVER
    return system + custom.fields_of(call)


_SERVER: Final = tuple(field for field in FIELDS if not field.cloud_only)


def form(call: Call, project: Row, screen: str, kind: Row | None = None) -> tuple[Field, ...]:
    """Return the fields of the create or edit form of an issue type: the screen's, then custom ones."""
    shown = custom.of_project(call, project["id"])
    own = (field for field in custom.fields_of(call) if field.write is not None and field.number in shown)
    if screen == ON_EDIT and not call.may("EDIT_ISSUES", project["id"]):
        return ()
    return tuple(field for field in (*on_screen(call, project, screen), *own) if _fits(call, project, field, kind))


_NEEDS: Final = {
    "assignee": "ASSIGN_ISSUES",
    "reporter": "MODIFY_REPORTER",
    "duedate": "SCHEDULE_ISSUES",
    "security": "SET_ISSUE_SECURITY",
}
"""Fields that are on the forms of those only who hold this."""


def on_screen(call: Call, project: Row, screen: str) -> tuple[Field, ...]:
    """Return the fields of a screen without those that the project or a test hides."""
    hidden = call.site.off_screen | set(project["hidden"].split())
    known = BY_ID | {field.id: field for field in custom.fields_of(call)} if custom.PREFIX in screen else BY_ID
    return tuple(known[name] for name in screen.split() if name not in hidden)


def _fits(call: Call, project: Row, field: Field, kind: Row | None) -> bool:
    """Some fields stand only on the screens of some kinds, or where the project has something to choose from."""
    if field.id in call.site.off_screen or field.id in project["hidden"].split():
        return False
    if field.id in _NEEDS and not call.may(_NEEDS[field.id], project["id"]):
        return False
    if field.id == "security":
        return bool(_levels(call, project))
    epic, subtask = kind is not None and kind["name"] == "Epic", kind is not None and bool(kind["subtask"])
    if field.custom in _OF_KINDS:
        return epic if field.custom == EPIC_NAME else not epic and not subtask
    return call.site.cloud or subtask or field.id != "parent"


EPIC_NAME: Final = KINDS["epic_name"].custom
_OF_KINDS: Final = {EPIC_NAME, KINDS["epic_link"].custom}


def required(call: Call, field: Field, kind: Row | None) -> bool:
    """Tell whether a new issue of this type needs the field; epics on Cloud need no epic name."""
    if field.id == "parent":
        return kind is not None and bool(kind["subtask"])
    return field.id in REQUIRED or field.required or (field.custom == EPIC_NAME and not call.site.cloud)


def wanted(call: Call, names: Iterable[str], default: str) -> tuple[Field, ...]:
    """Return the fields that the parameter `fields` selects: names, `*all`, `*navigable`, and `-name` to exclude one."""
    asked = [name for name in names if name] or [default]
    removed = {name[1:] for name in asked if name.startswith("-")}
    if removed and all(name.startswith("-") for name in asked):
        asked = [default, *asked]
    every, navigable, named = "*all" in asked, "*navigable" in asked, set(asked)
    return tuple(
        field
        for field in visible(call)
        if field.id not in removed and (every or (navigable and field.navigable) or field.id in named)
    )
