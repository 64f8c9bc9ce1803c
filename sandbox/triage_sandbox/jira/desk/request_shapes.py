"""Converts a customer request to Jira's JSON: fields, reporter, status, comments."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.desk import desks, service_desk, sla
from triage_sandbox.jira.desk.desks import agent, form_of
from triage_sandbox.jira.desk.service_desk import kind_shape
from triage_sandbox.jira.desk.shapes import address, date, paged, person
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import said
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.shapes import Shape

_EXPANDS: Final = ("participant", "status", "sla", "requestType", "serviceDesk", "comment", "attachment", "action")


def shape(call: Call, row: Row) -> Shape:
    """Return a request as JSON, with the parts that `expand` names."""
    body: Shape = {
        "_expands": list(_EXPANDS),
        "issueId": str(row["id"]),
        "issueKey": row["key"],
        "requestTypeId": str(row["kind"]),
        "serviceDeskId": str(row["desk"]),
        "createdDate": date(row["created"]),
        "reporter": person(call, call.entry("account", row["reporter"])),
        "requestFieldValues": _values(call, row),
        "currentStatus": _states(call, row)[0],
        "_links": {
            "jiraRest": f"{call.base}/rest/api/2/issue/{row['id']}",
            "web": f"{call.base}/servicedesk/customer/portal/{row['desk']}/{row['key']}",
            "self": address(call, f"request/{row['id']}"),
            "agent": f"{call.base}/browse/{row['key']}",
        },
    }
    body |= {"summary": row["summary"]} if call.site.cloud else {}
    return body | {name: _UNFOLDED[part](call, row) for part, name in _NAMES.items() if part in call.listed("expand")}


def _values(call: Call, row: Row) -> list[Shape]:
    kind = call.entry("request_type", row["kind"])
    project, page = call.entry("project", row["project"]), Issues(call, [row])
    chosen = fields.on_screen(call, project, " ".join(form_of(kind)))
    return [{"fieldId": field.id, "label": field.name, "value": field.read(page, row)} for field in chosen]


def _states(call: Call, row: Row) -> list[Shape]:
    """The states it has been in, the latest first."""
    states = [_state(call, row["status"], row["created"])]
    for change in call.db.all("SELECT created, items FROM change WHERE issue = ? ORDER BY id", row["id"]):
        for item in json.loads(change["items"]):
            if item["field"] == "status":
                states = [
                    _state(call, item["to"], change["created"]),
                    *states[:-1],
                    _state(call, item["from"], row["created"]),
                ]
    return states


def _state(call: Call, number: Any, since: int) -> Shape:
    row = call.entry("status", number)
    return {"status": row["name"], "statusCategory": row["category"].upper(), "statusDate": date(since)}


def participants(call: Call, row: Row) -> Shape:
    sql = "SELECT a.* FROM participant p JOIN account a ON a.id = p.account WHERE p.issue = ? ORDER BY a.shown"
    return paged(call, call.db.all(sql, row["id"]), person)


def states(call: Call, row: Row) -> Shape:
    return paged(call, _states(call, row), lambda _, state: state)


def heard(call: Call, row: Row) -> Shape:
    """Return the comments that the caller may see: customers only public ones."""
    wanted = {name: call.query(name, "true").casefold() == "true" for name in ("public", "internal")}
    wanted["internal"] = wanted["internal"] and agent(call, row["project"])
    rows = call.db.all("SELECT * FROM comment WHERE issue = ? ORDER BY id", row["id"])
    shown = [
        each
        for each in said.visible(call, rows)
        if wanted["internal" if said.internal(call.db, each["id"]) else "public"]
    ]
    return paged(call, shown, comment)


def comment(call: Call, row: Row) -> Shape:
    body = Body(row["body"], row["markup"])
    rendered = {"renderedBody": {"html": str(body.html)}} if "renderedBody" in call.listed("expand") else {}
    return {
        "_expands": ["attachment", "renderedBody"],
        "id": str(row["id"]),
        "body": body.markup,
        **rendered,
        "public": not said.internal(call.db, row["id"]),
        "author": person(call, call.entry("account", row["author"])),
        "created": date(row["created"]),
        "_links": {"self": address(call, f"request/{row['issue']}/comment/{row['id']}")},
    }


def nothing(call: Call, _: Row) -> Shape:
    """Return an empty list, for things that no request here has."""
    return paged(call, [], person)


_NAMES: Final = {
    "participant": "participants",
    "status": "status",
    "sla": "sla",
    "requestType": "requestType",
    "serviceDesk": "serviceDesk",
    "comment": "comments",
}
_UNFOLDED: Final[Mapping[str, Callable[[Call, Row], Shape]]] = {
    "participant": participants,
    "status": states,
    "sla": sla.shape,
    "requestType": lambda call, row: kind_shape(call, call.entry("request_type", row["kind"])),
    "serviceDesk": lambda call, row: service_desk.shape(call, desks.find(call, str(row["desk"]))),
    "comment": heard,
}
