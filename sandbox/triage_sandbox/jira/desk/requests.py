"""Endpoints that create, comment, move and follow customer requests."""

from dataclasses import replace
from typing import Any, Final

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, items_of, must, shows
from triage_sandbox.jira.desk import desks, request_shapes, sla
from triage_sandbox.jira.desk.customers import each_named, named
from triage_sandbox.jira.desk.desks import agent, form_of, kind_of
from triage_sandbox.jira.desk.shapes import paged, spoken
from triage_sandbox.jira.ground import projects, tickets
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import issues, said
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.fields.forms import Form
from triage_sandbox.jira.rest.issues import comments, workflow

_SELECT: Final = (
    "SELECT t.*, r.type AS kind, d.id AS desk FROM ticket t JOIN request r ON r.issue = t.id"
    " JOIN request_type k ON k.id = r.type JOIN service_desk d ON d.id = k.desk"
)
_OWNERSHIP: Final = {
    "OWNED_REQUESTS": "t.reporter = ?1",
    "PARTICIPATED_REQUESTS": "t.id IN (SELECT issue FROM participant WHERE account = ?1)",
}
_STATUS: Final = {
    "OPEN_REQUESTS": "t.resolution IS NULL",
    "CLOSED_REQUESTS": "t.resolution IS NOT NULL",
    "ALL_REQUESTS": "1",
}


def find(call: Call) -> Row:
    """Return the request that the path names. Raises `JiraError` 404 unless the caller is its agent, reporter or participant."""
    issue = tickets.find(call.db, call.part("key"))
    row = None if issue is None else call.db.one(f"{_SELECT} WHERE t.id = ?", issue["id"])
    if row is None or not (agent(call, row["project"]) or _involved(call, row)):
        raise JiraError(404, "The request does not exist or you do not have permission to view it.")
    return row


def team_s(call: Call) -> Row:
    """Return the request for agents alone, such as for SLAs, which customers do not see."""
    row = find(call)
    desks.need_agent(call, row["project"])
    return row


def _involved(call: Call, row: Row) -> bool:
    sql = "SELECT 1 FROM participant WHERE issue = ? AND account = ?"
    return row["reporter"] == call.me or call.db.one(sql, row["id"], call.me) is not None


def listed(call: Call) -> Answer:
    """Return a page of the requests that the caller raised or takes part in."""
    named_ones = [_OWNERSHIP[name] for name in call.listed("requestOwnership") if name in _OWNERSHIP]
    either = named_ones or list(_OWNERSHIP.values())
    where = f"({' OR '.join(either)}) AND {_STATUS.get(call.query('requestStatus'), '1')}"
    wanted = {"desk": call.query("serviceDeskId"), "kind": call.query("requestTypeId")}
    rows = [
        row
        for row in call.db.all(f"{_SELECT} WHERE {where} ORDER BY t.created DESC, t.id DESC", call.me)
        if all(number in {"", str(row[name])} for name, number in wanted.items())
        and call.query("searchTerm").casefold() in f"{row['summary']} {row['description_plain']}".casefold()
    ]
    return Answer(paged(call, rows, request_shapes.shape))


# --- raised -----------------------------------------------------------------------------------


def raised(call: Call) -> Answer:
    data = call.object()
    desk = desks.find(call, str(data.get("serviceDeskId") or ""))
    kind = kind_of(call, desk, str(data.get("requestTypeId") or ""))
    reporter = _reporter(call, desk, data.get("raiseOnBehalfOf"))
    others = named(call, {"accountIds": items_of(data, "requestParticipants")})
    project = call.entry("project", desk["project"])
    versioned = replace(call, version="3") if data.get("isAdfRequest") is True and call.site.cloud else call
    values = _form(versioned, project, kind, data) | {"type": kind["type"], "reporter": reporter, "creator": call.me}
    values = issues.with_defaults(call, project, values, call.me)
    issue = issues.insert(call.db, project["id"], values, call.site.now())
    call.db.insert("request", {"issue": issue, "type": kind["id"]})
    for account in others:
        call.db.run("INSERT OR IGNORE INTO participant (issue, account) VALUES (?, ?)", issue, account)
    call.db.run("INSERT OR IGNORE INTO customer (desk, account) VALUES (?, ?)", desk["id"], reporter)
    row = call.db.one(f"{_SELECT} WHERE t.id = ?", issue)
    assert row is not None  # noqa: S101 - just made
    return Answer(request_shapes.shape(call, row), 201)


def _form(call: Call, project: Row, kind: Row, data: dict[str, Any]) -> dict[str, Any]:
    """What was filled in, checked like any other form."""
    sent, asked = data.get("requestFieldValues") or {}, form_of(kind)
    if not isinstance(sent, dict):
        raise JiraError(400, "requestFieldValues must be an object.")
    form = Form(call, project, fields.on_screen(call, project, " ".join(asked))).fill({"fields": sent})
    for name, required in asked.items():
        if required and sent.get(name) in (None, "", []):
            words = "You must specify a summary of the issue." if name == "summary" else "This field is required."
            form.errors.setdefault(name, words)
    return form.complete()


def _reporter(call: Call, desk: Row, on_behalf_of: Any) -> str:
    """Who asks: the caller, or somebody for whom an agent speaks."""
    if on_behalf_of in {None, ""}:
        return call.me
    desks.need_agent(call, desk["project"])
    row = call.account(on_behalf_of)
    if row is None or not row["active"]:
        raise JiraError(400, f"The user '{on_behalf_of}' does not exist.")
    return str(row["id"])


# --- talked about -----------------------------------------------------------------------------


def one_heard(call: Call) -> Answer:
    row = find(call)
    found = call.db.find("comment", id=call.part("comment"), issue=row["id"])
    hidden = found is not None and said.internal(call.db, found["id"]) and not agent(call, row["project"])
    if found is None or hidden or not said.visible(call, [found]):
        raise JiraError(404, "The comment does not exist or you do not have permission to view it.")
    return Answer(request_shapes.comment(call, found))


def say(call: Call) -> Answer:
    """Add a comment, public or (agents alone) internal."""
    row, data = find(call), call.object()
    public = data.get("public", True)
    if not isinstance(public, bool):
        raise JiraError(400, "public must be true or false.")
    if not public:
        desks.need_agent(call, row["project"])
    kept = [] if public else [{"key": said.PUBLIC, "value": {"internal": True}}]
    return Answer(
        request_shapes.comment(call, comments.say(call, row, {"body": data.get("body"), "properties": kept})), 201
    )


# --- moved and followed -----------------------------------------------------------------------


def ways(call: Call) -> Answer:
    """Return the transitions of a request that the caller may use."""
    return Answer(paged(call, _ways(call, find(call)), lambda _, way: {"id": str(way["id"]), "name": way["name"]}))


def _ways(call: Call, row: Row) -> list[Row]:
    """Customers move their requests, too, by all the ways that there are."""
    return projects.ways(call.db, row["project"], row["status"])


def go(call: Call) -> Answer:
    """Carry out a transition, with a comment if one is sent."""
    row, data = find(call), call.object()
    found = next((way for way in _ways(call, row) if str(way["id"]) == str(data.get("id"))), None)
    way, word = must(found, "The transition is not valid for this request.", 400), data.get("additionalComment")
    issues.change(call, row, workflow.moved(call, row, call.entry("status", way["target"])))
    if isinstance(word, dict):
        comments.say(call, row, {"body": word.get("body")})
    return DONE


def participants(call: Call) -> Answer:
    return Answer(request_shapes.participants(call, find(call)))


def add_participants(call: Call) -> Answer:
    each_named(call, "INSERT OR IGNORE INTO participant (issue, account) VALUES (?, ?)", find(call)["id"])
    return participants(call)


def remove_participants(call: Call) -> Answer:
    each_named(call, "DELETE FROM participant WHERE issue = ? AND account = ?", find(call)["id"])
    return participants(call)


_REQUEST: Final = "request"
_ONE: Final = f"{_REQUEST}/{{key}}"

ROUTES: Final = (
    spoken("GET", _REQUEST, listed),
    spoken("POST", _REQUEST, raised),
    spoken("GET", _ONE, shows(request_shapes.shape, find)),
    spoken("GET", f"{_ONE}/comment", shows(request_shapes.heard, find)),
    spoken("POST", f"{_ONE}/comment", say),
    spoken("GET", f"{_ONE}/comment/{{comment}}", one_heard),
    spoken("GET", f"{_ONE}/status", shows(request_shapes.states, find)),
    spoken("GET", f"{_ONE}/transition", ways, experimental=True),
    spoken("POST", f"{_ONE}/transition", go, experimental=True),
    spoken("GET", f"{_ONE}/participant", participants),
    spoken("POST", f"{_ONE}/participant", add_participants),
    spoken("DELETE", f"{_ONE}/participant", remove_participants),
    spoken("GET", f"{_ONE}/sla", shows(sla.shape, team_s)),
    spoken("GET", f"{_ONE}/approval", shows(request_shapes.nothing, find)),
)
