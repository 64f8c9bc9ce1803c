"""Applies the parts of an issue's `update` that are stored beside it: comments, links, worklogs."""

from collections.abc import Iterator
from typing import Any

from triage_sandbox.jira.call import Call, JiraError, items_of
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields.forms import part_of
from triage_sandbox.jira.rest.issues import comments, links, worklogs


def add(call: Call, row: Row, data: dict[str, Any]) -> None:
    """Apply the parts of an issue's `update` that add something beside its fields: comments, links, worklogs."""
    update = part_of(data, "update")
    for verb, sent in _steps(update, "comment"):
        _comment(call, row, verb, sent)
    for verb, sent in _steps(update, "worklog"):
        if verb != "add":
            raise _refused("worklog")
        worklogs.add(call, row, sent)
    links.from_update(call, row, data)


def _steps(update: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for step in items_of(update, name):
        if not isinstance(step, dict) or len(step) != 1 or not isinstance(next(iter(step.values())), dict):
            raise _refused(name)
        yield from step.items()


def _refused(name: str) -> JiraError:
    return JiraError(400, errors={name: "expected an array of operations, each with one verb and an object"})


def _comment(call: Call, row: Row, verb: str, sent: dict[str, Any]) -> None:
    """Said, said differently, or taken back."""
    if verb == "add":
        comments.add(call, row, sent)
        return
    known = call.db.one("SELECT * FROM comment WHERE id = ? AND issue = ?", str(sent.get("id")), row["id"])
    if known is None or verb not in {"edit", "remove"}:
        raise _refused("comment")
    if verb == "edit":
        comments.rewrite(call, row, known, sent)
    else:
        comments.take_back(call, row, known)
