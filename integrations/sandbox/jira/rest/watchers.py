"""Watchers: who follows an issue."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route


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
    if account != call.me:
        call.need("MANAGE_WATCHERS", issue["project"])
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


_WATCHERS: Final = f"{API}/issue/{{key}}/watchers"

ROUTES: Final = (
    Route("GET", _WATCHERS, watchers),
    Route("POST", _WATCHERS, watch),
    Route("DELETE", _WATCHERS, unwatch),
)
