"""Endpoints that create and search custom fields and their options, and that edit small lists."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, must
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import custom, fields
from triage_sandbox.jira.issue.fields.custom_kinds import KINDS
from triage_sandbox.jira.issue.fields.custom_kinds import option as option_shape
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.rest.catalogue.catalogues import field_shape
from triage_sandbox.jira.shapes import Shape

_KINDS: Final = {kind.custom: name for name, kind in reversed(KINDS.items())}


def create(call: Call) -> Answer:
    """Create a custom field on the screens of all projects."""
    data = call.object()
    name, kind = str(data.get("name") or "").strip(), _KINDS.get(str(data.get("type")))
    if not name:
        raise JiraError(400, errors={"name": "Field name can not be empty."})
    if kind is None:
        raise JiraError(400, errors={"type": f"Custom field type '{data.get('type')}' was not found."})
    number = custom.define(call.db, name, kind, description=str(data.get("description") or ""))
    return Answer(field_shape(call, _own(call, f"{custom.PREFIX}{number}")), 201)


def _own(call: Call, name: str) -> Field:
    """A custom field by its id."""
    found = next((field for field in custom.fields_of(call) if field.id == name), None)
    return must(found, f"The custom field '{name}' was not found.")


def remove(call: Call) -> Answer:
    """Delete a custom field and its values."""
    number = _own(call, call.part("field")).number
    custom.clear(call.db, "field = ?", number)
    call.db.run("DELETE FROM custom_field WHERE id = ?", number)
    return DONE


def search(call: Call) -> Answer:
    """Return a page of fields, filtered by a part of the name, by id, and by system or custom (Cloud)."""
    text, ids, kinds = call.query("query").casefold(), call.listed("id"), call.listed("type")
    found = [
        field
        for field in fields.visible(call)
        if text in field.name.casefold()
        and (not ids or field.id in ids)
        and (not kinds or ("custom" if field.custom else "system") in kinds)
    ]
    return Answer(call.page(found, _brief))


def _brief(_: Call, field: Field) -> Shape:
    return {"id": field.id, "name": field.name, "schema": field.schema, "key": field.id, "isLocked": False}


# --- options ----------------------------------------------------------------------------------


def option(call: Call) -> Answer:
    missing = "A custom field option with id '{}' does not exist"
    shape = option_shape(call, call.entry("custom_option", call.part("id"), missing))
    # Cloud leaves the id to the address here.
    return Answer({name: shape[name] for name in ("self", "value")} if call.site.cloud else shape)


def contexts(call: Call) -> Answer:
    """Return the contexts of a field; here always one for all projects."""
    field = _own(call, call.part("field"))
    row = call.entry("custom_field", field.number)
    everywhere = row["projects"] is None
    only = {"id": str(field.number), "name": f"Default Configuration Scheme for {field.name}", "description": ""}
    shown = {**only, "isGlobalContext": everywhere, "isAnyIssueType": True}
    return Answer(call.page([shown], lambda _, value: value))


def options(call: Call) -> Answer:
    return Answer(call.page(_options(call, _own(call, call.part("field"))), _option))


def _options(call: Call, field: Field) -> list[Row]:
    return call.db.all("SELECT * FROM custom_option WHERE field = ? ORDER BY id", field.number)


def _option(_: Call, row: Row) -> Shape:
    return {"id": str(row["id"]), "value": row["value"], "disabled": bool(row["disabled"])}


def add_options(call: Call) -> Answer:
    field, values = _own(call, call.part("field")), [_value(each) for each in items_of(call.object(), "options")]
    known = {row["value"].casefold() for row in _options(call, field)}
    if twice := [value for value in values if value.casefold() in known]:
        raise JiraError(400, f"Option '{twice[0]}' already exists.")
    numbers = [call.db.insert("custom_option", {"field": field.number, "value": value}) for value in values]
    return Answer({"options": [_option(call, row) for row in _options(call, field) if row["id"] in numbers]})


def _value(sent: Any) -> str:
    value = str(sent.get("value") or "").strip() if isinstance(sent, dict) else ""
    if not value:
        raise JiraError(400, "The value of an option must not be empty.")
    return value


def security_level(call: Call) -> Answer:
    row = call.db.find("security_level", id=call.part("id"))
    if row is None or not call.may("BROWSE_PROJECTS", row["project"]):
        raise JiraError(404, f"The security level with id '{call.part('id')}' does not exist")
    return Answer(shapes.security_level(call, row))


_CONTEXT: Final = f"{API}/field/{{field}}/context"

ROUTES: Final = (
    Route("POST", f"{API}/field", create, need="ADMINISTER"),
    Route("GET", f"{API}/field/search", search, only="cloud"),
    Route("DELETE", f"{API}/field/{{field}}", remove, need="ADMINISTER"),
    Route("GET", _CONTEXT, contexts, only="cloud"),
    Route("GET", f"{_CONTEXT}/{{context}}/option", options, only="cloud"),
    Route("POST", f"{_CONTEXT}/{{context}}/option", add_options, only="cloud", need="ADMINISTER"),
    Route("GET", f"{API}/customFieldOption/{{id}}", option),
    Route("GET", f"{API}/securitylevel/{{id}}", security_level),
)
