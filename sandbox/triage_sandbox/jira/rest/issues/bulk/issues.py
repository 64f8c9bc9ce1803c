"""Endpoints that create or fetch many issues at once, or ask whether they are watched."""

from typing import Final

from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, items_of, object_of
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.rest.issues.issue import made, rendered
from triage_sandbox.jira.shapes import Shape

MOST_MADE: Final = 50
MOST_READ: Final = 100


def create(call: Call) -> Answer:
    """Create several issues; invalid ones are reported by their place. Raises `JiraError` 400 if none is valid."""
    updates = items_of(call.object(), "issueUpdates")
    if not 0 < len(updates) <= MOST_MADE:
        raise JiraError(400, f"The number of issues to create must be between 1 and {MOST_MADE}.")
    created: list[Shape] = []
    errors: list[Shape] = []
    for place, data in enumerate(updates):
        try:
            with call.db.write():
                created.append(made(call, object_of(data)))
        except JiraError as e:
            errors.append({"status": e.status, "elementErrors": e.content, "failedElementNumber": place})
    return Answer({"issues": created, "errors": errors}, 201 if created else 400)


def fetch(call: Call) -> Answer:
    """Return up to a hundred issues by key or id; missing ones are left out."""
    data = call.object()
    asked = [str(key) for key in items_of(data, "issueIdsOrKeys")]
    if not 0 < len(asked) <= MOST_READ:
        raise JiraError(400, f"issueIdsOrKeys must hold between 1 and {MOST_READ} issues.")
    found = {row["id"]: row for key in asked if (row := call.seen(key)) is not None}
    chosen = fields.wanted(call, map(str, items_of(data, "fields")), "*navigable")
    expand, properties = list(map(str, items_of(data, "expand"))), list(map(str, items_of(data, "properties")))
    page = Issues(call, found.values())
    shown = [rendered(page, row, chosen, expand, properties) for row in page.rows]
    return Answer({"issues": shown, "issueErrors": []})


def watching(call: Call) -> Answer:
    asked = [str(number) for number in items_of(call.object(), "issueIds")]
    mine = {str(row[0]) for row in call.db.all("SELECT issue FROM watcher WHERE account = ?", call.me)}
    return Answer({"issuesIsWatching": {number: number in mine for number in asked}})


_ISSUE: Final = f"{API}/issue"

ROUTES: Final = (
    Route("POST", f"{_ISSUE}/bulk", create),
    Route("POST", f"{_ISSUE}/bulkfetch", fetch, only="cloud"),
    Route("POST", f"{_ISSUE}/watching", watching, only="cloud"),
)
