"""Writing to a Jira that refuses, dies or asks for more: one request each, a plainer one after a 400."""

from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.scripted_jira import Passed, Reply, ScriptedJira, issue_of, page
from triage.domain.errors import (
    TrackerBusy,
    TrackerDenied,
    TrackerRejected,
    TriageError,
    WriteUnconfirmed,
)
from triage.domain.tickets import Created, Mark, TicketChange, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


# --- creating ----------------------------------------------------------------------------------


async def test_a_ticket_takes_one_post(jira: ScriptedJira, tracker: JiraTracker, landmarks: Passed) -> None:
    """And no read behind it, once the form is known; the crash harness is told before and behind it."""
    await tracker.metadata.project()
    view = tracker.view()
    jira.on("POST issue", Reply(status=201, body={"id": "1", "key": "OPS-8"}))
    created = await view.writer.create(DRAFT, MARK)

    assert created == Created(key="OPS-8", url="https://jira.example.com/browse/OPS-8")
    assert view.metadata.calls == 1
    assert landmarks == ["effect.on_wire", "effect.answered"]


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(drop=True), WriteUnconfirmed),
        (Reply(drop=True, body={"key": "OPS-8"}), WriteUnconfirmed),
        (Reply(status=500), WriteUnconfirmed),
        (Reply(status=503, headers={"retry-after": "1"}), WriteUnconfirmed),
        (Reply(status=201, body={"id": "1"}), WriteUnconfirmed),
        (Reply(status=201, body=b'{"key": "OP'), WriteUnconfirmed),
        (Reply(status=201), WriteUnconfirmed),
        (Reply(status=200, body=b"<html>login</html>"), WriteUnconfirmed),
        (Reply(status=401), TrackerDenied),
        (Reply(status=403), TrackerDenied),
        (Reply(status=302, headers={"location": "https://evil.example/"}), TrackerDenied),
        (Reply(status=429, headers={"retry-after": "5"}), TrackerBusy),
    ],
)
async def test_a_write_is_sent_once(
    jira: ScriptedJira, tracker: JiraTracker, reply: Reply, trouble: type[TriageError]
) -> None:
    """Whatever comes back, there is no second POST; what may have happened is unsure."""
    jira.on("POST issue", reply)
    with pytest.raises(trouble):
        await tracker.writer.create(DRAFT, MARK)

    assert jira.times("POST issue") == 1


@pytest.mark.parametrize("patience", [3.0])
async def test_a_write_whose_answer_drips_is_sent_once(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """An answer that comes byte by byte for longer than we wait is lost, and there is no second POST."""
    jira.on("POST issue", Reply(body={"key": "OPS-8"}, drip=1.0))
    with pytest.raises(WriteUnconfirmed):
        await tracker.writer.create(DRAFT, MARK)

    assert jira.times("POST issue") == 1


async def test_a_refused_field_is_left_out(jira: ScriptedJira, tracker: JiraTracker, landmarks: Passed) -> None:
    """A 400 created nothing, so a plainer ticket is sent, and what it lacks is told."""
    jira.on(
        "POST issue",
        Reply(status=400, body={"errorMessages": [], "errors": {"assignee": "cannot be assigned"}}),
        Reply(status=400, body={"errors": {"labels": "Field 'labels' cannot be set."}}),
        Reply(status=201, body={"key": "OPS-8"}),
    )
    created = await tracker.writer.create(DRAFT, MARK)

    assert created.dropped == ("assignee", "marker")
    assert "assignee" not in jira.last("POST issue").body["fields"]
    assert jira.last("POST issue").body["properties"][0]["key"] == "triage"
    assert landmarks == ["effect.on_wire", "effect.answered"] * 3


async def test_what_stays_refused_is_rejected(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """With Jira's own words."""
    jira.on("POST issue", REFUSED)
    with pytest.raises(TrackerRejected, match=r"No\."):
        await tracker.writer.create(DRAFT, MARK)


# --- changing ----------------------------------------------------------------------------------


async def test_a_change_is_one_put(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Of what is new only; the ticket has just been read."""
    jira.on("PUT issue/OPS-1", Reply(status=204))
    await tracker.tickets.get("OPS-1")
    view = tracker.view()
    await view.writer.change("OPS-1", TicketChange(summary="A\nB", assignee="5b10"))

    assert jira.last("PUT issue/OPS-1").body == {"fields": {"summary": "A B", "assignee": {"accountId": "5b10"}}}
    assert view.metadata.calls == 1


async def test_no_change_is_no_request(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Nothing new, nothing sent."""
    await tracker.writer.change("OPS-1", TicketChange())

    assert [each.method for each in jira.journal if each.path != "serverInfo"] == []


def transitions(*ways: dict[str, Any]) -> Reply:
    """What can be done with a ticket."""
    return Reply(body={"transitions": list(ways)})


def way(number: int, to: str, **fields: Any) -> dict[str, Any]:
    """A transition, called otherwise than the status it leads to."""
    return {"id": str(number), "name": f"Step {number}", "to": {"name": to}, "fields": fields}


RESOLUTIONS = [{"id": "2", "name": "Won't Do"}, {"id": "1", "name": "Done"}]
SENT = Reply(status=204)


async def test_a_ticket_is_moved_by_the_status_it_shall_have(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """In any case of letters, by the way that demands the least."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on(
        "GET issue/OPS-1/transitions",
        transitions(way(5, "Done", customfield_1={"required": True}), way(6, "Done"), way(7, "In Progress")),
    )
    jira.on("POST issue/OPS-1/transitions", SENT)
    await tracker.writer.transition("OPS-1", "done")

    assert jira.last("POST issue/OPS-1/transitions").body == {"transition": {"id": "6"}}
    assert jira.last("GET issue/OPS-1/transitions").query == {"expand": "transitions.fields"}


async def test_a_ticket_that_is_there_already_is_left_alone(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """So a repeated move does no harm."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    await tracker.writer.transition("OPS-1", "TO DO")

    assert jira.times("GET issue/OPS-1/transitions") == 0


@pytest.mark.parametrize("offered", [(), (way(6, "Done"),)], ids=["before the ways are read", "before one is taken"])
async def test_a_ticket_that_another_moves_meanwhile_is_there(
    jira: ScriptedJira, tracker: JiraTracker, offered: tuple[dict[str, Any], ...]
) -> None:
    """Two processes that close one ticket at the same moment have both closed it, though the workflow allows one move."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)), Reply(body=issue_of(1, status={"name": "Done"})))
    jira.on("GET issue/OPS-1/transitions", transitions(*offered))
    jira.on("POST issue/OPS-1/transitions", REFUSED)
    await tracker.writer.transition("OPS-1", "Done")

    assert jira.times("GET issue/OPS-1") == 2


async def test_a_status_out_of_reach_is_told_with_those_in_reach(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The model or a person can choose one of them."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(7, "In Progress"), way(8, "Blocked")))
    with pytest.raises(TrackerRejected, match="from To Do it can go to: Blocked, In Progress"):
        await tracker.writer.transition("OPS-1", "Done")


async def test_a_resolution_is_filled_in_where_it_is_demanded(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """One that says the work is done."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    demanded = {"required": True, "allowedValues": RESOLUTIONS}
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done", resolution=demanded)))
    jira.on("POST issue/OPS-1/transitions", SENT)
    await tracker.writer.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body["fields"] == {"resolution": {"name": "Done"}}


async def test_a_resolution_that_the_screen_kept_quiet_is_filled_in(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The workflow demands what the metadata did not tell."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done")))
    jira.on("GET resolution", Reply(body=RESOLUTIONS))
    jira.on(
        "POST issue/OPS-1/transitions",
        Reply(status=400, body={"errorMessages": ["Field Resolution is required."]}),
        SENT,
    )
    await tracker.writer.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body["fields"] == {"resolution": {"name": "Done"}}


async def test_a_resolution_that_cannot_be_set_is_left_out(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The other way round."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    demanded = {"required": True, "allowedValues": RESOLUTIONS}
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done", resolution=demanded)))
    jira.on("POST issue/OPS-1/transitions", Reply(status=400, body={"errors": {"resolution": "cannot be set"}}), SENT)
    await tracker.writer.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body == {"transition": {"id": "6"}}


async def test_another_demand_of_the_workflow_is_told(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A person has to fill it in."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done")))
    jira.on("POST issue/OPS-1/transitions", Reply(status=400, body={"errors": {"customfield_1": "Root cause?"}}))
    with pytest.raises(TrackerRejected, match="Root cause"):
        await tracker.writer.transition("OPS-1", "Done")

    assert jira.times("POST issue/OPS-1/transitions") == 1
