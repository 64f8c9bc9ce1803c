"""Endpoints for projects: search, create from a template, change, delete with all issues."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, lists, shows
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.permissions import projects_with
from triage_sandbox.jira.issue import issues
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.rest import bodies, properties
from triage_sandbox.jira.rest.projects import categories, naming, versions
from triage_sandbox.jira.seed import templates
from triage_sandbox.jira.shapes import Shape

_NO_LEAD: Final = "You must specify a valid project lead."
_PARTS: Final[bodies.Parts] = {
    "name": ("name", bodies.words()),
    "description": ("description", bodies.words(32_767)),
    "url": ("url", bodies.words()),
    "lead": ("lead", bodies.somebody(_NO_LEAD)),
    "leadAccountId": ("lead", bodies.somebody(_NO_LEAD)),
    "assigneeType": ("assigning", bodies.one_of("PROJECT_LEAD", "UNASSIGNED")),
}
_LEVELS: Final = {-1: "Subtask", 0: "Base", 1: "Epic"}
_ACTIONS: Final = {"view": "BROWSE_PROJECTS", "browse": "BROWSE_PROJECTS", "create": "CREATE_ISSUES"}
_ORDERS: Final = {
    "name": "name COLLATE NOCASE",
    "owner": "lead",
    "category": "category",
    "issueCount": "(SELECT count(*) FROM issue WHERE project = project.id)",
    "lastIssueUpdatedDate": "(SELECT max(updated) FROM issue WHERE project = project.id)",
}


# --- how they are shown -----------------------------------------------------------------------


def brief(call: Call, row: Row) -> Shape:
    """Return a project as lists show it, with what `expand` asks for."""
    cloud = call.site.cloud
    body: Shape = {
        "expand": "description,lead,issueTypes,url,projectKeys,permissions,insight"
        if cloud
        else "description,lead,url,projectKeys",
        **shapes.project(call, row),
        **(categories.category(call, row) if row["category"] is not None else {}),
    }
    body |= {"style": row["style"], "isPrivate": False, "properties": {}} if cloud else {}
    more: Mapping[str, Callable[[], Any]] = {
        "description": lambda: row["description"],
        "lead": lambda: shapes.user(call, row["lead"]),
        "issueTypes": lambda: fields.types(call, row),
        "url": lambda: row["url"],
        "projectKeys": lambda: [row["key"]],
    }
    return body | {name: more[name]() for name in call.listed("expand") if name in more}


def full(call: Call, row: Row) -> Shape:
    roles = call.db.all("SELECT * FROM role ORDER BY name")
    parts = {name: _parts(call, name, row) for name in ("component", "version")}
    shape = brief(call, row) | {
        "description": row["description"],
        "lead": shapes.user(call, row["lead"]),
        "components": [shapes.component(call, part) for part in parts["component"]],
        "issueTypes": fields.types(call, row),
        "assigneeType": row["assigning"],
        "versions": [versions.shape(call, part) for part in parts["version"]],
        "roles": {role["name"]: call.url(f"project/{row['id']}/role/{role['id']}") for role in roles},
    }
    return shape | ({"url": row["url"]} if row["url"] else {})


def _parts(call: Call, table: str, project: Row) -> list[Row]:
    order = {"component": "name", "version": "rank, id"}[table]
    return call.db.all(f"SELECT * FROM {table} WHERE project = ? ORDER BY {order}", project["id"])


# --- reading ----------------------------------------------------------------------------------


def _visible(call: Call, order: str = "key", permission: str = "BROWSE_PROJECTS") -> list[Row]:
    """What the caller sees: nothing for strangers."""
    mine = set() if call.user is None else projects_with(call.db, call.me, permission)
    return [row for row in call.db.all(f"SELECT * FROM project ORDER BY {order}") if row["id"] in mine]


def search(call: Call) -> Answer:
    """Return a page of projects, filtered by the query."""
    order = call.query("orderBy")
    column = _ORDERS.get(order.lstrip("+-"), "key")
    permission = _ACTIONS.get(
        call.query("action"), "ADMINISTER_PROJECTS" if call.query("action") else "BROWSE_PROJECTS"
    )
    rows = _visible(call, f"{column} {'DESC' if order.startswith('-') else 'ASC'}", permission)
    return Answer(call.page([row for row in rows if _asked_for(call, row)], brief))


def picker(call: Call) -> Answer:
    """Return projects by a part of their name or key, which is marked bold."""
    text, most = call.query("query").strip(), call.number("maxResults", 100) or 100
    rows = [row for row in _visible(call) if _asked_for(call, row)] if text or call.query("allowEmptyQuery") else []
    shown = [
        {"id": str(row["id"]), "key": row["key"], "name": row["name"]}
        | {"html": f"{shapes.marked(row['name'], text)} ({shapes.marked(row['key'], text)})"}
        for row in rows[: max(0, min(most, 100))]
    ]
    header = f"Showing {len(shown)} of {len(rows)} matching projects"
    return Answer({"projects": shown, "total": len(rows), "header": header})


def _asked_for(call: Call, row: Row) -> bool:
    text = call.query("query").strip().casefold()
    wanted = {"key": call.listed("keys"), "id": call.listed("id"), "kind": call.listed("typeKey")}
    wanted["category"] = call.listed("categoryId")
    fits = all(not values or str(row[name]) in values for name, values in wanted.items())
    return fits and (text in row["name"].casefold() or text in row["key"].casefold())


def statuses(call: Call) -> Answer:
    """Return the statuses of each issue type, which share the project's workflow."""
    project = call.project()
    states = [shapes.status(call, row) for row in projects.states(call.db, project["id"])]
    return Answer(
        [
            {name: kind[name] for name in ("self", "id", "name", "subtask")} | {"statuses": states}
            for kind in fields.types(call, project)
        ]
    )


def hierarchy(call: Call) -> Answer:
    """Return the levels of issue types; company-managed projects share the site's."""
    project = call.project()
    if project["style"] != "next-gen":
        raise JiraError(404, f"Project with id {project['id']} is not simplified.")
    levels: dict[int, list[Shape]] = {}
    for row in projects.kinds(call.db, project["id"]):
        level = shapes.issue_type(call, row)["hierarchyLevel"]
        levels.setdefault(level, []).append({"id": row["id"], "name": row["name"]})
    levels_body = [
        {"level": level, "name": _LEVELS[level], "issueTypes": kinds} for level, kinds in sorted(levels.items())
    ]
    return Answer({"projectId": project["id"], "hierarchy": levels_body})


# --- writing ----------------------------------------------------------------------------------


def create(call: Call) -> Answer:
    """Create a project with issue types, workflow and roles."""
    data = call.object()
    errors = _wrong(call, data)
    template = templates.template_of(str(data.get("projectTemplateKey") or ""), str(data.get("projectTypeKey") or ""))
    template = template or templates.template_of("", str(data.get("projectTypeKey") or "software"))
    if template is None:
        errors["projectTypeKey"] = "An invalid project type was specified. Make sure the project type is valid."
    columns = _columns(call, data, errors)
    if columns.get("lead") is None:
        errors.setdefault("projectLead", _NO_LEAD)
    if errors or template is None:
        raise JiraError(400, errors=errors)
    project = templates.make(call.db, {"key": data["key"], "assigning": "PROJECT_LEAD", **columns}, template)
    return Answer({"self": call.url(f"project/{project}"), "id": project, "key": data["key"]}, 201)


def _columns(call: Call, data: dict[str, Any], errors: dict[str, str]) -> dict[str, Any]:
    """What a body sets, with whatever is wrong in it added to the errors, under the names that forms have."""
    columns: dict[str, Any] = {}
    try:
        columns = bodies.taken(call, data, _PARTS)
    except JiraError as e:
        named = {"name": "projectName", "lead": "projectLead", "leadAccountId": "projectLead"}
        errors |= {named.get(name, name): words for name, words in e.errors.items()} | errors
    for name, table, column in (
        ("categoryId", "project_category", "category"),
        ("permissionScheme", "permission_scheme", "scheme"),
    ):
        if data.get(name) is not None:
            found = call.db.value(f"SELECT id FROM {table} WHERE id = ?", str(data[name]))
            columns |= {} if found is None else {column: found}
    return columns


def _wrong(call: Call, data: dict[str, Any], but: int = 0) -> dict[str, str]:
    """What is wrong with a key and a name."""
    key, name = data.get("key"), data.get("name")
    found = {
        "projectKey": None if but and key is None else naming.key_trouble(call, key, but),
        "projectName": None if but and name is None else naming.name_trouble(call, name, but),
    }
    return {field: words for field, words in found.items() if words}


def edit(call: Call) -> Answer:
    """Update name, key, lead, category or schemes."""
    row, data = call.project(), call.object()
    errors = _wrong(call, data, row["id"])
    columns = _columns(call, data, errors)
    if errors:
        raise JiraError(400, errors=errors)
    columns |= {"key": data["key"]} if data.get("key") else {}
    call.db.update("project", row["id"], columns)
    return Answer(full(call, call.entry("project", row["id"])))


def _owner(call: Call) -> tuple[str, int, str]:
    """Whose properties a path means."""
    row = call.project()
    return "project", row["id"], call.url(f"project/{row['key']}")


def delete(call: Call) -> Answer:
    row = call.project()
    if not call.may("ADMINISTER"):
        words = "You do not have the required permission to delete this project."
        raise JiraError(404 if call.site.cloud else 401, words)
    for issue in call.db.all("SELECT * FROM ticket WHERE project = ?", row["id"]):
        issues.remove(call, issue)
    for table in ("component", "version", "transition", "old_key", "security_level"):
        call.db.run(f"DELETE FROM {table} WHERE project = ?", row["id"])
    call.db.run("DELETE FROM property WHERE entity = 'project' AND owner = ?", row["id"])
    call.db.run("DELETE FROM project WHERE id = ?", row["id"])
    call.db.run("DELETE FROM filter WHERE name = ?", f"Filter for {row['key']} board")
    return DONE


_ONE: Final = f"{API}/project/{{key}}"

ROUTES: Final = (
    Route("GET", f"{API}/project", lists(brief, _visible), open=True),
    Route("POST", f"{API}/project", create, need="ADMINISTER"),
    Route("GET", f"{API}/project/search", search, open=True, only="cloud"),
    Route("GET", f"{API}/projects/picker", picker, only="server"),
    Route("GET", _ONE, shows(full, Call.project), open=True),
    Route("PUT", _ONE, edit, need="ADMINISTER_PROJECTS"),
    Route("DELETE", _ONE, delete),
    Route("GET", f"{_ONE}/statuses", statuses, open=True),
    Route("GET", f"{_ONE}/hierarchy", hierarchy, only="cloud"),
    *properties.routes(_ONE, _owner, need="ADMINISTER_PROJECTS"),
)
