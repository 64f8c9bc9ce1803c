"""Endpoints for worklogs of an issue, with the remaining estimate."""

import re
from datetime import datetime
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route, items_of, shows, whole
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import milliseconds_of, seconds_of
from triage_sandbox.jira.issue import issues
from triage_sandbox.jira.issue.fields import writing
from triage_sandbox.jira.issue.fields.writing import FieldRefused, Values
from triage_sandbox.jira.markup.body import Body

_MOST: Final = 5000


def listed(call: Call) -> Answer:
    """Return a page of worklogs, the oldest first."""
    issue = call.issue()
    rows = call.db.all("SELECT * FROM worklog WHERE issue = ? ORDER BY id", issue["id"])
    return Answer(call.numbered("worklogs", rows, shapes.worklog, _MOST))


def _entry(call: Call) -> Row:
    """The entry that the path means."""
    return call.entry("worklog", call.part("worklog"), "Cannot find worklog with id: '{}'.", issue=call.issue()["id"])


def post(call: Call) -> Answer:
    row = add(call, call.issue(), call.object())
    return Answer(shapes.worklog(call, row), 201)


def add(call: Call, issue: Row, data: dict[str, Any]) -> Row:
    """Add a worklog; the remaining estimate is reduced unless the caller says otherwise."""
    call.need("WORK_ON_ISSUES", issue["project"])
    now = call.site.now()
    values = _told(call, data)
    if "seconds" not in values:
        raise JiraError(400, errors={"timeLogged": "You must indicate the time spent working."})
    usual = {"body": "", "markup": "wiki", "plain": "", "started": now}
    times = {"created": now, "updated": now}
    entry = call.db.insert("worklog", {"issue": issue["id"], "author": call.me, **usual, **values, **times})
    issues.change(call, issue, _left(call, issue, values["seconds"]))
    call.db.run("UPDATE issue SET updated = ? WHERE id = ?", now, issue["id"])
    return call.entry("worklog", entry)


def _told(call: Call, data: dict[str, Any]) -> Values:
    """What a client says of work."""
    values: Values = {}
    if data.get("comment"):
        try:
            body: Body = writing.body(call, data["comment"])
        except FieldRefused as e:
            raise JiraError(400, errors={"comment": str(e)}) from None
        values |= body.stored
    if data.get("started") is not None:
        values["started"] = _moment(data["started"])
    span = data.get("timeSpentSeconds")
    if span is not None:
        values["seconds"] = span if isinstance(span, int) and span >= 60 else _refused(span)
    elif data.get("timeSpent") is not None:
        values["seconds"] = seconds_of(data["timeSpent"]) or _refused(data["timeSpent"])
    return values


def _refused(span: Any) -> int:
    raise JiraError(400, errors={"timeLogged": f"Invalid time duration entered: '{span}'."})


def _moment(text: Any) -> int:
    """`2026-11-20T08:13:13.360+0100`; nothing else is taken."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}", str(text)):
        raise JiraError(400, errors={"started": f"Error parsing time: {text}"})
    try:
        return milliseconds_of(datetime.strptime(str(text), "%Y-%m-%dT%H:%M:%S.%f%z"))
    except ValueError:
        raise JiraError(400, errors={"started": f"Error parsing time: {text}"}) from None


def _left(call: Call, issue: Row, seconds: int) -> Values:
    """The remaining estimate after so much work."""
    how, new = call.query("adjustEstimate", "auto"), call.query("newEstimate")
    if how == "new":
        return {"remaining": seconds_of(new)}
    if how == "leave":
        return {}
    less = seconds_of(call.query("reduceBy")) or 0 if how == "manual" else seconds
    return {"remaining": max(0, (issue["remaining"] or 0) - less)}


def change(call: Call) -> Answer:
    """Change a worklog and adjust the remaining estimate."""
    issue = call.issue()
    row = _entry(call)
    values = _told(call, call.object())
    call.db.update("worklog", row["id"], values | {"updated": call.site.now()})
    if "seconds" in values:
        issues.change(call, issue, _left(call, issue, values["seconds"] - row["seconds"]))
    return Answer(shapes.worklog(call, call.entry("worklog", row["id"])))


def remove(call: Call) -> Answer:
    issue = call.issue()
    row = _entry(call)
    call.db.run("DELETE FROM worklog WHERE id = ?", row["id"])
    issues.change(call, issue, _left(call, issue, -row["seconds"]))
    return DONE


def updated(call: Call) -> Answer:
    """Return the ids of worklogs written or changed since a moment, the oldest first."""
    text = call.query("since", "0")
    if not text.isdecimal():
        raise JiraError(400, "'since' must be a number of milliseconds.")
    since = int(text[:18])
    rows = call.db.all("SELECT id, updated FROM worklog WHERE updated >= ? ORDER BY updated, id LIMIT 1000", since)
    values = [{"worklogId": row["id"], "updatedTime": row["updated"], "properties": []} for row in rows]
    until = rows[-1]["updated"] if rows else since
    self = call.url(f"worklog/updated?since={since}")
    return Answer({"values": values, "since": since, "until": until, "self": self, "lastPage": True})


def many(call: Call) -> Answer:
    """Return worklogs by id, of any issues."""
    ids = [whole(number, "ids", 0) for number in items_of(call.object(), "ids")]
    return Answer(
        [
            shapes.worklog(call, row)
            for row in call.db.of_ids("worklog", ids)
            if call.seen(str(row["issue"])) is not None
        ]
    )


_PATH: Final = f"{API}/issue/{{key}}/worklog"

ROUTES: Final = (
    Route("GET", f"{API}/worklog/updated", updated),
    Route("POST", f"{API}/worklog/list", many),
    Route("GET", _PATH, listed),
    Route("POST", _PATH, post),
    Route("GET", f"{_PATH}/{{worklog}}", shows(shapes.worklog, _entry)),
    Route("PUT", f"{_PATH}/{{worklog}}", change),
    Route("DELETE", f"{_PATH}/{{worklog}}", remove),
)
