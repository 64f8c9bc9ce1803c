"""Endpoints for fields, issue types, priorities, statuses, resolutions, labels, link types."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, Handler, JiraError, Route, lists, must
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.permissions import projects_with
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.page import Catalogue
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.rest.kept import Kept
from triage_sandbox.jira.shapes import CATEGORIES, Shape


def field_shape(call: Call, field: Field) -> Shape:
    shape = {
        "id": field.id,
        "name": field.name,
        "custom": bool(field.custom),
        "orderable": field.write is not None,
        "navigable": field.navigable,
        "searchable": bool(field.clause_names),
        "clauseNames": field.clause_names,
        "schema": field.schema,
    }
    return shape | ({"key": field.id} if call.site.cloud else {})


def custom_fields(call: Call) -> Answer:
    """Return a page of the custom fields (Data Center)."""
    text = call.query("search").casefold()
    own = [field for field in fields.visible(call) if field.custom and text in field.name.casefold()]
    return Answer(call.page(own, _custom_field))


def _custom_field(call: Call, field: Field) -> Shape:
    row = call.entry("custom_field", field.number)
    return {
        "id": field.id,
        "name": field.name,
        "description": row["description"],
        "type": field.custom,
        "numericId": field.number,
        "isAllProjects": row["projects"] is None,
        "isLocked": False,
        "isManaged": False,
        "self": call.url(f"customFields/{field.id}"),
    }


# --- catalogues with a rank -------------------------------------------------------------------


def listed(table: str, shape: Catalogue) -> Handler:
    return lists(shape, lambda call: _rows(call, table))


def _types(call: Call) -> list[Row]:
    """Epics are added to a site after the others, and hold those: no list begins with them."""
    return sorted(_rows(call, "issue_type"), key=lambda row: row["name"] == "Epic")


def remove_type(call: Call) -> Answer:
    """Delete an issue type; its issues get the type that the caller names. Raises `JiraError` 404 if they cannot."""
    row = call.entry("issue_type", call.part("id"))
    other, used = call.query("alternativeIssueTypeId"), call.db.find("issue", type=row["id"])
    instead = call.entry("issue_type", other) if other else None
    if used is not None and instead is None:
        raise JiraError(404, "The issue type is in use, and no alternative issue type is specified.")
    if instead is not None and (instead["id"] == row["id"] or instead["subtask"] != row["subtask"]):
        raise JiraError(409, "The alternative issue type must be another one of the same kind.")
    if instead is not None:
        call.db.run("UPDATE issue SET type = ? WHERE type = ?", instead["id"], row["id"])
    call.db.run("DELETE FROM project_type WHERE type = ?", row["id"])
    call.db.run("DELETE FROM issue_type WHERE id = ?", row["id"])
    return DONE


def remove_priority(call: Call) -> Answer:
    """Refuse to delete a priority (404 for an unknown one): that is a task with `newPriority`, which the sandbox has not."""
    call.entry("priority", call.part("id"))
    raise JiraError(400, "The newPriority has to be provided.")


def _rows(call: Call, table: str) -> list[Row]:
    return call.db.all(f"SELECT * FROM {table} ORDER BY rank")


def paged(table: str, shape: Catalogue) -> Handler:
    """Return a handler for a page of a catalogue, filtered by id and by a part of the name."""

    def handler(call: Call) -> Answer:
        ids, text = call.listed("id"), (call.query("priorityName") or call.query("query")).casefold()
        fit = [row for row in _rows(call, table) if text in row["name"].casefold()]
        page = call.page([row for row in fit if not ids or str(row["id"]) in ids], shape)
        if not call.site.cloud:
            return Answer(page)
        # Real Jira marks no priority as the default here, see the field's own form.
        return Answer(page | {"values": [value | {"isDefault": False} for value in page["values"]]})

    return handler


def one(table: str, shape: Catalogue, *, by_name: bool = False) -> Handler:
    """Return a handler for one entry, by id and for some catalogues by name."""

    def handler(call: Call) -> Answer:
        wanted = call.part("id")
        if by_name:
            sql = f"SELECT id FROM {table} WHERE id = ?1 OR name = ?1 ORDER BY id != ?1"
            wanted = call.db.value(sql, wanted) or wanted
        return Answer(shape(call, call.entry(table, wanted)))

    return handler


def priority(call: Call, row: Row) -> Shape:
    """Return a priority as the list of priorities shows it."""
    colour = shapes.PRIORITY_COLOURS[min(row["rank"], len(shapes.PRIORITY_COLOURS) - 1)]
    return shapes.priority(call, row) | {"statusColor": colour, "description": ""}


def types_of(call: Call) -> Answer:
    return Answer(fields.types(call, call.project(call.query("projectId"))))


def alternatives(call: Call) -> Answer:
    """Return the issue types that an issue of this type can be changed to: sub-tasks stay sub-tasks."""
    kind = call.entry("issue_type", call.part("id"))
    others = [row for row in _rows(call, "issue_type") if row["subtask"] == kind["subtask"] and row["id"] != kind["id"]]
    return Answer([shapes.issue_type(call, row) for row in others])


# --- categories of states ---------------------------------------------------------------------

_ALL_CATEGORIES: Final = {
    "undefined": {"id": 1, "key": "undefined", "colorName": "medium-gray", "name": "No Category"},
    **CATEGORIES,
}
"""The three, and one that no state has."""


def category(call: Call) -> Answer:
    """Return a status category by id or key."""
    wanted = call.part("id")
    found = next((entry for entry in _ALL_CATEGORIES.values() if wanted in {str(entry["id"]), entry["key"]}), None)
    return Answer(_category(call, must(found, f"The status category '{wanted}' could not be found.")))


def _category(call: Call, entry: dict[str, Any]) -> Shape:
    return {"self": call.url(f"statuscategory/{entry['id']}"), **entry}


# --- labels -----------------------------------------------------------------------------------


def labels(call: Call) -> Answer:
    """Return a page of the labels of issues that the caller may see."""
    marks = ", ".join(map(str, projects_with(call.db, call.me, "BROWSE_PROJECTS")))
    sql = f"SELECT DISTINCT label FROM issue_label l JOIN issue i ON i.id = l.issue WHERE i.project IN ({marks})"
    return Answer(call.page(call.db.all(f"{sql} ORDER BY label"), lambda _, row: row["label"], 1000))


# --- kinds of links ---------------------------------------------------------------------------

_LINKS: Final = Kept(
    table="link_type",
    shape=shapes.link_type,
    parts={
        "name": ("name", bodies.words(empty="The name of the issue link type must be specified.")),
        "inward": ("inward", bodies.words(empty="The inward description must be specified.")),
        "outward": ("outward", bodies.words(empty="The outward description must be specified.")),
    },
    needs=("name", "inward", "outward"),
    missing="No issue link type with id '{}' found.",
    twice="An issue link type with name '{}' already exists.",
    free="DELETE FROM link WHERE type = ?",
)


_TYPE: Final = f"{API}/issuetype"
_LINK: Final = f"{API}/issueLinkType"

ROUTES: Final = (
    Route("GET", f"{API}/field", lists(field_shape, fields.visible), open=True),
    Route("GET", f"{API}/customFields", custom_fields, only="server"),
    Route("GET", _TYPE, lists(shapes.issue_type, _types), open=True),
    Route("GET", f"{_TYPE}/project", types_of, open=True, only="cloud"),
    Route("GET", f"{_TYPE}/{{id}}", one("issue_type", shapes.issue_type), open=True),
    Route("DELETE", f"{_TYPE}/{{id}}", remove_type, need="ADMINISTER"),
    Route("GET", f"{_TYPE}/{{id}}/alternatives", alternatives),
    Route("GET", f"{API}/priority", listed("priority", priority), open=True),
    Route("GET", f"{API}/priority/search", paged("priority", priority)),
    Route("GET", f"{API}/priority/page", paged("priority", priority)),
    Route("GET", f"{API}/priority/{{id}}", one("priority", priority), open=True),
    Route("DELETE", f"{API}/priority/{{id}}", remove_priority, need="ADMINISTER", only="cloud"),
    Route("GET", f"{API}/status", listed("status", shapes.status), open=True),
    Route("GET", f"{API}/status/{{id}}", one("status", shapes.status, by_name=True), open=True),
    Route("GET", f"{API}/statuscategory", lists(_category, lambda _: _ALL_CATEGORIES.values())),
    Route("GET", f"{API}/statuscategory/{{id}}", category),
    Route("GET", f"{API}/resolution", listed("resolution", shapes.resolution), open=True),
    Route("GET", f"{API}/resolution/search", paged("resolution", shapes.resolution)),
    Route("GET", f"{API}/resolution/{{id}}", one("resolution", shapes.resolution), open=True),
    Route("GET", f"{API}/label", labels, only="cloud"),
    Route("GET", _LINK, lists(shapes.link_type, _LINKS.rows, "issueLinkTypes"), open=True),
    Route("POST", _LINK, _LINKS.create, need="ADMINISTER"),
    Route("GET", f"{_LINK}/{{id}}", _LINKS.one, open=True),
    Route("PUT", f"{_LINK}/{{id}}", _LINKS.edit, need="ADMINISTER"),
    Route("DELETE", f"{_LINK}/{{id}}", _LINKS.delete, need="ADMINISTER"),
)
