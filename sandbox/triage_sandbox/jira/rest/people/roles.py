"""Endpoints for project roles and their members; the permission scheme grants rights to roles."""

from collections.abc import Iterable
from typing import Any, Final

from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, shows
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest import bodies
from triage_sandbox.jira.rest.kept import Kept
from triage_sandbox.jira.shapes import Shape

_USER: Final = "atlassian-user-role-actor"
_GROUP: Final = "atlassian-group-role-actor"
_TEAMS: Final = {
    permissions.ADMINISTRATORS: "Administrator",
    permissions.MEMBERS: "Member",
    permissions.DEVELOPERS: "Viewer",
}
"""The names that roles have in a project that its team manages."""
_NAMES: Final = {_USER: "user", _GROUP: "group", f"{_GROUP}-id": "groupId"}
"""What a replacement calls each kind of actor, and what an addition and a removal do."""


# --- the site's -------------------------------------------------------------------------------


def _bare(call: Call, row: Row, project: Row | None = None) -> Shape:
    """A role without its actors, seen from the site or from a project."""
    where = f"project/{project['id']}/" if project else ""
    body = {"self": call.url(f"{where}role/{row['id']}"), "name": _name(call, row, project), "id": row["id"]}
    scope = (
        {"scope": {"type": "PROJECT", "project": {"id": str(project["id"])}}}
        if project and _teams(call, project)
        else {}
    )
    return body | {"description": row["description"]} | scope


def _teams(call: Call, project: Row) -> bool:
    """A project that its team manages has roles of its own; Data Center knows none such."""
    return call.site.cloud and project["style"] == "next-gen"


def _name(call: Call, row: Row, project: Row | None) -> str:
    return str(_TEAMS.get(row["id"], row["name"]) if project and _teams(call, project) else row["name"])


def _of_site(call: Call, row: Row) -> Shape:
    return _bare(call, row) | {"actors": []}


_KEPT: Final = Kept(
    table="role",
    shape=_of_site,
    parts={
        "name": ("name", bodies.words(empty="The role name must not be empty.")),
        "description": ("description", bodies.words(4000)),
    },
    missing="Can not retrieve a role with id {}.",
    twice="A project role with name '{}' already exists.",
    made=200,
)


def _role(call: Call) -> Row:
    """The role that the path means; of a project only for those who see the project."""
    if "key" in call.request.path_params:
        call.project()
    return _KEPT.find(call, call.part("role"))


def defaults(call: Call) -> Answer:
    """Return the default actors of a role, and nothing else of it."""
    _role(call)
    return Answer({"actors": []})


# --- a project's ------------------------------------------------------------------------------


def of_project(call: Call) -> Answer:
    """Return role name → URL of the role in a project."""
    project = call.project()
    roles = {_name(call, row, project): row["id"] for row in _in(call, project)}
    return Answer({name: call.url(f"project/{project['id']}/role/{number}") for name, number in roles.items()})


def _in(call: Call, project: Row) -> list[Row]:
    """The roles that there are in a project: a team has its three, and none of the site's own."""
    return [row for row in _KEPT.rows(call) if row["id"] in _TEAMS or not _teams(call, project)]


def details(call: Call) -> Answer:
    """Return the roles of a project, or those that the caller has."""
    project = call.project()
    mine = call.query("currentMember") == "true"
    rows = [
        row for row in _in(call, project) if not mine or permissions.in_role(call.db, call.me, row["id"], project["id"])
    ]
    return Answer([_detail(call, project, row) for row in rows])


def _detail(call: Call, project: Row, row: Row) -> Shape:
    administers = row["id"] == permissions.ADMINISTRATORS
    body = {
        "admin": administers,
        "default": administers,
        "roleConfigurable": True,
        "translatedName": _name(call, row, project),
    }
    return _bare(call, row, project) | body


def _filled(call: Call, role: Row) -> Shape:
    """A role and who has it in the project that the path means."""
    project = call.project()
    rows = call.db.all("SELECT * FROM actor WHERE project = ? AND role = ? ORDER BY id", project["id"], role["id"])
    return _bare(call, role, project) | {"actors": [_actor(call, row) for row in rows]}


def _actor(call: Call, row: Row) -> Shape:
    """Somebody with a role; Data Center knows them by name, Cloud by id."""
    cloud = call.site.cloud
    if row["crowd"] is not None:
        group = call.entry("crowd", row["crowd"])
        body = {"id": row["id"], "displayName": group["name"], "type": _GROUP, "name": group["name"]}
        whole = {"name": group["name"], "displayName": group["name"], "groupId": group["id"]}
        return body | ({"actorGroup": whole} if cloud else {})
    account = call.entry("account", row["account"])
    body = {"id": row["id"], "displayName": account["shown"], "type": _USER}
    if cloud:
        return body | {"actorUser": {"accountId": account["id"]}}
    return body | {"name": account["name"]}


def add(call: Call) -> Answer:
    return _changed(call, call.object(), replace=False)


def replace(call: Call) -> Answer:
    sent = call.object().get("categorisedActors")
    data = sent if isinstance(sent, dict) else {}
    return _changed(call, {_NAMES[kind]: names for kind, names in data.items() if kind in _NAMES}, replace=True)


def _changed(call: Call, data: dict[str, Any], *, replace: bool) -> Answer:
    project, role = call.project(), _role(call)
    named = {kind: _names(data.get(kind)) for kind in _NAMES.values()}
    if not replace and not any(named.values()):
        raise JiraError(400, "You must specify at least one user or group to add to the role.")
    found = list(_actors(call, named))
    if replace:
        call.db.run("DELETE FROM actor WHERE project = ? AND role = ?", project["id"], role["id"])
    for column, key in found:
        sql = f"INSERT OR IGNORE INTO actor (project, role, {column}) VALUES (?, ?, ?)"
        call.db.run(sql, project["id"], role["id"], key)
    return Answer(_filled(call, role))


def _names(value: Any) -> list[str]:
    return [str(name) for name in (value if isinstance(value, list) else [value]) if name]


def _actors(call: Call, named: dict[str, list[str]]) -> Iterable[tuple[str, str]]:
    """Column and key of all who are named. 404 for whom nobody knows."""
    for kind, names in named.items():
        for name in names:
            row = call.account(name) if kind == "user" else permissions.group(call.db, name)
            if row is None:
                words = f"We can't find '{name}' in any accessible user directory."
                raise JiraError(404, f"{words} Check they're still active and available, and try again.")
            yield ("account" if kind == "user" else "crowd"), row["id"]


def remove(call: Call) -> Answer:
    """Remove an actor; 204 also if the role did not have it."""
    project, role = call.project(), _role(call)
    user, group = call.query("user"), call.query("group") or call.query("groupId")
    if not user and not group:
        raise JiraError(400, "A user or a group must be specified.")
    found = call.account(user) if user else permissions.group(call.db, group)
    if found is not None:
        column = "account" if user else "crowd"
        sql = f"DELETE FROM actor WHERE project = ? AND role = ? AND {column} = ?"
        call.db.run(sql, project["id"], role["id"], found["id"])
    return DONE


_IN_PROJECT: Final = f"{API}/project/{{key}}/role/{{role}}"

ROUTES: Final = (
    Route("GET", f"{API}/role", _KEPT.every, need="ADMINISTER"),
    Route("POST", f"{API}/role", _KEPT.create, need="ADMINISTER"),
    Route("GET", f"{API}/role/{{id}}", _KEPT.one, need="ADMINISTER"),
    Route("DELETE", f"{API}/role/{{id}}", _KEPT.delete, need="ADMINISTER"),
    Route("GET", f"{API}/role/{{role}}/actors", defaults, need="ADMINISTER"),
    Route("GET", f"{API}/project/{{key}}/role", of_project),
    Route("GET", f"{API}/project/{{key}}/roledetails", details, only="cloud"),
    Route("GET", _IN_PROJECT, shows(_filled, _role)),
    Route("POST", _IN_PROJECT, add, need="ADMINISTER_PROJECTS"),
    Route("PUT", _IN_PROJECT, replace, need="ADMINISTER_PROJECTS"),
    Route("DELETE", _IN_PROJECT, remove, need="ADMINISTER_PROJECTS"),
)
