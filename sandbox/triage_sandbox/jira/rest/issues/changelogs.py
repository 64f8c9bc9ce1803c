"""Endpoints for change history: by page, by id, and of many issues at once; Data Center has it by `expand` only."""

import json
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, items_of, pages, whole
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.shapes import Shape

_MOST_ISSUES: Final = 1000
_MOST_FIELDS: Final = 10


def _of_path(call: Call) -> list[Row]:
    """Those of the issue that the path means, the oldest first."""
    return _of(call, call.issue())


def _of(call: Call, issue: Row) -> list[Row]:
    return call.db.all("SELECT * FROM change WHERE issue = ? ORDER BY id", issue["id"])


def by_number(call: Call) -> Answer:
    """Return changelog entries by their ids."""
    wanted = {whole(number, "changelogIds", 0) for number in items_of(call.object(), "changelogIds")}
    shown = [shapes.change(call, row) for row in _of_path(call) if row["id"] in wanted]
    return Answer(shapes.whole_page("histories", shown))


def of_many(call: Call) -> Answer:
    """Return the changelogs of several issues, of some fields if the client names them."""
    data = call.object()
    asked, chosen = items_of(data, "issueIdsOrKeys"), {str(name) for name in items_of(data, "fieldIds")}
    if not 0 < len(asked) <= _MOST_ISSUES or len(chosen) > _MOST_FIELDS:
        raise JiraError(400, f"Between 1 and {_MOST_ISSUES} issues and at most {_MOST_FIELDS} fields can be asked for.")
    start, most = _start(data), min(whole(data.get("maxResults"), "maxResults", 1000), 10_000)
    issues = [row for key in asked if (row := call.seen(str(key))) is not None]
    entries = [(row, shown) for row in issues for shown in _shown(call, row, chosen)]
    page: dict[str, list[Shape]] = {}
    for row, shown in entries[start : start + most]:
        page.setdefault(str(row["id"]), []).append(shown)
    logs = [{"issueId": issue, "changeHistories": histories} for issue, histories in page.items()]
    more = {"nextPageToken": str(start + most)} if start + most < len(entries) else {}
    return Answer({"issueChangeLogs": logs, **more})


def _start(data: dict[str, Any]) -> int:
    token = str(data.get("nextPageToken") or 0)
    if not token.isdecimal():
        raise JiraError(400, "The provided next page token is invalid.")
    return int(token[:9])


def _shown(call: Call, issue: Row, chosen: set[str]) -> list[Shape]:
    """Here the time is a number, unlike anywhere else."""
    return [
        shapes.change(call, row) | {"created": row["created"]}
        for row in _of(call, issue)
        if not chosen or chosen & {item.get("fieldId") for item in json.loads(row["items"])}
    ]


ROUTES: Final = (
    Route("GET", f"{API}/issue/{{key}}/changelog", pages(shapes.change, _of_path, 100), only="cloud"),
    Route("POST", f"{API}/issue/{{key}}/changelog/list", by_number, only="cloud"),
    Route("POST", f"{API}/changelog/bulkfetch", of_many, only="cloud"),
)
