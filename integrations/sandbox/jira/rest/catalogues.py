"""The small lists: fields, kinds, priorities, states, resolutions, kinds of links."""

from typing import Final

from integrations.sandbox.jira import fields, shapes
from integrations.sandbox.jira.call import Answer, Call, Handler, Route
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.field import Field
from integrations.sandbox.jira.reading import Catalogue
from integrations.sandbox.jira.shapes import Shape


def all_fields(call: Call) -> Answer:
    """Every field with its names in JQL."""
    return Answer([_field(call, field) for field in fields.visible(call)])


def _field(call: Call, field: Field) -> Shape:
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


def listed(table: str, shape: Catalogue) -> Handler:
    """All entries of a catalogue."""
    return lambda call: Answer([shape(call, row) for row in call.db.all(f"SELECT * FROM {table} ORDER BY rank")])


def one(table: str, shape: Catalogue) -> Handler:
    """One entry by its id."""
    return lambda call: Answer(shape(call, shapes.entry(call, table, call.part("id"))))


def priority(call: Call, row: Row) -> Shape:
    """As the list of priorities shows it, with more than an issue does."""
    colour = shapes.PRIORITY_COLOURS[min(row["rank"], len(shapes.PRIORITY_COLOURS) - 1)]
    return shapes.priority(call, row) | {"statusColor": colour, "description": ""}


def link_types(call: Call) -> Answer:
    """How issues can relate."""
    rows = call.db.all("SELECT * FROM link_type ORDER BY name")
    return Answer({"issueLinkTypes": [shapes.link_type(call, row) for row in rows]})


_API: Final = "/rest/api/{version}"

ROUTES: Final = (
    Route("GET", f"{_API}/field", all_fields, open=True),
    Route("GET", f"{_API}/issuetype", listed("issue_type", shapes.issue_type), open=True),
    Route("GET", f"{_API}/issuetype/{{id}}", one("issue_type", shapes.issue_type), open=True),
    Route("GET", f"{_API}/priority", listed("priority", priority), open=True),
    Route("GET", f"{_API}/priority/{{id}}", one("priority", priority), open=True),
    Route("GET", f"{_API}/status", listed("status", shapes.status), open=True),
    Route("GET", f"{_API}/status/{{id}}", one("status", shapes.status), open=True),
    Route("GET", f"{_API}/resolution", listed("resolution", shapes.resolution), open=True),
    Route("GET", f"{_API}/issueLinkType", link_types, open=True),
)
