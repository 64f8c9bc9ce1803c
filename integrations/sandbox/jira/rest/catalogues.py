"""The small lists: fields, kinds, priorities, states, resolutions, labels, kinds of links."""

from typing import Any, Final

from integrations.sandbox.jira import fields, shapes
from integrations.sandbox.jira.call import API, DONE, Answer, Call, Handler, JiraError, Route
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.field import Field
from integrations.sandbox.jira.page import Catalogue
from integrations.sandbox.jira.permissions import projects_with
from integrations.sandbox.jira.rest import bodies
from integrations.sandbox.jira.shapes import CATEGORIES, Shape


def all_fields(call: Call) -> Answer:
    """Every field with its names in JQL."""
    return Answer([field_shape(call, field) for field in fields.visible(call)])


def field_shape(call: Call, field: Field) -> Shape:
    """A field as the list of all fields has it."""
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
    """Data Center lists the fields that are not its own apart, too."""
    call.only_server()
    text = call.query("search").casefold()
    own = [field for field in fields.visible(call) if field.custom and text in field.name.casefold()]
    return Answer(call.page(own, _custom_field))


def _custom_field(call: Call, field: Field) -> Shape:
    row = shapes.entry(call, "custom_field", field.number)
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
    """All entries of a catalogue."""
    return lambda call: Answer([shape(call, row) for row in _rows(call, table)])


def _rows(call: Call, table: str) -> list[Row]:
    return call.db.all(f"SELECT * FROM {table} ORDER BY rank")


def paged(table: str, shape: Catalogue) -> Handler:
    """A page of a catalogue, by id and by a part of the name."""

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
    """One entry by its id, some by their name, too."""

    def handler(call: Call) -> Answer:
        wanted = call.part("id")
        row = call.db.one(f"SELECT * FROM {table} WHERE id = ?", wanted)
        if row is None and by_name:
            row = call.db.one(f"SELECT * FROM {table} WHERE name = ?", wanted)
        if row is None:
            raise JiraError(404, f"The {table.replace('_', ' ')} with id '{wanted}' does not exist")
        return Answer(shape(call, row))

    return handler


def priority(call: Call, row: Row) -> Shape:
    """As the list of priorities shows it, with more than an issue does."""
    colour = shapes.PRIORITY_COLOURS[min(row["rank"], len(shapes.PRIORITY_COLOURS) - 1)]
    return shapes.priority(call, row) | {"statusColor": colour, "description": ""}


def types_of(call: Call) -> Answer:
    """The kinds of issues of a project, by its id."""
    call.only_cloud()
    project = call.project(call.query("projectId"))
    return Answer([shapes.issue_type(call, row) for row in shapes.kinds_of(call.db, project["id"])])


def alternatives(call: Call) -> Answer:
    """What an issue of this kind could become: sub-tasks stay sub-tasks."""
    kind = shapes.entry(call, "issue_type", call.part("id"))
    others = [row for row in _rows(call, "issue_type") if row["subtask"] == kind["subtask"] and row["id"] != kind["id"]]
    return Answer([shapes.issue_type(call, row) for row in others])


# --- categories of states ---------------------------------------------------------------------

_ALL_CATEGORIES: Final = {
    "undefined": {"id": 1, "key": "undefined", "colorName": "medium-gray", "name": "No Category"},
    **CATEGORIES,
}


def categories(call: Call) -> Answer:
    """The three, and one that no state has."""
    return Answer([_category(call, entry) for entry in _ALL_CATEGORIES.values()])


def category(call: Call) -> Answer:
    """One by id or key."""
    wanted = call.part("id")
    found = next((entry for entry in _ALL_CATEGORIES.values() if wanted in {str(entry["id"]), entry["key"]}), None)
    if found is None:
        raise JiraError(404, f"The status category '{wanted}' could not be found.")
    return Answer(_category(call, found))


def _category(call: Call, entry: dict[str, Any]) -> Shape:
    return {"self": call.url(f"statuscategory/{entry['id']}"), **entry}


# --- labels -----------------------------------------------------------------------------------


def labels(call: Call) -> Answer:
    """Words that some issue carries which the caller may see."""
    call.only_cloud()
    marks = ", ".join(map(str, projects_with(call.db, call.me, "BROWSE_PROJECTS")))
    sql = f"SELECT DISTINCT label FROM issue_label l JOIN issue i ON i.id = l.issue WHERE i.project IN ({marks})"
    return Answer(call.page(call.db.all(f"{sql} ORDER BY label"), lambda _, row: row["label"], 1000))


# --- kinds of links ---------------------------------------------------------------------------

_LINK_PARTS: Final[bodies.Parts] = {
    "name": ("name", bodies.words(empty="The name of the issue link type must be specified.")),
    "inward": ("inward", bodies.words(empty="The inward description must be specified.")),
    "outward": ("outward", bodies.words(empty="The outward description must be specified.")),
}


def link_types(call: Call) -> Answer:
    """How issues can relate."""
    rows = call.db.all("SELECT * FROM link_type ORDER BY name")
    return Answer({"issueLinkTypes": [shapes.link_type(call, row) for row in rows]})


def _link_type(call: Call) -> Row:
    row = call.db.one("SELECT * FROM link_type WHERE id = ?", call.part("id"))
    if row is None:
        raise JiraError(404, f"No issue link type with id '{call.part('id')}' found.")
    return row


def link_type(call: Call) -> Answer:
    """One of them."""
    return Answer(shapes.link_type(call, _link_type(call)))


def create_link_type(call: Call) -> Answer:
    """A new one."""
    call.need("ADMINISTER")
    columns = bodies.taken(call, {**dict.fromkeys(_LINK_PARTS), **call.object()}, _LINK_PARTS)
    _unique_link_type(call, columns)
    number = call.db.insert("link_type", columns)
    return Answer(shapes.link_type(call, shapes.entry(call, "link_type", number)), 201)


def _unique_link_type(call: Call, columns: dict[str, Any], but: int = 0) -> None:
    if call.db.one("SELECT 1 FROM link_type WHERE name = ? AND id <> ?", columns.get("name"), but):
        raise JiraError(409, f"An issue link type with name '{columns['name']}' already exists.")


def edit_link_type(call: Call) -> Answer:
    """Other words."""
    call.need("ADMINISTER")
    row = _link_type(call)
    columns = bodies.taken(call, call.object(), _LINK_PARTS)
    _unique_link_type(call, columns, row["id"])
    call.db.update("link_type", row["id"], columns)
    return link_type(call)


def delete_link_type(call: Call) -> Answer:
    """Gone, and every link of its kind."""
    call.need("ADMINISTER")
    row = _link_type(call)
    with call.db.write():
        call.db.run("DELETE FROM link WHERE type = ?", row["id"])
        call.db.run("DELETE FROM link_type WHERE id = ?", row["id"])
    return DONE


_TYPE: Final = f"{API}/issuetype"
_LINK: Final = f"{API}/issueLinkType"

ROUTES: Final = (
    Route("GET", f"{API}/field", all_fields, open=True),
    Route("GET", f"{API}/customFields", custom_fields),
    Route("GET", _TYPE, listed("issue_type", shapes.issue_type), open=True),
    Route("GET", f"{_TYPE}/project", types_of, open=True),
    Route("GET", f"{_TYPE}/{{id}}", one("issue_type", shapes.issue_type), open=True),
    Route("GET", f"{_TYPE}/{{id}}/alternatives", alternatives),
    Route("GET", f"{API}/priority", listed("priority", priority), open=True),
    Route("GET", f"{API}/priority/search", paged("priority", priority)),
    Route("GET", f"{API}/priority/page", paged("priority", priority)),
    Route("GET", f"{API}/priority/{{id}}", one("priority", priority), open=True),
    Route("GET", f"{API}/status", listed("status", shapes.status), open=True),
    Route("GET", f"{API}/status/{{id}}", one("status", shapes.status, by_name=True), open=True),
    Route("GET", f"{API}/statuscategory", categories),
    Route("GET", f"{API}/statuscategory/{{id}}", category),
    Route("GET", f"{API}/resolution", listed("resolution", shapes.resolution), open=True),
    Route("GET", f"{API}/resolution/search", paged("resolution", shapes.resolution)),
    Route("GET", f"{API}/resolution/{{id}}", one("resolution", shapes.resolution), open=True),
    Route("GET", f"{API}/label", labels),
    Route("GET", _LINK, link_types, open=True),
    Route("POST", _LINK, create_link_type),
    Route("GET", f"{_LINK}/{{id}}", link_type, open=True),
    Route("PUT", f"{_LINK}/{{id}}", edit_link_type),
    Route("DELETE", f"{_LINK}/{{id}}", delete_link_type),
)
