"""People: found by what is known of them, and those whom an issue can be given to."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route
from integrations.sandbox.jira.database import Row

_GDPR: Final = (
    "The query parameter 'username' is not supported in GDPR strict mode."  # Cloud knows people by accountId only
)


def one(call: Call) -> Answer:
    """A person by accountId (Cloud), by name or key (Server)."""
    cloud = call.site.cloud
    reference = call.query("accountId") if cloud else call.query("username") or call.query("key")
    if not reference:
        need = "'accountId' query parameter needs" if cloud else "username or key query parameters need"
        raise JiraError(400, f"Either the {need} to be provided")
    row = shapes.find_account(call, {"accountId": reference, "name": reference})
    if row is None:
        raise JiraError(404, f"Specified user does not exist or you do not have required permissions: {reference}")
    return Answer(shapes.person(call, row))


def search(call: Call) -> Answer:
    """People whose name or address begins with the query."""
    return _found(call, _asked(call), everyone=True)


def assignable(call: Call) -> Answer:
    """People whom an issue of this project can be given to."""
    asked = _asked(call)
    key, issue = call.query("project"), call.query("issueKey")
    if not key and not issue:
        raise JiraError(400, "Either a project or an issue must be specified.")
    if key:
        call.project(key)
    else:
        call.issue(issue)
    return _found(call, asked, everyone=False)


def _asked(call: Call) -> str:
    if not call.site.cloud:
        return call.query("username")
    if "username" in call.request.query_params:
        raise JiraError(400, _GDPR)
    return call.query("query") or call.query("accountId")


def _found(call: Call, asked: str, *, everyone: bool) -> Answer:
    if everyone and not asked:
        need = "query, accountId or property" if call.site.cloud else "username"
        raise JiraError(400, f"The query parameter '{need}' must be provided.")
    rows = [row for row in call.db.all("SELECT * FROM account ORDER BY shown") if _matches(row, asked)]
    if not everyone or not call.site.cloud:
        rows = [row for row in rows if row["active"]]
    if not everyone:
        rows = [row for row in rows if row["kind"] == "atlassian"]
    start, most = call.number("startAt", 0), min(call.number("maxResults", 50), 1000)
    return Answer([shapes.person(call, row) for row in rows[start : start + most]])


def _matches(row: Row, asked: str) -> bool:
    """At the start of the name, of one of its words, of the address or the user name; a dot asks for everybody."""
    wanted = asked.casefold().strip()
    words = [row["shown"], *row["shown"].split(), row["email"], row["name"]]
    return wanted in {"", ".", row["id"]} or any(word.casefold().startswith(wanted) for word in words)


# --- watchers ---------------------------------------------------------------------------------


def watchers(call: Call) -> Answer:
    """Who follows an issue."""
    issue = call.issue(call.part("key"))
    rows = call.db.all(
        "SELECT a.* FROM watcher w JOIN account a ON a.id = w.account WHERE w.issue = ? ORDER BY a.shown", issue["id"]
    )
    return Answer(
        {
            "self": call.url(f"issue/{issue['key']}/watchers"),
            "isWatching": call.me in {row["id"] for row in rows},
            "watchCount": len(rows),
            "watchers": [shapes.person(call, row) for row in rows],
        }
    )


def watch(call: Call) -> Answer:
    """Follow an issue, oneself or somebody named by a bare JSON string."""
    if call.request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise JiraError(415, "Unsupported Media Type")
    issue = call.issue(call.part("key"))
    account = _reference(call, call.json() if call.raw.strip() else None)
    call.db.run("INSERT OR IGNORE INTO watcher (issue, account) VALUES (?, ?)", issue["id"], account)
    return DONE


def unwatch(call: Call) -> Answer:
    """Follow no longer."""
    issue = call.issue(call.part("key"))
    name = call.query("accountId" if call.site.cloud else "username")
    account = _reference(call, name or None)
    call.db.run("DELETE FROM watcher WHERE issue = ? AND account = ?", issue["id"], account)
    return DONE


def _reference(call: Call, value: object) -> str:
    if value is None:
        return call.me
    row = shapes.find_account(call, {"accountId": value, "name": value}) if isinstance(value, str) else None
    if row is None:
        raise JiraError(404 if call.site.cloud else 400, f'The user "{value}" does not exist.')
    return str(row["id"])


_API: Final = "/rest/api/{version}"

ROUTES: Final = (
    Route("GET", f"{_API}/user", one),
    Route("GET", f"{_API}/user/search", search),
    Route("GET", f"{_API}/user/assignable/search", assignable),
    Route("GET", f"{_API}/issue/{{key}}/watchers", watchers),
    Route("POST", f"{_API}/issue/{{key}}/watchers", watch),
    Route("DELETE", f"{_API}/issue/{{key}}/watchers", unwatch),
)
