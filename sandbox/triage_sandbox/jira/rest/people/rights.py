"""Endpoints for permissions: the list, who holds them, and permission schemes."""

from typing import Any, Final

from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, lists, shows
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.permissions import GLOBAL, KNOWN, PROJECT
from triage_sandbox.jira.shapes import Shape


def _permission(call: Call, name: str) -> Shape:
    number, words = KNOWN[name]
    kind = "GLOBAL" if name in GLOBAL else "PROJECT"
    body = {"key": name, "name": words, "type": kind, "description": ""}
    return body if call.site.cloud else {"id": str(number), **body}


def every(call: Call) -> Answer:
    return Answer({"permissions": {name: _permission(call, name) for name in KNOWN}})


def mine(call: Call) -> Answer:
    """Return the caller's permissions, in a project, for an issue, or in any project."""
    asked = _known(call.listed("permissions"))
    if not asked:
        if call.site.cloud:
            raise JiraError(400, "The 'permissions' query parameter is required.")
        asked = list(KNOWN)
    project = _scope(call)
    body = {}
    for name in asked:
        held = call.may(name, project if name in PROJECT else None)
        body[name] = {"id": str(KNOWN[name][0]), **_permission(call, name), "havePermission": held}
    return Answer({"permissions": body})


def _scope(call: Call) -> int | None:
    """The project that the question is about."""
    if reference := call.query("projectKey") or call.query("projectId"):
        return int(call.project(reference)["id"])
    if reference := call.query("issueKey") or call.query("issueId"):
        return int(call.issue(reference)["project"])
    return None


def _known(names: list[str]) -> list[str]:
    for name in names:
        if name not in KNOWN:
            raise JiraError(400, f"Unrecognized permission: {name}")
    return names


def check(call: Call) -> Answer:
    """Return which of many permissions an account has."""
    data = call.object()
    account = str(data.get("accountId") or call.me)
    wanted = [name for name in _strings(data.get("globalPermissions")) if name in GLOBAL]
    held = [name for name in wanted if permissions.holds_globally(call.db, account, name)]
    asked = [part for part in items_of(data, "projectPermissions") if isinstance(part, dict)]
    in_projects = [
        {"permission": name, "projects": sorted(_within(call, account, name, part)), "issues": []}
        for part in asked
        for name in _known(_strings(part.get("permissions")))
    ]
    return Answer({"globalPermissions": held, "projectPermissions": in_projects})


def _within(call: Call, account: str, permission: str, part: dict[str, Any]) -> set[int]:
    allowed = permissions.projects_with(call.db, account, permission)
    return allowed & {int(number) for number in _strings(part.get("projects")) if number.isdecimal()}


def _strings(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def permitted(call: Call) -> Answer:
    """Return the projects in which the caller has all of these permissions."""
    names = _known(_strings(call.object().get("permissions")))
    if not names:
        raise JiraError(400, "At least one permission must be specified.")
    allowed = set.intersection(*(permissions.projects_with(call.db, call.me, name) for name in names))
    rows = [row for row in call.db.all("SELECT * FROM project ORDER BY key") if row["id"] in allowed]
    return Answer({"projects": [{"id": row["id"], "key": row["key"]} for row in rows]})


# --- permission schemes -----------------------------------------------------------------------


def _bare(call: Call, row: Row) -> Shape:
    body = {"expand": "permissions,user,group,projectRole,field,all", "id": row["id"]}
    self = call.url(f"permissionscheme/{row['id']}")
    return body | {"self": self, "name": row["name"], "description": row["description"]}


def _granted(call: Call, row: Row) -> list[Shape]:
    rows = call.db.all("SELECT * FROM permission_grant WHERE scheme = ? ORDER BY id", row["id"])
    return [_grant(call, grant) for grant in rows]


def _grant(call: Call, row: Row) -> Shape:
    """Groups are named to the eye and known by their id."""
    value, parameter = row["parameter"], row["parameter"]
    if row["holder"] == "group":
        parameter = call.db.value("SELECT name FROM crowd WHERE id = ?", row["parameter"])
    holder = {"type": row["holder"], **({"parameter": parameter} if parameter else {})}
    holder |= {"value": value} if value and call.site.cloud else {}
    self = call.url(f"permissionscheme/{row['scheme']}/permission/{row['id']}")
    return {"id": row["id"], "self": self, "holder": holder, "permission": row["permission"]}


def _schemes(call: Call) -> list[Row]:
    return call.db.all("SELECT * FROM permission_scheme ORDER BY id")


def _scheme(call: Call) -> Row:
    return call.entry("permission_scheme", call.part("scheme"), "Permission scheme with id {} was not found.")


def scheme(call: Call) -> Answer:
    """Return a permission scheme, with its grants if asked."""
    row = _scheme(call)
    return Answer(_bare(call, row) | {"permissions": _granted(call, row)})


def grants(call: Call) -> Answer:
    return Answer({"permissions": _granted(call, _scheme(call)), "expand": "user,group,projectRole,field,all"})


def _one(call: Call) -> Row:
    words = "The permission grant with id {} was not found."
    return call.entry("permission_grant", call.part("grant"), words, scheme=_scheme(call)["id"])


def add_grant(call: Call) -> Answer:
    """Grant a permission to a role, a group or an account."""
    row, data = _scheme(call), call.object()
    holder = data.get("holder")
    if str(data.get("permission")) not in PROJECT or not isinstance(holder, dict) or not holder.get("type"):
        raise JiraError(400, "A known permission and a holder with a type must be specified.")
    parameter = holder.get("value") or holder.get("parameter")
    if holder["type"] == "group":
        parameter = call.db.value("SELECT id FROM crowd WHERE id = ?1 OR name = ?1", str(parameter))
    columns = {"scheme": row["id"], "permission": data["permission"], "holder": str(holder["type"])}
    number = call.db.insert("permission_grant", columns | {"parameter": None if parameter is None else str(parameter)})
    return Answer(_grant(call, call.entry("permission_grant", number)), 201)


def remove_grant(call: Call) -> Answer:
    call.db.run("DELETE FROM permission_grant WHERE id = ?", _one(call)["id"])
    return DONE


def of_project(call: Call) -> Answer:
    project = call.project()
    return Answer(_bare(call, call.entry("permission_scheme", project["scheme"])))


_SCHEME: Final = f"{API}/permissionscheme"

ROUTES: Final = (
    Route("GET", f"{API}/permissions", every),
    Route("POST", f"{API}/permissions/check", check, only="cloud"),
    Route("POST", f"{API}/permissions/project", permitted, only="cloud"),
    Route("GET", f"{API}/mypermissions", mine),
    Route("GET", _SCHEME, lists(_bare, _schemes, "permissionSchemes")),
    Route("GET", f"{_SCHEME}/{{scheme}}", scheme),
    Route("GET", f"{_SCHEME}/{{scheme}}/permission", grants),
    Route("POST", f"{_SCHEME}/{{scheme}}/permission", add_grant, need="ADMINISTER"),
    Route("GET", f"{_SCHEME}/{{scheme}}/permission/{{grant}}", shows(_grant, _one)),
    Route("DELETE", f"{_SCHEME}/{{scheme}}/permission/{{grant}}", remove_grant, need="ADMINISTER"),
    Route("GET", f"{API}/project/{{key}}/permissionscheme", of_project),
)
