"""Loads the relations of a whole page of issues with one query each."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.shapes import Shape

Catalogue = Callable[[Call, Row], Shape]

_RELATIONS: Final = {
    "labels": "SELECT issue, label FROM issue_label WHERE issue IN {} ORDER BY label",
    "components": "SELECT r.issue, c.* FROM issue_component r JOIN component c ON c.id = r.component"
    " WHERE r.issue IN {} ORDER BY c.name",
    "fixVersions": "SELECT r.issue, v.* FROM issue_version r JOIN version v ON v.id = r.version"
    " WHERE r.issue IN {} ORDER BY v.id",
    "versions": "SELECT r.issue, v.* FROM issue_affected r JOIN version v ON v.id = r.version"
    " WHERE r.issue IN {} ORDER BY v.id",
    "comments": "SELECT * FROM comment WHERE issue IN {} ORDER BY id",
    "attachments": "SELECT id, issue, author, name, type, created, length(content) AS size FROM attachment"
    " WHERE issue IN {} ORDER BY id",
    "links": "WITH page AS (SELECT id FROM issue WHERE id IN {})"
    " SELECT source AS issue, id, type, target AS other, 'outward' AS way FROM link WHERE source IN page"
    " UNION ALL SELECT target, id, type, source, 'inward' FROM link WHERE target IN page ORDER BY 2",
    "subtasks": "SELECT i.parent AS issue, i.id FROM issue i JOIN issue_type t ON t.id = i.type"
    " WHERE i.parent IN {} AND t.subtask ORDER BY i.number",
    "custom": "SELECT issue, field, value FROM custom_value WHERE issue IN {} ORDER BY id",
    "worklogs": "SELECT * FROM worklog WHERE issue IN {} ORDER BY id",
    # Work and estimates of each with its sub-tasks.
    "wholes": "SELECT p.id AS issue, sum(i.estimate) AS estimate, sum(i.remaining) AS remaining,"
    " sum((SELECT sum(seconds) FROM worklog WHERE issue = i.id)) AS spent FROM issue p JOIN issue i"
    " ON i.id = p.id OR (i.parent = p.id AND (SELECT subtask FROM issue_type WHERE id = i.type))"
    " WHERE p.id IN {} GROUP BY p.id",
    "voters": "SELECT issue, account FROM vote WHERE issue IN {}",
    "watchers": "SELECT issue, account FROM watcher WHERE issue IN {}",
    # Closed ones, then the one they are in.
    "sprints": "SELECT r.issue, s.* FROM issue_sprint r JOIN sprint s ON s.id = r.sprint"
    " WHERE r.issue IN {} ORDER BY s.state != 'closed', s.id",
}
"""What belongs to issues (column `issue`); the braces stand for those of the page."""


class Issues:
    """Renders a page of issues together, so that each table is read once."""

    def __init__(self, call: Call, rows: Iterable[Row]) -> None:
        self.call = call
        self.rows = list(rows)
        self._related: dict[str, Mapping[int, list[Row]]] = {}
        self._seen: dict[tuple[str, Any], Shape | None] = {}

    def related(self, relation: str, issue: Row) -> list[Row]:
        """Return the rows that belong to an issue, read for the whole page at once."""
        if relation not in self._related:
            found: dict[int, list[Row]] = defaultdict(list)
            ids = json.dumps([row["id"] for row in self.rows])
            for row in self.call.db.all(_RELATIONS[relation].format("(SELECT value FROM json_each(?))"), ids):
                found[row["issue"]].append(row)
            self._related[relation] = found
        return self._related[relation][issue["id"]]

    @cached_property
    def custom(self) -> Mapping[int, dict[int, list[Any]]]:
        """Return custom field values by the field's number."""
        found: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for issue in self.rows:
            for row in self.related("custom", issue):
                found[issue["id"]][row["field"]].append(row["value"])
        return found

    def one(self, table: str, key: Any, shape: Catalogue) -> Shape | None:
        """Return a row of a small table, read once per page."""
        if key is None:
            return None
        if (table, key) not in self._seen:
            row = self.call.db.one(f"SELECT * FROM {table} WHERE id = ?", key)
            self._seen[table, key] = None if row is None else shape(self.call, row)
        return self._seen[table, key]

    def user(self, account: str | None) -> Shape | None:
        return self.one("account", account, shapes.person)

    def brief(self, issue: int) -> Shape:
        """Return another issue as links and parents show it."""
        row = self.call.entry("ticket", issue)
        fields = {
            "summary": row["summary"],
            "status": self.one("status", row["status"], shapes.status),
            "priority": self.one("priority", row["priority"], shapes.priority),
            "issuetype": self.one("issue_type", row["type"], shapes.issue_type),
        }
        return {"id": str(row["id"]), "key": row["key"], "self": self.call.url(f"issue/{row['id']}"), "fields": fields}
