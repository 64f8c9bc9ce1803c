"""Endpoints that move many issues to another project, type or parent (Cloud); progress is polled as a task."""

from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, items_of, must
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import stamp
from triage_sandbox.jira.issue import issues, properties
from triage_sandbox.jira.issue.moving import move
from triage_sandbox.jira.shapes import Shape

_TASK: Final = "bulk-task"
_MOST: Final = 1000
"""Issues in one request."""


def submit(call: Call) -> Answer:
    """Move issues; the target is the key of a mapping: `PROJECT,type[,parent]`."""
    sent = call.object().get("targetToSourcesMapping")
    if not isinstance(sent, dict) or not sent:
        raise JiraError(400, "targetToSourcesMapping must name where at least one issue goes.")
    plans = [(_target(call, str(where)), _named(what)) for where, what in sent.items()]
    named = sum(len(references) for _, references in plans)
    if not 0 < named <= _MOST:
        raise JiraError(400, f"The number of issues must be between 1 and {_MOST}.")
    moved: list[int] = []
    failed: dict[str, list[str]] = {}
    for target, references in plans:
        for row in (call.seen(reference) for reference in references):
            if row is None:
                continue  # counted, and not told of
            problem = _moved(call, row, *target)
            if problem:
                failed[str(row["id"])] = [problem]
            else:
                moved.append(row["id"])
    body = {"processedAccessibleIssues": moved, "failedAccessibleIssues": failed, "totalIssueCount": named}
    return Answer(
        {"taskId": _kept(call, body | {"invalidOrInaccessibleIssueCount": named - len(moved) - len(failed)})}, 201
    )


def _target(call: Call, where: str) -> tuple[Row, Row, Row | None]:
    """Project, kind and parent."""
    key, _, rest = where.partition(",")
    number, _, parent = rest.partition(",")
    project = call.db.one("SELECT * FROM project WHERE key = ?1 OR id = ?1", key.strip())
    if project is None or not call.may("CREATE_ISSUES", project["id"]):
        raise JiraError(400, f"The target project '{key}' does not exist, or you may not create issues in it.")
    kinds = {str(row["id"]): row for row in projects.kinds(call.db, project["id"])}
    kind = must(kinds.get(number.strip()), f"The issue type '{number}' is none of project '{key}'.", 400)
    above = call.seen(parent.strip()) if parent.strip() else None
    if kind["subtask"] and above is None:
        raise JiraError(400, f"Issues of the type '{kind['name']}' need a parent.")
    return project, kind, above


def _named(what: Any) -> list[str]:
    if not isinstance(what, dict):
        raise JiraError(400, "A mapping must be an object with issueIdsOrKeys.")
    return [str(reference) for reference in items_of(what, "issueIdsOrKeys")]


def _moved(call: Call, row: Row, project: Row, kind: Row, parent: Row | None) -> str:
    """Move one; what is against it, empty where nothing is."""
    if not call.may("MOVE_ISSUES", row["project"]):
        return "You do not have permission to move this issue."
    if parent is not None and parent["project"] != project["id"]:
        return "The parent is in another project."
    move(call, row, project, by=call.me)
    above = {"parent": None if parent is None else parent["id"]} if kind["subtask"] or parent is not None else {}
    changed: dict[str, Any] = {"type": kind["id"], **above}
    issues.change(call, call.entry("ticket", row["id"]), changed)
    return ""


def _kept(call: Call, result: Shape) -> str:
    """The task under a number of its own."""
    number = 10_000 + call.db.value("SELECT count(*) FROM property WHERE entity = ?", _TASK)
    now = stamp(call.site.now())
    whole = {**result, "created": now, "started": now, "updated": now, "by": call.me}
    properties.put(call.db, _TASK, 0, str(number), whole)
    return str(number)


def progress(call: Call) -> Answer:
    """Return the progress of the caller's task, which is always complete."""
    number = call.part("task")
    task = must(properties.value(call.db, _TASK, 0, number), f"Task {number} does not exist.")
    if task.pop("by") != call.me:
        raise JiraError(404, f"Task {number} does not exist.")
    state = {"taskId": number, "status": "COMPLETE", "progressPercent": 100}
    return Answer({**state, "submittedBy": shapes.user(call, call.me), **task})


ROUTES: Final = (
    Route("POST", f"{API}/bulk/issues/move", submit, only="cloud"),
    Route("GET", f"{API}/bulk/queue/{{task}}", progress, only="cloud"),
)
