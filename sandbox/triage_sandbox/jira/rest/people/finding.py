"""Endpoints that search people: by name, by permission in a project, and page by page."""

from collections.abc import Callable
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest.people import groups
from triage_sandbox.jira.shapes import Shape, marked

_OLD_NAMES: Final = ("username", "key", "userKey", "keys")
_MOST: Final = 1000
"""Also how far Cloud goes: the thousand and first of those who match is in no page."""
_MOST_CHOSEN: Final = 100
"""Data Center cuts the lists of people with a permission there, and turns no pages."""


def ask(call: Call, needed: str = "") -> str:
    """Return the query that a request sends. Cloud knows people by accountId; raises `JiraError` 400 without what is `needed`."""
    sent = call.request.query_params
    if not call.site.cloud:
        if needed and "username" not in sent:
            raise JiraError(400, "The username query parameter was not provided")
        return call.query("username")
    for name in _OLD_NAMES:
        if name in sent:
            raise JiraError(400, f"The query parameter '{name}' is not supported in GDPR strict mode.")
    if needed and not {"query", "accountId", "property"} & sent.keys():
        raise JiraError(400, f"The query parameter '{needed}' must be provided.")
    return call.query("accountId") or call.query("query")


def _found(call: Call, asked: str, fits: Callable[[Row], bool]) -> Answer:
    """A page of those who match and fit."""
    rows = [row for row in _everybody(call) if _matches(row, asked) and fits(row)]
    start, most = call.cut(largest=_MOST)
    return Answer([shapes.person(call, row) for row in rows[start : start + most]])


def _chosen(call: Call, asked: str, fits: Callable[[Row], bool]) -> Answer:
    """Those who match and fit, as Atlassian's documents warn: Cloud cuts the page before it looks who fits, Data Center
    gives the first hundred whatever page is asked for.
    """
    rows = [row for row in _everybody(call) if _matches(row, asked)]
    start, most = call.cut(largest=_MOST)
    if call.site.cloud:
        fitting = [row for row in rows[:_MOST][start : start + most] if fits(row)]
    else:
        fitting = [row for row in rows if fits(row)][: min(most, _MOST_CHOSEN)]
    return Answer([shapes.person(call, row) for row in fitting])


def _everybody(call: Call) -> list[Row]:
    return call.db.all("SELECT * FROM account ORDER BY shown") if call.may("USER_PICKER") else []


def _matches(row: Row, asked: str) -> bool:
    """At the start of the name, of one of its words, of the address or the user name; a dot asks for everybody."""
    wanted = asked.casefold().strip()
    words = [row["shown"], *row["shown"].split(), row["email"], row["name"]]
    return wanted in {"", ".", row["id"]} or any(word.casefold().startswith(wanted) for word in words)


def search(call: Call) -> Answer:
    """Return people whose name or address begins with the query."""
    asked = ask(call, "query, accountId or property")
    inactive = call.site.cloud or call.query("includeInactive") == "true"
    return _found(call, asked, lambda row: inactive or bool(row["active"]))


def everybody(call: Call) -> Answer:
    """Return a page of all accounts of the site, apps included."""
    return _found(call, "", lambda _: True)


def assignable(call: Call) -> Answer:
    """Return people who can be assigned in a project."""
    asked = ask(call)
    key, issue = call.query("project"), call.query("issueKey") or call.query("issueId")
    if not key and not issue:
        raise JiraError(400, "Either a project or an issue must be specified.")
    project = call.project(key)["id"] if key else call.issue(issue)["project"]
    return _chosen(call, asked, lambda row: permissions.assignable(call.db, row, project))


def assignable_everywhere(call: Call) -> Answer:
    """Return people who can be assigned in all of these projects."""
    asked = ask(call)
    keys = call.listed("projectKeys")
    if not keys:
        raise JiraError(400, "The projectKeys query parameter was not provided")
    projects = [call.project(key)["id"] for key in keys]
    return _chosen(call, asked, lambda row: all(permissions.assignable(call.db, row, project) for project in projects))


def viewers(call: Call) -> Answer:
    """Return people who may see an issue or a project."""
    return _chosen(call, ask(call, "username"), _allowed(call, ["BROWSE_PROJECTS"]))


def permitted(call: Call) -> Answer:
    """Return people who have all of these permissions, for an issue or in a project."""
    names = call.listed("permissions")
    if not names:
        raise JiraError(400, "The permissions query parameter was not provided")
    if unknown := [name for name in names if name not in permissions.KNOWN]:
        raise JiraError(400, f"Unrecognized permission: {unknown[0]}")
    return _found(call, ask(call), _allowed(call, names))


def _allowed(call: Call, names: list[str]) -> Callable[[Row], bool]:
    key, issue = call.query("projectKey"), call.query("issueKey")
    if not key and not issue:
        raise JiraError(400, "Either a project or an issue must be specified.")
    project = call.issue(issue)["project"] if issue else call.project(key)["id"]
    return lambda row: all(permissions.holds(call.db, row["id"], name, project) for name in names)


# --- pickers ----------------------------------------------------------------------------------


def picker(call: Call) -> Answer:
    """Return people by a part of their name, which is marked bold."""
    return Answer(_picked(call))


def both(call: Call) -> Answer:
    """Return people and groups by a part of their name."""
    return Answer({"users": _picked(call), "groups": groups.found(call)})


def _picked(call: Call) -> dict[str, Any]:
    if call.site.cloud:
        ask(call)
    asked, most = call.query("query"), call.number("maxResults", 50)
    left_out = {*call.listed("exclude"), *call.listed("excludeAccountIds")}
    rows = [
        row
        for row in _everybody(call)
        if row["active"] and _matches(row, asked) and not {row["id"], row["name"]} & left_out
    ]
    shown = [_choice(call, row, asked.casefold()) for row in rows[:most]]
    header = f"Showing {len(shown)} of {len(rows)} matching users"
    return {"users": shown, "total": len(rows), "header": header}


def _choice(call: Call, row: Row, asked: str) -> Shape:
    body = {"html": marked(row["shown"], asked), "displayName": row["shown"]}
    if call.site.cloud:
        return {"accountId": row["id"], "accountType": row["kind"], **body}
    html = f"{body['html']} - {marked(row['email'], asked)} ({marked(row['name'], asked)})"
    return {"name": row["name"], "key": shapes.user_key(row), **body, "html": html}


_USER: Final = f"{API}/user"

ROUTES: Final = (
    Route("GET", f"{_USER}/search", search),
    Route("GET", f"{_USER}s", everybody, only="cloud"),
    Route("GET", f"{_USER}s/search", everybody, only="cloud"),
    Route("GET", f"{_USER}/assignable/search", assignable),
    Route("GET", f"{_USER}/assignable/multiProjectSearch", assignable_everywhere),
    Route("GET", f"{_USER}/viewissue/search", viewers),
    Route("GET", f"{_USER}/permission/search", permitted),
    Route("GET", f"{_USER}/picker", picker),
    Route("GET", f"{API}/groupuserpicker", both),
)
