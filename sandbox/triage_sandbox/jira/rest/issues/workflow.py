"""Endpoints for transitions: which are possible, which fields each asks for, and performing one."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, must
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import issues
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.fields.forms import Form
from triage_sandbox.jira.issue.fields.writing import Values
from triage_sandbox.jira.rest.issues import beside
from triage_sandbox.jira.seed.templates import SIMPLIFIED
from triage_sandbox.jira.shapes import Shape

_DONE_SCREEN: Final = "resolution! assignee fixVersions"


def _steps(call: Call, row: Row) -> list[Row]:
    """The transitions that leave the issue's status, by the project's own workflow where it has one."""
    if not call.may("TRANSITION_ISSUES", row["project"]):
        return []
    return projects.ways(call.db, row["project"], row["status"])


def _screen(call: Call, project: Row, step: Row, target: Row) -> tuple[str, frozenset[str]]:
    """The fields a transition asks for, and those without which it does not go.

    Data Center's classic workflow asks for the resolution; the simplified ones, of which boards make their projects, and
    Cloud's ask for nothing.
    """
    classic = not call.site.cloud and project["template"] not in SIMPLIFIED
    usual = _DONE_SCREEN if target["category"] == "done" and classic else ""
    names = str(usual if step["screen"] is None else step["screen"]).split()
    return " ".join(name.rstrip("!") for name in names), frozenset(name[:-1] for name in names if name.endswith("!"))


def shape(call: Call, row: Row, step: Row, *, with_fields: bool) -> Shape:
    target = call.entry("status", step["target"])
    project = call.entry("project", row["project"])
    names, needed = _screen(call, project, step, target)
    screen = fields.on_screen(call, project, names)
    shown: Shape = {"id": str(step["id"]), "name": step["name"], "to": shapes.status(call, target)}
    if call.site.cloud:
        shown |= {
            "hasScreen": bool(screen),
            "isGlobal": False,
            "isInitial": False,
            "isAvailable": True,
            "isConditional": False,
            "isLooped": step["source"] == step["target"],
        }
    if with_fields:
        metas = {each.id: each.meta(call, project, required=each.id in needed, with_id=False) for each in screen}
        shown["fields"] = metas
    return shown


def ways(call: Call, row: Row, *, with_fields: bool) -> list[Shape]:
    """Return the transitions that an issue can take."""
    return [shape(call, row, step, with_fields=with_fields) for step in _steps(call, row)]


def listed(call: Call) -> Answer:
    """Return the transitions that the issue can take."""
    row = call.issue()
    asked = call.query("transitionId")
    shown = ways(call, row, with_fields="transitions.fields" in call.listed("expand"))
    return Answer({"expand": "transitions", "transitions": [way for way in shown if asked in {"", way["id"]}]})


def go(call: Call) -> Answer:
    """Carry out a transition."""
    row, data = call.issue(), call.object()
    step = _chosen(call, row, data.get("transition"))
    target = call.entry("status", step["target"])
    project = call.entry("project", row["project"])
    names, needed = _screen(call, project, step, target)
    screen = fields.on_screen(call, project, names)
    form = Form(call, project, screen, row).fill(data)
    for field in screen:
        if field.id in needed and not _known(row, form, field):
            form.errors.setdefault(field.id, f"Field {field.name} is required.")
    values = form.complete()
    issues.change(call, row, moved(call, row, target) | values)
    beside.add(call, row, data)
    return DONE


def _known(row: Row, form: Form, field: Field) -> bool:
    """Said now, or before: a value that is there need not be told again; a resolution is always asked for."""
    if field.id == "resolution":
        return form.values.get(field.id) is not None
    if field.id in form.values:
        return bool(form.values[field.id])
    if "add" in field.operations or field.custom:
        return bool(form.held(field))
    return field.id in row.keys() and row[field.id] is not None  # noqa: SIM118 - `in` looks at a Row's values


def _chosen(call: Call, row: Row, sent: Any) -> Row:
    wanted = str(sent.get("id", "")) if isinstance(sent, dict) else ""
    if not wanted:
        raise JiraError(400, "Missing 'transition' identifier")
    step = next((step for step in _steps(call, row) if str(step["id"]) == wanted), None)
    return must(step, f"Transition id '{wanted}' is not valid for this issue.", 400)


def moved(call: Call, row: Row, target: Row) -> Values:
    """Return the columns that a new status sets, resolution included."""
    now = call.site.now()
    values: Values = {"status": target["id"]}
    if call.entry("status", row["status"])["category"] == target["category"]:
        return values
    done = target["category"] == "done"
    first = call.db.value("SELECT id FROM resolution ORDER BY rank LIMIT 1")
    return values | {"moved": now, "resolution": first if done else None, "resolved": now if done else None}


_PATH: Final = f"{API}/issue/{{key}}/transitions"

ROUTES: Final = (Route("GET", _PATH, listed), Route("POST", _PATH, go))
