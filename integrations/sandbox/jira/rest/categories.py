"""Categories, types and names of projects: what surrounds them without being one."""

from typing import Any, Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.rest import bodies
from integrations.sandbox.jira.shapes import Shape
from integrations.sandbox.jira.templates import TEMPLATES

_PARTS: Final[bodies.Parts] = {
    "name": ("name", bodies.words(empty="The category name must be specified.")),
    "description": ("description", bodies.words(1000)),
}


def category(call: Call, project: Row) -> Shape:
    """A project's category, as it stands inside the project."""
    return {"projectCategory": _shape(call, shapes.entry(call, "project_category", project["category"]))}


def _shape(call: Call, row: Row) -> Shape:
    told = {"self": call.url(f"projectCategory/{row['id']}"), "id": str(row["id"])}
    return told | {"name": row["name"], "description": row["description"]}


def every(call: Call) -> Answer:
    """All of them."""
    rows = call.db.all("SELECT * FROM project_category ORDER BY name")
    return Answer([_shape(call, row) for row in rows])


def one(call: Call) -> Answer:
    """One of them."""
    return Answer(_shape(call, _one(call)))


def _one(call: Call) -> Row:
    row = call.db.one("SELECT * FROM project_category WHERE id = ?", call.part("id"))
    if row is None:
        raise JiraError(404, f"No project category with id '{call.part('id')}' was found.")
    return row


def create(call: Call) -> Answer:
    """A new one."""
    call.need("ADMINISTER")
    columns = _checked(call, {"name": None, **call.object()})
    number = call.db.insert("project_category", {"description": "", **columns})
    return Answer(_shape(call, shapes.entry(call, "project_category", number)), 201)


def _checked(call: Call, data: dict[str, Any], but: int = 0) -> dict[str, Any]:
    columns = bodies.taken(call, data, _PARTS)
    if call.db.one("SELECT 1 FROM project_category WHERE name = ? AND id <> ?", columns.get("name"), but):
        raise JiraError(409, f"A project category with the name '{columns['name']}' already exists.")
    return columns


def edit(call: Call) -> Answer:
    """Another name or text."""
    call.need("ADMINISTER")
    row = _one(call)
    call.db.update("project_category", row["id"], _checked(call, call.object(), row["id"]))
    return one(call)


def delete(call: Call) -> Answer:
    """Gone; its projects have none then."""
    call.need("ADMINISTER")
    row = _one(call)
    with call.db.write():
        call.db.run("UPDATE project SET category = NULL WHERE category = ?", row["id"])
        call.db.run("DELETE FROM project_category WHERE id = ?", row["id"])
    return DONE


# --- types ------------------------------------------------------------------------------------

_TYPES: Final = {
    "product_discovery": ("Product Discovery", "#F5A623"),
    "software": ("Software", "#B12F6D"),
    "service_desk": ("Service Management", "#67AB49"),
    "business": ("Business", "#1D73A2"),
}


def types(call: Call) -> Answer:
    """The types of projects that there are."""
    return Answer([_type(call, key) for key in _TYPES])


def type_of(call: Call) -> Answer:
    """One type."""
    if call.part("type") not in _TYPES:
        raise JiraError(404, f"The project type with key '{call.part('type')}' does not exist.")
    return Answer(_type(call, call.part("type")))


def _type(_: Call, key: str) -> Shape:
    words, colour = _TYPES[key]
    named = f"jira.project.type.{key}.description"
    return {"key": key, "formattedKey": words, "descriptionI18nKey": named, "icon": "", "color": colour}


def templates(_: Call) -> Answer:
    """What Data Center's own pages ask for when somebody makes a project."""
    known = [plan for plan in TEMPLATES.values() if plan.kind != "service_desk" and not plan.next_gen]
    shown = [
        {"name": plan.title, "projectTemplateModuleCompleteKey": plan.keys[-1], "projectTypeKey": plan.kind}
        for plan in known
    ]
    return Answer({"projectTemplatesGroupedByType": [{"projectTemplates": shown}]})


_CATEGORY: Final = f"{API}/projectCategory"

ROUTES: Final = (
    Route("GET", _CATEGORY, every),
    Route("POST", _CATEGORY, create),
    Route("GET", f"{_CATEGORY}/{{id}}", one),
    Route("PUT", f"{_CATEGORY}/{{id}}", edit),
    Route("DELETE", f"{_CATEGORY}/{{id}}", delete),
    Route("GET", f"{API}/project/type", types, open=True),
    Route("GET", f"{API}/project/type/accessible", types),
    Route("GET", f"{API}/project/type/{{type}}", type_of, open=True),
    Route("GET", f"{API}/project/type/{{type}}/accessible", type_of),
    Route("GET", "/rest/project-templates/latest/templates", templates),
)
