"""Converts stored field values to Jira's JSON, one function per field."""

from collections.abc import Callable
from typing import Any

from triage_sandbox.jira import shapes
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import span, stamp
from triage_sandbox.jira.issue import said
from triage_sandbox.jira.issue.page import Catalogue, Issues
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.shapes import Shape

Reader = Callable[[Issues, Row], Any]


def column(name: str) -> Reader:
    return lambda _, row: row[name]


def constant(value: Any) -> Reader:
    """Return a reader of a field that this sandbox never fills."""
    return lambda _, __: value


def time(name: str) -> Reader:
    return lambda _, row: stamp(row[name])


def user(name: str) -> Reader:
    return lambda page, row: page.user(row[name])


def catalogue(table: str, name: str, shape: Catalogue) -> Reader:
    """Return a reader of an entry of a catalogue, such as a priority."""
    return lambda page, row: page.one(table, row[name], shape)


def listed(relation: str, shape: Catalogue) -> Reader:
    """Return a reader of all rows of a relation to the issue."""
    return lambda page, row: [shape(page.call, each) for each in page.related(relation, row)]


def labels(page: Issues, row: Row) -> list[str]:
    return [label["label"] for label in page.related("labels", row)]


def body_of(row: Row, name: str = "description") -> Body | None:
    """Return a text of an issue; None if it has none."""
    return None if row[name] is None else Body(row[name], row[f"{name}_markup"])


def text(name: str) -> Reader:
    """Return a reader of a text in the format of the API version: ADF or wiki markup."""

    def read(page: Issues, row: Row) -> Any:
        body = body_of(row, name)
        return None if body is None else body.said_in(page.call.version)

    return read


def followed(relation: str, address: str, count: str, mine: str) -> Reader:
    """Return a reader of the number of watchers or votes, and whether the caller is among them."""

    def read(page: Issues, row: Row) -> Shape:
        accounts = {each["account"] for each in page.related(relation, row)}
        me = page.call.user["id"] if page.call.user is not None else None
        self = page.call.url(f"issue/{row['key']}/{address}")
        return {"self": self, count: len(accounts), mine: me in accounts}

    return read


def worklogs(page: Issues, row: Row) -> Shape:
    """Return the first twenty worklogs, as Jira shows them inside an issue."""
    rows = page.related("worklogs", row)
    shown = [shapes.worklog(page.call, entry) for entry in rows[:20]]
    return {"startAt": 0, "maxResults": 20, "total": len(rows), "worklogs": shown}


def spent(page: Issues, row: Row) -> int | None:
    """Return the seconds of logged work; None if there is none."""
    return sum(entry["seconds"] for entry in page.related("worklogs", row)) or None


def whole(name: str) -> Reader:
    """Return a reader of a number summed up over an issue and its sub-tasks."""
    return lambda page, row: page.related("wholes", row)[0][name]


def progress(page: Issues, row: Row) -> Shape:
    return _progress(spent(page, row), row["remaining"])


def whole_progress(page: Issues, row: Row) -> Shape:
    """Return the progress of an issue with its sub-tasks."""
    sums = page.related("wholes", row)[0]
    return _progress(sums["spent"], sums["remaining"])


def _progress(done: int | None, left: int | None) -> Shape:
    total = (done or 0) + (left or 0)
    return {"progress": done or 0, "total": total} | ({"percent": 100 * (done or 0) // total} if total else {})


def work_ratio(page: Issues, row: Row) -> int:
    """Return the work in percent of the estimate; -1 without an estimate."""
    return 100 * (spent(page, row) or 0) // row["estimate"] if row["estimate"] else -1


def timetracking(page: Issues, row: Row) -> Shape:
    """Return estimates and work, as text and in seconds."""
    known = {"originalEstimate": row["estimate"], "remainingEstimate": row["remaining"], "timeSpent": spent(page, row)}
    there = {name: seconds for name, seconds in known.items() if seconds is not None}
    words = {name: span(seconds) for name, seconds in there.items()}
    return words | {f"{name}Seconds": seconds for name, seconds in there.items()}


def status_category(page: Issues, row: Row) -> Shape | None:
    """Return the status category, which Cloud also shows beside the status."""
    status = page.one("status", row["status"], shapes.status)
    return None if status is None else status["statusCategory"]


def comments(page: Issues, row: Row) -> Shape:
    """Return the comments as the first page, which here holds all."""
    shown = [said.shape(page.call, comment) for comment in said.visible(page.call, page.related("comments", row))]
    return shapes.whole_page("comments", shown) | {"self": page.call.url(f"issue/{row['id']}/comment")}


def links(page: Issues, row: Row) -> list[Shape]:
    return [
        {
            "id": str(link["id"]),
            "self": page.call.url(f"issueLink/{link['id']}"),
            "type": page.one("link_type", link["type"], shapes.link_type),
            f"{link['way']}Issue": page.brief(link["other"]),
        }
        for link in page.related("links", row)
    ]


def parent(page: Issues, row: Row) -> Shape | None:
    """Return the parent; Data Center shows an epic in a field of its own."""
    kind = page.one("issue_type", row["type"], shapes.issue_type) or {}
    if row["parent"] is None or not (page.call.site.cloud or kind.get("subtask")):
        return None
    return page.brief(row["parent"])


def subtasks(page: Issues, row: Row) -> list[Shape]:
    return [page.brief(child["id"]) for child in page.related("subtasks", row)]
