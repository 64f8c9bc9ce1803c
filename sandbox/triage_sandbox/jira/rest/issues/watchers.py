"""Endpoints for the watchers and voters of an issue."""

from typing import Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, Handler, JiraError, Route, must


def _listed(table: str, path: str, mine: str, count: str, people: str) -> Handler:
    """Who they are, how many, and whether the caller is among them."""

    def handler(call: Call) -> Answer:
        issue = call.issue()
        sql = f"SELECT a.* FROM {table} t JOIN account a ON a.id = t.account WHERE t.issue = ? ORDER BY a.shown"
        rows = call.db.all(sql, issue["id"])
        body = {"self": call.url(f"issue/{issue['key']}/{path}"), mine: call.me in {row["id"] for row in rows}}
        return Answer(body | {count: len(rows), people: [shapes.person(call, row) for row in rows]})

    return handler


def watch(call: Call) -> Answer:
    """Add the caller, or the person in a bare JSON string, as watcher."""
    if call.request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise JiraError(415, "Unsupported Media Type")
    issue = call.issue()
    account = _reference(call, call.json() if call.raw.strip() else None)
    if account != call.me:
        call.need("MANAGE_WATCHERS", issue["project"])
    call.db.run("INSERT OR IGNORE INTO watcher (issue, account) VALUES (?, ?)", issue["id"], account)
    return DONE


def unwatch(call: Call) -> Answer:
    issue = call.issue()
    name = call.query("accountId" if call.site.cloud else "username")
    account = _reference(call, name or None)
    call.db.run("DELETE FROM watcher WHERE issue = ? AND account = ?", issue["id"], account)
    return DONE


def _reference(call: Call, value: object) -> str:
    if value is None:
        return call.me
    row = call.account(value) if isinstance(value, str) else None
    return str(must(row, f'The user "{value}" does not exist.', 404 if call.site.cloud else 400)["id"])


def vote(call: Call) -> Answer:
    """Vote for an open issue of somebody else."""
    issue = call.issue()
    if issue["reporter"] == call.me:
        raise JiraError(404, "You cannot vote for an issue you have reported.")
    if issue["resolution"] is not None:
        raise JiraError(404, "You cannot vote or change your vote on resolved issues.")
    call.db.run("INSERT OR IGNORE INTO vote (issue, account) VALUES (?, ?)", issue["id"], call.me)
    return DONE


def unvote(call: Call) -> Answer:
    """Remove the caller's vote, if there is one."""
    issue = call.issue()
    call.db.run("DELETE FROM vote WHERE issue = ? AND account = ?", issue["id"], call.me)
    return DONE


_WATCHERS: Final = f"{API}/issue/{{key}}/watchers"
_VOTES: Final = f"{API}/issue/{{key}}/votes"

ROUTES: Final = (
    Route("GET", _WATCHERS, _listed("watcher", "watchers", "isWatching", "watchCount", "watchers")),
    Route("POST", _WATCHERS, watch),
    Route("DELETE", _WATCHERS, unwatch),
    Route("GET", _VOTES, _listed("vote", "votes", "hasVoted", "votes", "voters")),
    Route("POST", _VOTES, vote),
    Route("DELETE", _VOTES, unvote),
)
