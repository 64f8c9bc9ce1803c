"""Endpoints for saved filters; a filter is private until it is shared."""

from typing import Any, Final
from urllib.parse import quote_plus

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, lists, must, says, shows
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.jql.search import search
from triage_sandbox.jira.jql.syntax import JqlError
from triage_sandbox.jira.rest.search.search import asker_of
from triage_sandbox.jira.shapes import Shape

_HIDDEN: Final = (
    "The selected filter is not available to you, perhaps it has been deleted or had its permissions changed."
)
_EXPAND: Final = "description,owner,jql,viewUrl,searchUrl,favourite,favouritedCount,sharePermissions,subscriptions"
_BRIEF: Final = ("expand", "self", "id", "name")
"""What a search shows of each filter before anything is expanded."""


def of_path(call: Call) -> Row:
    return find(call, call.part("filter"))


def find(call: Call, number: str) -> Row:
    """Return a filter that the caller may see. Otherwise raises `JiraError`: 404 on Cloud, 400 on Data Center."""
    row = call.db.find("filter", id=number)
    if row is None or not seen(call, row):
        raise JiraError(404 if call.site.cloud else 400, _HIDDEN)
    return row


def seen(call: Call, row: Row) -> bool:
    """Tell whether the caller owns the filter or it is shared with the caller."""
    if call.user is None or row["owner"] == call.me:
        return call.user is not None
    return any(_admits(call, share) for share in call.db.all("SELECT * FROM share WHERE filter = ?", row["id"]))


def _admits(call: Call, share: Row) -> bool:
    match share["kind"]:
        case "project":
            return call.may("BROWSE_PROJECTS", share["project"])
        case "projectRole":
            return permissions.in_role(call.db, call.me, share["role"], share["project"])
        case "group":
            return permissions.in_group(call.db, call.me, share["crowd"])
        case "user":
            return bool(share["account"] == call.me)
        case _:
            return True


def own(call: Call) -> Row:
    """Return the filter that the path names, which the caller must own."""
    row = of_path(call)
    if row["owner"] != call.me:
        raise JiraError(403 if call.site.cloud else 400, "You are not the owner of this filter.")
    return row


def shape(call: Call, row: Row) -> Shape:
    cloud = call.site.cloud
    fans = {fan["account"] for fan in call.db.all("SELECT account FROM favourite WHERE filter = ?", row["id"])}
    path = "rest/api/3/search/jql" if cloud else "rest/api/2/search"
    nobody = {"size": 0, "items": [], "max-results": 1000, "start-index": 0, "end-index": 0}
    body = {
        "self": call.url(f"filter/{row['id']}"),
        "id": str(row["id"]),
        "name": row["name"],
        **({"description": row["description"]} if row["description"] else {}),
        "owner": shapes.user(call, row["owner"]),
        "jql": row["jql"],
        "viewUrl": f"{call.base}/issues/?filter={row['id']}",
        "searchUrl": f"{call.base}/{path}?jql={quote_plus(row['jql'])}",
        "favourite": call.me in fans,
        "sharePermissions": shares(call, row),
        "sharedUsers": nobody,
        "subscriptions": nobody,
    }
    if cloud:
        return body | {"favouritedCount": len(fans), "editPermissions": []}
    return body | {"editable": call.me == row["owner"]}


def shares(call: Call, row: Row) -> list[Shape]:
    return [_share(call, share) for share in call.db.all("SELECT * FROM share WHERE filter = ? ORDER BY id", row["id"])]


def _share(call: Call, row: Row) -> Shape:
    body: Shape = {"id": row["id"], "type": row["kind"]}
    if row["project"] is not None:
        body["project"] = shapes.project(call, call.entry("project", row["project"]))
    for name, table in (("role", "role"), ("group", "crowd")):
        if row[table] is not None:
            body[name] = {"name": call.db.value(f"SELECT name FROM {table} WHERE id = ?", row[table])}
    return body | ({"user": shapes.user(call, row["account"])} if row["account"] is not None else {})


def create(call: Call) -> Answer:
    data = call.object()
    columns = _columns(call, data, {"name": "", "jql": "", "description": ""}, None)
    number = call.db.insert("filter", {"owner": call.me, **columns})
    _beside(call, number, data)
    return Answer(shape(call, call.entry("filter", number)))


def change(call: Call) -> Answer:
    """Update a filter; fields that are not sent stay."""
    row, data = own(call), call.object()
    columns = _columns(call, data, dict(row), row["id"])
    call.db.update("filter", row["id"], columns)
    if "sharePermissions" in data:
        call.db.run("DELETE FROM share WHERE filter = ?", row["id"])
    _beside(call, row["id"], data)
    return Answer(shape(call, call.entry("filter", row["id"])))


def _columns(call: Call, data: dict[str, Any], kept: dict[str, Any], number: int | None) -> dict[str, str]:
    """What was sent, checked."""
    sent = {name: str(data.get(name) or kept[name]).strip() for name in ("name", "jql", "description")}
    if not sent["name"]:
        raise JiraError(400, errors={"filterName": "You must specify a name to save this filter as."})
    same = "SELECT 1 FROM filter WHERE name = ? AND owner = ? AND id IS NOT ?"
    if call.db.one(same, sent["name"], call.me, number) is not None:
        raise JiraError(400, errors={"filterName": "Filter with same name already exists."})
    try:
        search(sent["jql"], asker_of(call))
    except JqlError as e:
        raise JiraError(400, str(e)) from None
    return sent


def _beside(call: Call, number: int, data: dict[str, Any]) -> None:
    """What was sent of stars and shares."""
    wanted = str(data.get("favourite")).casefold()  # some clients write it as a word
    if wanted in {"true", "false"}:
        favour(call, number, wanted=wanted == "true")
    for sent in items_of(data, "sharePermissions"):
        add_share(call, number, sent)


def favour(call: Call, number: int, *, wanted: bool) -> None:
    """Set whether the filter is a favourite of the caller."""
    sql = "INSERT OR IGNORE INTO favourite (filter, account) VALUES (?, ?)"
    call.db.run(sql if wanted else "DELETE FROM favourite WHERE filter = ? AND account = ?", number, call.me)


def add_share(call: Call, number: int, sent: Any) -> None:
    sent = sent if isinstance(sent, dict) else {}
    kind = {"authenticated": "loggedin"}.get(str(sent.get("type")), str(sent.get("type")))
    row: dict[str, Any] = {"filter": number, "kind": kind}
    if kind in {"project", "projectRole"}:
        row["project"] = call.project(_named(sent, "project", "projectId"))["id"]
    if kind == "projectRole":
        row["role"] = _found(call, "role", _named(sent, "role", "projectRoleId"))
    elif kind == "group":
        row["crowd"] = _found(call, "crowd", _named(sent, "group", "groupname", "groupId"))
    elif kind == "user":
        name = _named(sent, "user", "accountId" if call.site.cloud else "userKey")
        person = must(call.account(name), f"The user '{name}' does not exist.", 400)
        row["account"] = person["id"]
    elif kind not in {"global", "loggedin", "project"}:
        raise JiraError(400, f"'{sent.get('type')}' is not a valid share type.")
    call.db.insert("share", row)


def _named(sent: dict[str, Any], inside: str, *names: str) -> str:
    """What a share permission means: by a name of its own, or as the object that Jira shows."""
    shown = sent.get(inside)
    parts = [shown.get(part) for part in ("id", "name", "accountId", "key")] if isinstance(shown, dict) else []
    return str(next((value for value in (*(sent.get(name) for name in names), *parts) if value), ""))


def _found(call: Call, table: str, name: str) -> Any:
    found = call.db.value(f"SELECT id FROM {table} WHERE name = ?1 OR id = ?1", name)
    return must(found, f"{'Role' if table == 'role' else 'Group'}: '{name}' does not exist.", 400)


def remove(call: Call) -> Answer:
    """Delete a filter; refused while a board shows it."""
    row = own(call)
    if call.db.one("SELECT 1 FROM board WHERE filter = ?", row["id"]) is not None:
        raise JiraError(400, "This filter is used by a board and cannot be deleted.")
    call.db.run("DELETE FROM filter WHERE id = ?", row["id"])
    return DONE


# --- lists ------------------------------------------------------------------------------------


def _mine(call: Call) -> list[Row]:
    return call.db.all("SELECT * FROM filter WHERE owner = ? ORDER BY name", call.me)


def _favourites(call: Call) -> list[Row]:
    sql = "SELECT f.* FROM filter f JOIN favourite s ON s.filter = f.id WHERE s.account = ? ORDER BY f.name"
    return [row for row in call.db.all(sql, call.me) if seen(call, row)]


def found(call: Call) -> Answer:
    """Return a page of filters by name, owner, id or project."""
    rows = [row for row in call.db.all("SELECT * FROM filter ORDER BY name, id") if seen(call, row)]
    rows = [row for row in rows if _asked_for(call, row)]
    start, most = call.cut(largest=100, least=1)
    wanted = {*_BRIEF, *call.listed("expand")}
    bodies = [{"expand": _EXPAND, **shape(call, row), "subscriptions": []} for row in rows[start : start + most]]
    values = [{name: part for name, part in each.items() if name in wanted} for each in bodies]
    page = {"maxResults": most, "startAt": start, "total": len(rows), "isLast": start + most >= len(rows)}
    return Answer({"self": str(call.request.url), **page, "values": values})


def _asked_for(call: Call, row: Row) -> bool:
    owner, ids, project = call.query("accountId") or call.query("owner"), call.listed("id"), call.query("projectId")
    shared = "SELECT 1 FROM share WHERE filter = ? AND project = ?"
    return (
        call.query("filterName").strip('"').casefold() in row["name"].casefold()
        and owner in {"", row["owner"]}
        and (not ids or str(row["id"]) in ids)
        and (not project or call.db.one(shared, row["id"], project) is not None)
    )


_FILTER: Final = f"{API}/filter"
ONE: Final = f"{_FILTER}/{{filter}}"

ROUTES: Final = (
    Route("POST", _FILTER, create),
    Route("GET", f"{_FILTER}/my", lists(shape, _mine), only="cloud"),
    Route("GET", f"{_FILTER}/favourite", lists(shape, _favourites)),
    Route("GET", f"{_FILTER}/search", found, only="cloud"),
    Route("GET", f"{_FILTER}/defaultShareScope", says({"scope": "PRIVATE"})),
    Route("GET", ONE, shows(shape, of_path)),
    Route("PUT", ONE, change),
    Route("DELETE", ONE, remove),
)
