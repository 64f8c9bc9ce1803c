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
    """As it is stored."""
    return lambda _, row: row[name]


def constant(value: Any) -> Reader:
    """A field that this sandbox never fills."""
    return lambda _, __: value


def time(name: str) -> Reader:
    """A moment."""
    return lambda _, row: stamp(row[name])


def user(name: str) -> Reader:
    """A person."""
    return lambda page, row: page.user(row[name])


def catalogue(table: str, name: str, shape: Catalogue) -> Reader:
    """An entry of a small table."""
    return lambda page, row: page.one(table, row[name], shape)


def listed(relation: str, shape: Catalogue) -> Reader:
    """All that belongs to an issue in one way."""
    return lambda page, row: [shape(page.call, each) for each in page.related(relation, row)]


def labels(page: Issues, row: Row) -> list[str]:
    """Words."""
    return [label["label"] for label in page.related("labels", row)]


def body_of(row: Row, name: str = "description") -> Body | None:
    """A text of an issue, None where it has none."""
    return None if row[name] is None else Body(row[name], row[f"{name}_markup"])


def text(name: str) -> Reader:
    """A text in the language of the API version."""

    def read(page: Issues, row: Row) -> Any:
        body = body_of(row, name)
        return None if body is None else body.said_in(page.call.version)

    return read


def followed(relation: str, address: str, count: str, mine: str) -> Reader:
    """How many follow an issue or want it, and whether the caller does."""

    def read(page: Issues, row: Row) -> Shape:
        accounts = {each["account"] for each in page.related(relation, row)}
        me = page.call.user["id"] if page.call.user is not None else None
        self = page.call.url(f"issue/{row['key']}/{address}")
        return {"self": self, count: len(accounts), mine: me in accounts}

    return read


def worklogs(page: Issues, row: Row) -> Shape:
    """The first twenty entries of work, as Jira shows them inside an issue."""
    rows = page.related("worklogs", row)
    shown = [shapes.worklog(page.call, entry) for entry in rows[:20]]
    return {"startAt": 0, "maxResults": 20, "total": len(rows), "worklogs": shown}


def spent(page: Issues, row: Row) -> int | None:
    """Seconds of work."""
    return sum(entry["seconds"] for entry in page.related("worklogs", row)) or None


def whole(name: str) -> Reader:
    """Summed up over an issue and its sub-tasks."""
    return lambda page, row: page.related("wholes", row)[0][name]


def progress(page: Issues, row: Row) -> Shape:
    """How much of the work is done."""
    return _progress(spent(page, row), row["remaining"])


def whole_progress(page: Issues, row: Row) -> Shape:
    """The same with the sub-tasks."""
    sums = page.related("wholes", row)[0]
    return _progress(sums["spent"], sums["remaining"])


def _progress(done: int | None, left: int | None) -> Shape:
    total = (done or 0) + (left or 0)
    return {"progress": done or 0, "total": total} | ({"percent": 100 * (done or 0) // total} if total else {})


def work_ratio(page: Issues, row: Row) -> int:
    """Work as a part of the estimate, in percent; -1 where nothing was estimated."""
    return 100 * (spent(page, row) or 0) // row["estimate"] if row["estimate"] else -1


def timetracking(page: Issues, row: Row) -> Shape:
    """Estimates and work, in words and in seconds."""
    known = {"originalEstimate": row["estimate"], "remainingEstimate": row["remaining"], "timeSpent": spent(page, row)}
    there = {name: seconds for name, seconds in known.items() if seconds is not None}
    words = {name: span(seconds) for name, seconds in there.items()}
    return words | {f"{name}Seconds": seconds for name, seconds in there.items()}


def status_category(page: Issues, row: Row) -> Shape | None:
    """Cloud shows it beside the status, too."""
    status = page.one("status", row["status"], shapes.status)
    return None if status is None else status["statusCategory"]


def comments(page: Issues, row: Row) -> Shape:
    """The first page of what was said, which here is all of it."""
    shown = [said.shape(page.call, comment) for comment in said.visible(page.call, page.related("comments", row))]
    return shapes.whole_page("comments", shown) | {"self": page.call.url(f"issue/{row['id']}/comment")}


def links(page: Issues, row: Row) -> list[Shape]:
    """How it relates to others."""
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
    """What it is a part of; Data Center tells of an epic in a field of its own."""
    kind = page.one("issue_type", row["type"], shapes.issue_type) or {}
    if row["parent"] is None or not (page.call.site.cloud or kind.get("subtask")):
        return None
    return page.brief(row["parent"])


def subtasks(page: Issues, row: Row) -> list[Shape]:
    """Its parts."""
    return [page.brief(child["id"]) for child in page.related("subtasks", row)]
