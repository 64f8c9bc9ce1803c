"""Files, ties, sprints and comments where a Jira answers otherwise than ours in the sandbox do."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira.issue.files import NAME_LIMIT, file_name
from integrations.jira.ticket_writer import JiraWriter
from integrations.jira.tracker import JiraTracker
from tests.servers.scripted_jira import Reply, ScriptedJira, Slept, issue_of, page
from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected, TriageError, WriteUnconfirmed
from triage.domain.tickets import Created, Mark, TicketDraft, Upload

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(
    summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10", labels=("mail",)
)
FILE = Upload(name="a.txt", content_type="text/plain", content=b"a")
GONE = Reply(status=404, body={"errorMessages": ["Issue does not exist or you do not have permission to see it."]})


SCOPE = Reply(status=401, body={"code": 401, "message": "Unauthorized; scope does not match"})


# --- files -------------------------------------------------------------------------------------


@given(st.text())
def test_any_name_becomes_one_that_can_be_shown(name: str) -> None:
    """Short, on one line, without folders, printable; and made fit once, it stays as it is."""
    shown = file_name(name)

    assert 0 < len(shown) <= NAME_LIMIT
    assert shown.isprintable()
    assert not set(shown) & set('/\\":?*<|>')
    assert shown.strip(". ") or shown == "attachment"
    assert file_name(shown) == shown


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=413, body={"errorMessages": ["The file is too large."]}), "The file is too large"),
        (Reply(status=404, body={"errorMessages": ["No."]}), "too large, or our account may not attach"),
        (Reply(status=403, body={"errorMessages": ["You may not."]}), "You may not"),
        (Reply(status=413, body=b"<html><title>413 Request Entity Too Large</title>"), "413 Request Entity Too Large"),
    ],
    ids=["413", "404 of old servers", "no permission", "413 of a proxy"],
)
async def test_a_file_that_is_refused_is_told(
    jira: ScriptedJira, tracker: JiraTracker, reply: Reply, told: str
) -> None:
    """The ticket is there and the account alive: this file cannot be had, nothing more."""
    jira.on("POST issue/OPS-1/attachments", reply)
    with pytest.raises(TrackerRejected, match=told):
        await tracker.writer.attach("OPS-1", FILE)

    assert jira.times("POST issue/OPS-1/attachments") == 1


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(status=403, body=b"XSRF check failed"), TrackerDenied),
        (
            Reply(status=403, body={"message": "x"}, headers={"x-authentication-denied-reason": "CAPTCHA"}),
            TrackerDenied,
        ),
        (Reply(status=401, body={"message": "Client must be authenticated"}), TrackerRejected),
        (Reply(status=500), WriteUnconfirmed),
        (Reply(status=200, body=[]), WriteUnconfirmed),
        (Reply(status=200, body={"id": "7"}), WriteUnconfirmed),
        (Reply(drop=True), WriteUnconfirmed),
    ],
    ids=["xsrf", "captcha", "401 while reads work", "500", "no file named", "no list", "lost"],
)
async def test_an_upload_is_sent_once(
    jira: ScriptedJira, tracker: JiraTracker, reply: Reply, trouble: type[TriageError]
) -> None:
    """Whatever comes back."""
    jira.on("POST issue/OPS-1/attachments", reply)
    with pytest.raises(trouble):
        await tracker.writer.attach("OPS-1", FILE)

    assert jira.times("POST issue/OPS-1/attachments") == 1


async def test_a_ticket_that_went_meanwhile_is_gone(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The refusal is looked into: 404 may mean the file, the permission or the ticket."""
    await tracker.tickets.get("OPS-1")
    jira.on("GET issue/OPS-1", GONE)
    jira.on("POST issue/OPS-1/attachments", GONE)
    with pytest.raises(TicketGone):
        await tracker.writer.attach("OPS-1", FILE)


async def test_a_dead_token_is_no_missing_permission(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """401 of a write is looked into with a read."""
    await tracker.tickets.get("OPS-1")
    jira.on("GET issue/OPS-1", Reply(status=401))
    jira.on("POST issue/OPS-1/watchers", Reply(status=401, body={"errorMessages": ["You may not."]}))
    with pytest.raises(TrackerDenied):
        await tracker.writer.watch("OPS-1", "5b10")


@pytest.mark.parametrize("reply", [Reply(body={"enabled": False, "uploadLimit": 100}), GONE, SCOPE])
async def test_attachments_that_are_switched_off(jira: ScriptedJira, tracker: JiraTracker, reply: Reply) -> None:
    """Known beforehand, so nothing is sent."""
    jira.on("GET attachment/meta", reply)
    with pytest.raises(TrackerRejected, match="switched off"):
        await tracker.writer.attach("OPS-1", FILE)

    assert (await tracker.metadata.project()).upload_limit == 0
    assert jira.times("POST issue/OPS-1/attachments") == 0


# --- ties --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [GONE, SCOPE])
async def test_links_that_are_switched_off(jira: ScriptedJira, tracker: JiraTracker, reply: Reply) -> None:
    """Or that a scoped token does not reach; the project is read all the same."""
    jira.on("GET issueLinkType", reply)
    jira.on("GET issue/OPS-2", Reply(body=issue_of(2)))
    with pytest.raises(TrackerRejected, match="links are switched off"):
        await tracker.writer.link("OPS-1", "OPS-2", "Relates")

    assert (await tracker.metadata.project()).link_types == ()


async def test_a_link_is_said_by_its_subject(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The inward issue is the one that does it, whatever its name suggests."""
    jira.on("GET issue/OPS-2", Reply(body=issue_of(2)))
    jira.on("POST issueLink", Reply(status=201))
    await tracker.writer.link("OPS-1", "OPS-2", "duplicates")
    forwards = jira.last("POST issueLink").body
    await tracker.writer.link("OPS-1", "OPS-2", "is duplicated by")
    backwards = jira.last("POST issueLink").body

    assert forwards == {
        "type": {"name": "Duplicate"},
        "inwardIssue": {"key": "OPS-1"},
        "outwardIssue": {"key": "OPS-2"},
    }
    assert (backwards["inwardIssue"], backwards["outwardIssue"]) == ({"key": "OPS-2"}, {"key": "OPS-1"})


async def test_a_watcher_is_a_bare_string(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """An object is refused."""
    jira.on("POST issue/OPS-1/watchers", Reply(status=204))
    await tracker.writer.watch("OPS-1", "5b10")

    assert jira.last("POST issue/OPS-1/watchers").body == "5b10"


# --- sprints -----------------------------------------------------------------------------------


def boards(jira: ScriptedJira, *shapes: dict[str, Any]) -> None:
    """Boards of our project."""
    jira.on("GET agile/1.0/board", Reply(body={"values": list(shapes), "isLast": True}))


def sprint(number: int, state: str) -> dict[str, Any]:
    """A sprint as every Jira tells it."""
    return {"id": number, "name": f"Sprint {number}", "state": state}


FIELDS = [{"id": "customfield_9", "schema": {"custom": "com.pyxis.greenhopper.jira:gh-sprint"}}, {"id": "summary"}]
PRINTED = (
    "com.atlassian.greenhopper.service.sprint.Sprint@1f[id=7,rapidViewId=1,state=ACTIVE,name=A,goal=]",
    "com.atlassian.greenhopper.service.sprint.Sprint@2c[completeDate=<null>,endDate=<null>,goal=x,id=8,name=B,sequence=8]",
)


async def test_sprints_as_java_prints_them_are_counted(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Data Center shows them so inside tickets, older ones in another order."""
    jira.reset(cloud=False)
    boards(jira, {"id": 3, "type": "scrum"})
    jira.on("GET agile/1.0/board/3/sprint", Reply(body={"values": [sprint(7, "active"), sprint(8, "future")]}))
    jira.on("GET field", Reply(body=FIELDS))
    jira.on("POST search", page(issue_of(1, customfield_9=list(PRINTED)), issue_of(2, customfield_9=[PRINTED[1]]), 3))
    found = await tracker.sprints.sprints()

    assert {each.id: each.tickets for each in found if each.state != "closed"} == {7: 1, 8: 2}
    assert "sprint IN (7, 8" in jira.last("POST search").body["jql"]


async def test_our_own_board_comes_first(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Boards of other projects may show our tickets, too; those without sprints are passed over."""
    boards(
        jira,
        {"id": 1, "type": "scrum", "location": {"projectKey": "ELSE"}},
        {"id": 2, "type": "kanban", "location": {"projectKey": "OPS"}},
        {"id": 3, "type": "simple", "location": {"projectKey": "OPS"}},
        {"id": 4, "type": "scrum", "location": {"projectKey": "OPS"}},
    )
    refusal = Reply(status=400, body={"errorMessages": ["The board does not support sprints"]})
    jira.on("GET agile/1.0/board/3/sprint", refusal)
    jira.on("GET agile/1.0/board/4/sprint", Reply(body={"values": [sprint(7, "active")], "isLast": True}))
    jira.on("GET field", Reply(body=[]))
    found = await tracker.sprints.sprints()

    assert {each.name for each in found} == {"Sprint 7"}
    assert jira.times("GET agile/1.0/board/1/sprint") == jira.times("GET agile/1.0/board/2/sprint") == 0


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=404, body={"errorMessages": ["null for uri"]}),
        Reply(status=403, body={"errorMessages": ["You do not have a licence for Jira Software."]}),
    ],
    ids=["no boards in this Jira", "no licence"],
)
async def test_a_jira_without_boards_has_no_sprints(jira: ScriptedJira, tracker: JiraTracker, reply: Reply) -> None:
    """Which is no trouble."""
    jira.on("GET agile/1.0/board", reply)

    assert await tracker.sprints.sprints() == ()


# --- comments of service projects ------------------------------------------------------------------


SERVICE = Reply(body={"key": "OPS", "name": "Operations", "projectTypeKey": "service_desk"})
HIDDEN = {"key": "sd.public.comment", "value": {"internal": True}}


async def test_a_comment_that_came_out_public_is_hidden(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Cloud tells whether customers see it."""
    jira.on("GET project/OPS", SERVICE)
    jira.on("POST issue/OPS-1/comment", Reply(status=201, body={"id": "9", "jsdPublic": True}))
    jira.on("PUT comment/9/properties/sd.public.comment", Reply(status=200))
    number = await tracker.comments.comment("OPS-1", "Not for her.", MARK)

    assert number == "9"
    assert HIDDEN in jira.last("POST issue/OPS-1/comment").body["properties"]
    assert jira.last("PUT comment/9/properties/sd.public.comment").body == {"internal": True}


async def test_a_comment_that_cannot_be_hidden_is_told(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A person has to look at once."""
    jira.on("GET project/OPS", SERVICE)
    jira.on("POST issue/OPS-1/comment", Reply(status=201, body={"id": "9", "jsdPublic": True}))
    with pytest.raises(TrackerRejected, match="it stands there for customers to read"):
        await tracker.comments.comment("OPS-1", "Not for her.", MARK)


async def test_an_internal_comment_may_lose_our_property(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Never the one that hides it: our mark goes to the last line instead."""
    jira.on("GET project/OPS", SERVICE)
    jira.on(
        "POST issue/OPS-1/comment",
        Reply(status=400, body={"errorMessages": ["The property triage cannot be set."]}),
        Reply(status=201, body={"id": "9", "jsdPublic": False}),
    )
    await tracker.comments.comment("OPS-1", "Not for her.", MARK)
    sent = jira.last("POST issue/OPS-1/comment").body

    assert sent["properties"] == [HIDDEN]
    assert "triage-0123456789abcdef0abc" in str(sent["body"])


# --- requests --------------------------------------------------------------------------------------


REQUEST = {"issueId": "1", "issueKey": "OPS-8"}


async def desk(jira: ScriptedJira, slept: Slept, *fields: dict[str, Any]) -> JiraTracker:
    """The adapter on a service project whose request type asks for these."""
    jira.on("GET project/OPS", SERVICE)
    jira.on("GET servicedeskapi/servicedesk", Reply(body={"values": [{"id": "4", "projectKey": "OPS"}]}))
    kinds = {"values": [{"id": "5", "name": "Help"}], "isLastPage": True}
    jira.on("GET servicedeskapi/servicedesk/4/requesttype", Reply(body=kinds))
    jira.on("GET servicedeskapi/servicedesk/4/requesttype/5/field", Reply(body={"requestTypeFields": list(fields)}))
    return JiraTracker(jira.url, "OPS", token="x", request_type="help", sleep=slept)


def asked(name: str, **more: Any) -> dict[str, Any]:
    """A field of a request's form."""
    return {"fieldId": name, "name": name.title(), "required": False, "jiraSchema": {"type": "string"}, **more}


async def test_a_request_says_what_its_form_asks(jira: ScriptedJira, slept: Slept) -> None:
    """Text as wiki markup on Cloud too; what the form lacks comes with the marks, without what Jira refuses then."""
    choices = [{"value": "7", "label": "High", "children": []}]
    urgency = asked("priority", validValues=choices, jiraSchema={"type": "priority"})
    tracker = await desk(jira, slept, asked("summary", required=True), asked("description"), urgency)
    jira.on("POST servicedeskapi/request", Reply(status=201, body=REQUEST))
    jira.on(
        "PUT issue/OPS-8", Reply(status=400, body={"errors": {"assignee": "cannot be assigned"}}), Reply(status=204)
    )
    created = await tracker.writer.create(replace(DRAFT, priority="high"), MARK)
    await tracker.close()
    marking = jira.last("PUT issue/OPS-8").body

    assert jira.last("POST servicedeskapi/request").body == {
        "serviceDeskId": "4",
        "requestTypeId": "5",
        "requestFieldValues": {
            "summary": "Export fails",
            "description": "It _fails_.\n\ntriage-0123456789abcdef0abc",
            "priority": {"id": "7"},
        },
    }
    assert jira.last("POST servicedeskapi/request").headers["x-experimentalapi"] == "opt-in"
    assert created == Created(key="OPS-8", url="https://jira.example.com/browse/OPS-8", dropped=("assignee",))
    assert (marking["fields"], marking["update"]) == (
        {},
        {"labels": [{"add": "mail"}, {"add": "triage-0123456789abcdef0abc"}]},
    )
    assert marking["properties"][0]["value"]["label"] == "triage-0123456789abcdef0abc"


async def test_a_request_for_somebody_else_is_raised_on_demand(jira: ScriptedJira, slept: Slept) -> None:
    """Only where code asks for it: an agent's right, and a claim about who speaks."""
    tracker = await desk(jira, slept, asked("summary", required=True), asked("description"))
    jira.on("POST servicedeskapi/request", Reply(status=201, body=REQUEST))
    jira.on("PUT issue/OPS-8", Reply(status=204))
    await tracker.metadata.project()
    assert isinstance(tracker.writer, JiraWriter)
    parts = tracker.writer.jira
    assert parts.desk
    metadata = await parts.project.metadata(parts.session)
    await parts.desk.create(parts.session, metadata, DRAFT, MARK, behalf="5b10")
    await tracker.close()

    assert jira.last("POST servicedeskapi/request").body["raiseOnBehalfOf"] == "5b10"


@pytest.mark.parametrize("reply", [Reply(status=403), Reply(status=401), Reply(status=429), Reply(drop=True)])
async def test_no_trouble_behind_a_request_loses_it(jira: ScriptedJira, slept: Slept, reply: Reply) -> None:
    """The ticket stands with its line; an error would have it made a second time."""
    tracker = await desk(jira, slept, asked("summary", required=True), asked("description"))
    jira.on("POST servicedeskapi/request", Reply(status=201, body=REQUEST))
    jira.on("PUT issue/OPS-8", reply)
    created = await tracker.writer.create(DRAFT, MARK)
    await tracker.close()

    assert (created.key, created.dropped) == ("OPS-8", ("assignee", "labels"))


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(drop=True), WriteUnconfirmed),
        (Reply(status=500), WriteUnconfirmed),
        (Reply(status=201, body={"issueId": "1"}), WriteUnconfirmed),
        (Reply(status=401), TrackerDenied),
        (Reply(status=403, body={"errorMessage": "You may not raise requests."}), TrackerRejected),
        (Reply(status=404, body={"errorMessage": "The request type does not exist."}), TrackerRejected),
        (Reply(status=400, body={"errorMessage": "summary: required"}), TrackerRejected),
    ],
)
async def test_a_request_is_sent_once(
    jira: ScriptedJira, slept: Slept, reply: Reply, trouble: type[TriageError]
) -> None:
    """What may have happened is unsure; what Jira refuses in words is rejected with them."""
    tracker = await desk(jira, slept, asked("summary", required=True), asked("description"))
    jira.on("POST servicedeskapi/request", reply)
    with pytest.raises(trouble):
        await tracker.writer.create(replace(DRAFT, description="Short."), MARK)
    await tracker.close()

    assert jira.times("POST servicedeskapi/request") == 1
    assert jira.times("PUT issue/OPS-8") == 0


async def test_a_form_without_a_description_is_refused(jira: ScriptedJira, slept: Slept) -> None:
    """The mark has no place there, and without it a lost answer would mean a second ticket."""
    tracker = await desk(jira, slept, asked("summary", required=True), asked("description", visible=False))
    with pytest.raises(TrackerRejected, match="asks for no description"):
        await tracker.writer.create(DRAFT, MARK)
    await tracker.close()

    assert jira.times("POST servicedeskapi/request") == 0
