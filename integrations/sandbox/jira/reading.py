"""Issues on their way out: one read per relation for a whole page, then one shape per field."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from integrations.sandbox.jira import said, shapes
from integrations.sandbox.jira.call import Call
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.markup.body import Body
from integrations.sandbox.jira.shapes import Shape
from integrations.sandbox.jira.stamps import span, stamp

Catalogue = Callable[[Call, Row], Shape]


class Issues:
    """A page of issues, rendered together."""

    def __init__(self, call: Call, rows: Iterable[Row]) -> None:
        self.call = call
        self.rows = list(rows)
        self._ids = json.dumps([row["id"] for row in self.rows])
        self._seen: dict[tuple[str, Any], Shape | None] = {}

    def related(self, sql: str) -> Mapping[int, list[Row]]:
        """Rows of a relation by the issue (column `issue`) that they belong to."""
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self.call.db.all(sql.format("(SELECT value FROM json_each(?))"), self._ids):
            found[row["issue"]].append(row)
        return found

    def one(self, table: str, key: Any, shape: Catalogue) -> Shape | None:
        """A row of a small table, read once per page."""
        if key is None:
            return None
        if (table, key) not in self._seen:
            row = self.call.db.one(f"SELECT * FROM {table} WHERE id = ?", key)
            self._seen[table, key] = None if row is None else shape(self.call, row)
        return self._seen[table, key]

    def user(self, account: str | None) -> Shape | None:
        """A person."""
        return self.one("account", account, shapes.person)

    @cached_property
    def labels(self) -> Mapping[int, list[Row]]:
        """Sorted, as Jira has them."""
        return self.related("SELECT issue, label FROM issue_label WHERE issue IN {} ORDER BY label")

    @cached_property
    def components(self) -> Mapping[int, list[Row]]:
        """Parts of the product."""
        return self.related(
            "SELECT r.issue, c.* FROM issue_component r JOIN component c ON c.id = r.component"
            " WHERE r.issue IN {} ORDER BY c.name"
        )

    @cached_property
    def versions(self) -> Mapping[int, list[Row]]:
        """Releases it is fixed in."""
        return self.related(
            "SELECT r.issue, v.* FROM issue_version r JOIN version v ON v.id = r.version"
            " WHERE r.issue IN {} ORDER BY v.id"
        )

    @cached_property
    def comments(self) -> Mapping[int, list[Row]]:
        """The oldest first."""
        return self.related("SELECT * FROM comment WHERE issue IN {} ORDER BY id")

    @cached_property
    def attachments(self) -> Mapping[int, list[Row]]:
        """Without their content."""
        return self.related(
            "SELECT id, issue, author, name, type, created, length(content) AS size FROM attachment"
            " WHERE issue IN {} ORDER BY id"
        )

    @cached_property
    def links(self) -> Mapping[int, list[Row]]:
        """Seen from either end."""
        return self.related(
            "WITH page AS (SELECT id FROM issue WHERE id IN {})"
            " SELECT source AS issue, id, type, target AS other, 'outward' AS way FROM link WHERE source IN page"
            " UNION ALL SELECT target, id, type, source, 'inward' FROM link WHERE target IN page ORDER BY 2"
        )

    @cached_property
    def subtasks(self) -> Mapping[int, list[Row]]:
        """Their children that are sub-tasks."""
        return self.related(
            "SELECT i.parent AS issue, i.id FROM issue i JOIN issue_type t ON t.id = i.type"
            " WHERE i.parent IN {} AND t.subtask ORDER BY i.number"
        )

    @cached_property
    def affected(self) -> Mapping[int, list[Row]]:
        """Releases that have the fault."""
        return self.related(
            "SELECT r.issue, v.* FROM issue_affected r JOIN version v ON v.id = r.version"
            " WHERE r.issue IN {} ORDER BY v.id"
        )

    @cached_property
    def custom(self) -> Mapping[int, dict[int, list[Any]]]:
        """What they hold in custom fields, by the field's number."""
        found: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        rows = self.related("SELECT issue, field, value FROM custom_value WHERE issue IN {} ORDER BY id")
        for issue, values in rows.items():
            for row in values:
                found[issue][row["field"]].append(row["value"])
        return found

    @cached_property
    def worklogs(self) -> Mapping[int, list[Row]]:
        """Work that was written down, the oldest first."""
        return self.related("SELECT * FROM worklog WHERE issue IN {} ORDER BY id")

    @cached_property
    def wholes(self) -> Mapping[int, list[Row]]:
        """Work and estimates of each with its sub-tasks."""
        return self.related(
            "SELECT p.id AS issue, sum(i.estimate) AS estimate, sum(i.remaining) AS remaining,"
            " sum((SELECT sum(seconds) FROM worklog WHERE issue = i.id)) AS spent FROM issue p JOIN issue i"
            " ON i.id = p.id OR (i.parent = p.id AND (SELECT subtask FROM issue_type WHERE id = i.type))"
            " WHERE p.id IN {} GROUP BY p.id"
        )

    @cached_property
    def voters(self) -> Mapping[int, list[Row]]:
        """Who wants them."""
        return self.related("SELECT issue, account FROM vote WHERE issue IN {}")

    @cached_property
    def sprints(self) -> Mapping[int, list[Row]]:
        """Closed ones, then the one they are in."""
        return self.related(
            "SELECT r.issue, s.* FROM issue_sprint r JOIN sprint s ON s.id = r.sprint"
            " WHERE r.issue IN {} ORDER BY s.state != 'closed', s.id"
        )

    @cached_property
    def watchers(self) -> Mapping[int, list[Row]]:
        """Who follows them."""
        return self.related("SELECT issue, account FROM watcher WHERE issue IN {}")

    def brief(self, issue: int) -> Shape:
        """Another issue as links and parents show it."""
        row = shapes.entry(self.call, "ticket", issue)
        fields = {
            "summary": row["summary"],
            "status": self.one("status", row["status"], shapes.status),
            "priority": self.one("priority", row["priority"], shapes.priority),
            "issuetype": self.one("issue_type", row["type"], shapes.issue_type),
        }
        return {"id": str(row["id"]), "key": row["key"], "self": self.call.url(f"issue/{row['id']}"), "fields": fields}


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


def labels(page: Issues, row: Row) -> list[str]:
    """Words."""
    return [label["label"] for label in page.labels[row["id"]]]


def components(page: Issues, row: Row) -> list[Shape]:
    """Parts of the product."""
    return [shapes.component(page.call, component) for component in page.components[row["id"]]]


def versions(page: Issues, row: Row) -> list[Shape]:
    """Releases it is fixed in."""
    return [shapes.version(page.call, version) for version in page.versions[row["id"]]]


def description(page: Issues, row: Row) -> Any:
    """The text in the language of the API version."""
    body = body_of(row)
    return None if body is None else body.said_in(page.call.version)


def body_of(row: Row) -> Body | None:
    """An issue's description, None where it has none."""
    return None if row["description"] is None else Body(row["description"], row["description_markup"])


def environment(page: Issues, row: Row) -> Any:
    """Where it happened, as the description."""
    source = row["environment"]
    return None if source is None else Body(source, row["environment_markup"]).said_in(page.call.version)


def affected(page: Issues, row: Row) -> list[Shape]:
    """Releases that have the fault."""
    return [shapes.version(page.call, version) for version in page.affected[row["id"]]]


def votes(page: Issues, row: Row) -> Shape:
    """How many want it, and whether the caller does."""
    accounts = {voter["account"] for voter in page.voters[row["id"]]}
    me = page.call.user["id"] if page.call.user is not None else None
    return {"self": page.call.url(f"issue/{row['key']}/votes"), "votes": len(accounts), "hasVoted": me in accounts}


def worklogs(page: Issues, row: Row) -> Shape:
    """The first twenty entries of work, as Jira shows them inside an issue."""
    rows = page.worklogs[row["id"]]
    shown = [shapes.worklog(page.call, entry) for entry in rows[:20]]
    return {"startAt": 0, "maxResults": 20, "total": len(rows), "worklogs": shown}


def spent(page: Issues, row: Row) -> int | None:
    """Seconds of work."""
    return sum(entry["seconds"] for entry in page.worklogs[row["id"]]) or None


def whole(name: str) -> Reader:
    """Summed up over an issue and its sub-tasks."""
    return lambda page, row: page.wholes[row["id"]][0][name]


def progress(page: Issues, row: Row) -> Shape:
    """How much of the work is done."""
    return _progress(spent(page, row), row["remaining"])


def whole_progress(page: Issues, row: Row) -> Shape:
    """The same with the sub-tasks."""
    sums = page.wholes[row["id"]][0]
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
    shown = [said.shape(page.call, comment) for comment in said.visible(page.call, page.comments[row["id"]])]
    self = page.call.url(f"issue/{row['id']}/comment")
    return {"comments": shown, "self": self, "maxResults": len(shown), "total": len(shown), "startAt": 0}


def attachments(page: Issues, row: Row) -> list[Shape]:
    """Files."""
    return [shapes.attachment(page.call, file) for file in page.attachments[row["id"]]]


def links(page: Issues, row: Row) -> list[Shape]:
    """How it relates to others."""
    return [
        {
            "id": str(link["id"]),
            "self": page.call.url(f"issueLink/{link['id']}"),
            "type": page.one("link_type", link["type"], shapes.link_type),
            f"{link['way']}Issue": page.brief(link["other"]),
        }
        for link in page.links[row["id"]]
    ]


def parent(page: Issues, row: Row) -> Shape | None:
    """What it is a part of; Data Center tells of an epic in a field of its own."""
    kind = page.one("issue_type", row["type"], shapes.issue_type) or {}
    if row["parent"] is None or not (page.call.site.cloud or kind.get("subtask")):
        return None
    return page.brief(row["parent"])


def subtasks(page: Issues, row: Row) -> list[Shape]:
    """Its parts."""
    return [page.brief(child["id"]) for child in page.subtasks[row["id"]]]


def watches(page: Issues, row: Row) -> Shape:
    """How many follow it, and whether the caller does."""
    accounts = {watcher["account"] for watcher in page.watchers[row["id"]]}
    me = page.call.user["id"] if page.call.user is not None else None
    self = page.call.url(f"issue/{row['key']}/watchers")
    return {"self": self, "watchCount": len(accounts), "isWatching": me in accounts}
