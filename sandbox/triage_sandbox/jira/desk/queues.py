"""Endpoints for the queues of a service desk; a queue is a JQL query with columns."""

from typing import Final

from triage_sandbox.jira.call import Answer, Call, JiraError, whole
from triage_sandbox.jira.desk.desks import of_path
from triage_sandbox.jira.desk.shapes import address, paged, spoken
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.rest.issues.issue import rendered
from triage_sandbox.jira.rest.search.search import asker_of, plan_of
from triage_sandbox.jira.shapes import Shape

_QUEUES: Final = (
    ("All open", "resolution = Unresolved"),
    ("Unassigned", "resolution = Unresolved AND assignee is EMPTY"),
)
_COLUMNS: Final = ("issuetype", "issuekey", "summary", "created", "reporter", "duedate")


def queues(call: Call) -> Answer:
    desk = of_path(call)
    return Answer(paged(call, [(desk, number) for number in range(1, len(_QUEUES) + 1)], _queue))


def _queue(call: Call, item: tuple[Row, int]) -> Shape:
    desk, number = item
    name, jql = _QUEUES[number - 1]
    body: Shape = {"id": str(number), "name": name, "jql": f"project = {desk['key']} AND {jql} ORDER BY created ASC"}
    body |= {"fields": list(_COLUMNS), "_links": {"self": address(call, f"servicedesk/{desk['id']}/queue/{number}")}}
    if call.query("includeCount") == "true":
        asker = asker_of(call)
        body["issueCount"] = plan_of(call, body["jql"], asker).count(asker)
    return body


def _queue_of_path(call: Call) -> Shape:
    desk, number = of_path(call), whole(call.part("queue"), "queue", 0)
    if not 0 < number <= len(_QUEUES):
        raise JiraError(404, "The queue does not exist.")
    return _queue(call, (desk, number))


def queue(call: Call) -> Answer:
    return Answer(_queue_of_path(call))


def queued(call: Call) -> Answer:
    queue, asker = _queue_of_path(call), asker_of(call)
    rows = call.db.of_ids("ticket", plan_of(call, queue["jql"], asker).ids(asker, 1000, 0))
    page, chosen = Issues(call, rows), fields.wanted(call, _COLUMNS, "*navigable")
    return Answer(paged(call, rows, lambda _, row: rendered(page, row, chosen)))


_QUEUE: Final = "servicedesk/{desk}/queue"

ROUTES: Final = (
    spoken("GET", _QUEUE, queues, experimental=True, team=True),
    spoken("GET", f"{_QUEUE}/{{queue}}", queue, experimental=True, team=True),
    spoken("GET", f"{_QUEUE}/{{queue}}/issue", queued, experimental=True, team=True),
)
