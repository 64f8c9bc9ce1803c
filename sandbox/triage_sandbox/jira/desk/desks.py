"""Finds service desks and request types by what a path or a body names, and checks who is on a desk's team."""

from triage_sandbox.jira.call import Call, JiraError
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.seed.desks import AGENT


def find(call: Call, number: str) -> Row:
    """Return a desk by id, or by its project as `projectKey:HELP` or `projectId:10001`."""
    how, _, value = number.rpartition(":")
    by = {"": "d.id = ?1 OR p.key = ?1", "projectKey": "p.key = ?1", "projectId": "p.id = ?1"}.get(how, "0 = ?1")
    row = call.db.one(
        f"SELECT d.*, p.key, p.name FROM service_desk d JOIN project p ON p.id = d.project WHERE {by}", value
    )
    if row is None:
        raise JiraError(404, "The Service Desk you are trying to view does not exist.")
    return row


def of_path(call: Call) -> Row:
    return find(call, call.part("desk"))


def agent(call: Call, project: int) -> bool:
    return call.may(AGENT, project)


def need_agent(call: Call, project: int) -> None:
    """Raise `JiraError` 403 unless the caller is an agent of the desk."""
    if not agent(call, project):
        raise JiraError(403, "You do not have permission to do this: only agents of the service desk can.")


def kind_of(call: Call, desk: Row, number: str) -> Row:
    words = "The request type you are trying to view does not exist."
    return call.entry("request_type", number, words, desk=desk["id"])


def form_of(row: Row) -> dict[str, bool]:
    """Return the fields of a request type, and whether each is required."""
    return {name.removesuffix("!"): name.endswith("!") for name in row["fields"].split()}
