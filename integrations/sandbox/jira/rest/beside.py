"""What comes along inside an issue's `update` and stands beside it: comments, links, work."""

from typing import Any

from integrations.sandbox.jira.call import Call, JiraError, items_of
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.forms import part_of
from integrations.sandbox.jira.rest import comments, links, worklogs


def add(call: Call, row: Row, data: dict[str, Any]) -> None:
    """All of it."""
    update = part_of(data, "update")
    for step in items_of(update, "comment"):
        comments.add(call, row, _added(step, "comment"))
    for step in items_of(update, "worklog"):
        worklogs.add(call, row, _added(step, "worklog"))
    links.from_update(call, row, data)


def _added(step: Any, name: str) -> dict[str, Any]:
    if not isinstance(step, dict) or not isinstance(step.get("add"), dict):
        raise JiraError(400, errors={name: "expected an operation 'add' with an object"})
    added: dict[str, Any] = step["add"]
    return added
