"""Endpoints for project categories, project types and project templates."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, lists
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.rest.kept import Kept
from triage_sandbox.jira.seed.templates import TEMPLATES
from triage_sandbox.jira.shapes import Shape


def category(call: Call, project: Row) -> Shape:
    """Return a project category as it stands inside the project."""
    return {"projectCategory": _shape(call, call.entry("project_category", project["category"]))}


def _shape(call: Call, row: Row) -> Shape:
    return shapes.named(call, "projectCategory", row, "description")


_KEPT: Final = Kept(
    table="project_category",
    shape=_shape,
    parts={
        "name": ("name", bodies.words(empty="The category name must be specified.")),
        "description": ("description", bodies.words(1000)),
    },
    missing="No project category with id '{}' was found.",
    twice="A project category with the name '{}' already exists.",
    free="UPDATE project SET category = NULL WHERE category = ?",
)


# --- types ------------------------------------------------------------------------------------

_TYPES: Final = {
    "product_discovery": ("Product Discovery", "#F5A623"),
    "software": ("Software", "#B12F6D"),
    "service_desk": ("Service Management", "#67AB49"),
    "business": ("Business", "#1D73A2"),
}


def type_of(call: Call) -> Answer:
    if call.part("type") not in _TYPES:
        raise JiraError(404, f"The project type with key '{call.part('type')}' does not exist.")
    return Answer(_type(call, call.part("type")))


def _type(_: Call, key: str) -> Shape:
    words, colour = _TYPES[key]
    named = f"jira.project.type.{key}.description"
    return {"key": key, "formattedKey": words, "descriptionI18nKey": named, "icon": "", "color": colour}


def templates(_: Call) -> Answer:
    """Return the project templates, as Data Center's own pages ask for them."""
    known = [plan for plan in TEMPLATES.values() if plan.kind != "service_desk" and not plan.next_gen]
    shown = [
        {"name": plan.title, "projectTemplateModuleCompleteKey": plan.keys[-1], "projectTypeKey": plan.kind}
        for plan in known
    ]
    return Answer({"projectTemplatesGroupedByType": [{"projectTemplates": shown}]})


_CATEGORY: Final = f"{API}/projectCategory"

ROUTES: Final = (
    Route("GET", _CATEGORY, _KEPT.every),
    Route("POST", _CATEGORY, _KEPT.create, need="ADMINISTER"),
    Route("GET", f"{_CATEGORY}/{{id}}", _KEPT.one),
    Route("PUT", f"{_CATEGORY}/{{id}}", _KEPT.edit, need="ADMINISTER"),
    Route("DELETE", f"{_CATEGORY}/{{id}}", _KEPT.delete, need="ADMINISTER"),
    Route("GET", f"{API}/project/type", lists(_type, lambda _: _TYPES), open=True),
    Route("GET", f"{API}/project/type/accessible", lists(_type, lambda _: _TYPES)),
    Route("GET", f"{API}/project/type/{{type}}", type_of, open=True),
    Route("GET", f"{API}/project/type/{{type}}/accessible", type_of),
    Route("GET", "/rest/project-templates/latest/templates", templates),
)
