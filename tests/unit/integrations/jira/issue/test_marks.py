"""Finding our own tickets and comments again, on either Jira."""

from dataclasses import replace
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.scripted_jira import Passed, Reply, ScriptedJira, issue_of, page
from triage.domain.errors import (
    TicketGone,
    TrackerDown,
    TrackerRejected,
    TriageError,
    WriteUnconfirmed,
)
from triage.domain.tickets import Created, Mark, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


# --- finding again -----------------------------------------------------------------------------


def marked(number: int, *, creator: str = "me", **more: Any) -> dict[str, Any]:
    """An issue as the probe sees it."""
    return (
        issue_of(number, creator={"accountId": creator, "name": creator}, labels=["triage-0123456789abcdef0abc"]) | more
    )


def bulk(*issues: Any) -> Reply:
    """An answer of bulkfetch."""
    return Reply(body={"issues": list(issues), "issueErrors": []})


async def test_a_lost_ticket_is_found_by_its_number(
    jira: ScriptedJira, tracker: JiraTracker, landmarks: Passed
) -> None:
    """Upward from the highest known one; a copied label of somebody else does not count."""
    jira.on("POST issue/bulkfetch", bulk(marked(12, creator="eve"), issue_of(13), marked(14)))
    found = await tracker.writer.adopt(MARK, above=11)
    body = jira.last("POST issue/bulkfetch").body

    assert found == Created(key="OPS-14", url="https://jira.example.com/browse/OPS-14")
    assert (body["issueIdsOrKeys"][0], body["issueIdsOrKeys"][-1]) == ("OPS-12", "OPS-111")
    assert landmarks == ["marker.probe"]


async def test_a_property_is_as_good_as_a_label(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Where the screen takes no labels."""
    jira.on(
        "POST issue/bulkfetch", bulk(marked(12) | property_of_mark() | {"fields": {"creator": {"accountId": "me"}}})
    )

    assert (await tracker.writer.adopt(MARK, above=11)) is not None


def property_of_mark() -> dict[str, Any]:
    """The properties of an issue that carries our mark."""
    return {"properties": {"triage": {"label": "triage-0123456789abcdef0abc"}}}


async def test_twenty_misses_end_the_probe(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Then the label is searched; nothing found is said as nothing."""
    jira.on("POST issue/bulkfetch", bulk(issue_of(20)))
    jira.on("POST search/jql", page(20), NONE)

    assert await tracker.writer.adopt(MARK, above=11) is None
    assert jira.times("POST issue/bulkfetch") == 1
    assert (
        jira.last("POST search/jql").body["jql"]
        == '(labels = "triage-0123456789abcdef0abc" OR text ~ "triage 0123456789abcdef0abc") AND creator = currentUser()'
    )


async def test_a_ticket_behind_a_gap_is_found_by_its_label(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The index knows what twenty misses hid."""
    jira.on("POST issue/bulkfetch", bulk())
    jira.on("POST search/jql", page(11), page(marked(90, creator="eve"), marked(95)))
    found = await tracker.writer.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-95"


async def test_the_probe_goes_on_where_the_index_has_higher_numbers(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Hidden tickets look like the end."""
    jira.on("POST issue/bulkfetch", bulk(), bulk(marked(201)))
    jira.on("POST search/jql", page(200))
    found = await tracker.writer.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-201"


async def test_without_a_known_number_the_index_gives_one(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """After a restore there may be none."""
    jira.on("POST search/jql", page(50))
    jira.on("POST issue/bulkfetch", bulk(marked(51)))
    found = await tracker.writer.adopt(MARK, above=0)

    assert found
    assert jira.last("POST issue/bulkfetch").body["issueIdsOrKeys"][0] == "OPS-51"


async def test_the_probe_gives_up_after_a_thousand(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """So many new tickets since then that the index knows the one we look for."""
    jira.on(
        "POST issue/bulkfetch",
        *(bulk(*(issue_of(number) for number in range(n, n + 100))) for n in range(2, 1002, 100)),
    )
    jira.on("POST search/jql", page(1001), page(marked(500)))
    found = await tracker.writer.adopt(MARK, above=1)

    assert found
    assert found.key == "OPS-500"


async def test_a_ticket_that_cannot_be_read_just_now_is_no_miss(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """It might be the one."""
    jira.on("POST issue/bulkfetch", Reply(body={"issues": [], "issueErrors": [{"id": "12", "errorMessage": "retry"}]}))
    with pytest.raises(TrackerDown):
        await tracker.writer.adopt(MARK, above=11)


async def test_data_center_is_probed_ticket_by_ticket(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """It has no bulk read."""
    jira.reset(cloud=False)
    jira.on("POST search", NONE)
    jira.on("GET issue/OPS-13", Reply(body=issue_of(13, creator={"name": "eve"}, labels=[])))
    jira.on("GET issue/OPS-15", Reply(body=marked(15)))
    found = await tracker.writer.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-15"
    assert jira.last("GET issue/OPS-15").query == {"fields": "labels,creator,description", "properties": "triage"}


async def test_data_center_is_asked_for_the_mark_first(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Its index is seldom behind, and that is one request instead of twenty."""
    jira.reset(cloud=False)
    jira.on("POST search", page(marked(15)))
    found = await tracker.writer.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-15"
    assert jira.times("GET issue/OPS-12") == 0


async def test_what_was_read_is_not_read_again(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Neither by a later look nor by that for another mark: the next one asks for new numbers alone."""
    jira.reset(cloud=False)
    jira.on("POST search", NONE)
    jira.on("GET issue/OPS-12", Reply(body=issue_of(12, creator={"name": "eve"}, labels=[])))
    jira.on("GET issue/OPS-13", Reply(body=marked(13)))
    nothing = await tracker.writer.adopt(replace(MARK, label="triage-00000000000000000002"), above=11)
    found = await tracker.view().writer.adopt(MARK, above=11)

    assert (nothing, found and found.key) == (None, "OPS-13")
    assert [jira.times(f"GET issue/OPS-{number}") for number in (12, 13)] == [1, 1]


# --- comments ----------------------------------------------------------------------------------


def comments(*each: dict[str, Any], total: int | None = None) -> Reply:
    """A page of comments."""
    return Reply(body={"comments": list(each), "total": len(each) if total is None else total})


def said(number: int, *, author: str = "me", **more: Any) -> dict[str, Any]:
    """A comment."""
    return {"id": str(number), "author": {"accountId": author, "name": author}, "body": {}} | more


HELD = [{"key": "sd.public.comment", "value": {}}, {"key": "triage", "value": {"label": "triage-0123456789abcdef0abc"}}]


async def test_a_comment_carries_its_mark(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """As a property that no reader sees."""
    jira.on("POST issue/OPS-1/comment", Reply(status=201, body={"id": "77"}))
    number = await tracker.comments.comment("OPS-1", "Seen **again**.", MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert number == "77"
    assert body["properties"][0]["value"]["label"] == "triage-0123456789abcdef0abc"
    assert "triage-0123456789abcdef0abc" not in str(body["body"])


async def test_a_comment_falls_back_to_a_last_line(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Where Jira refuses properties."""
    jira.on("POST issue/OPS-1/comment", REFUSED, Reply(status=201, body={"id": "77"}))
    await tracker.comments.comment("OPS-1", "Seen again.", MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert "properties" not in body
    assert body["body"]["content"][-1] == {
        "type": "paragraph",
        "content": [{"type": "text", "text": "triage-0123456789abcdef0abc"}],
    }


async def test_a_long_comment_is_shortened_at_last(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Jira's limit may be lower than we think."""
    jira.reset(cloud=False)
    jira.on("POST issue/OPS-1/comment", REFUSED, REFUSED, Reply(status=201, body={"id": "77"}))
    await tracker.comments.comment("OPS-1", "word " * 9000, MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert len(body["body"]) < 9000
    assert body["properties"]


async def test_a_refused_comment_is_rejected(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """After the ways there are."""
    jira.on("POST issue/OPS-1/comment", REFUSED)
    with pytest.raises(TrackerRejected):
        await tracker.comments.comment("OPS-1", "x", MARK)

    assert jira.times("POST issue/OPS-1/comment") == 2


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(drop=True), WriteUnconfirmed),
        (Reply(status=502), WriteUnconfirmed),
        (Reply(status=201, body={}), WriteUnconfirmed),
        (Reply(status=404, body={"errorMessages": ["no"]}), TicketGone),
    ],
)
async def test_a_comment_is_sent_once(
    jira: ScriptedJira, tracker: JiraTracker, reply: Reply, trouble: type[TriageError]
) -> None:
    """As every write."""
    jira.on("POST issue/OPS-1/comment", reply)
    with pytest.raises(trouble):
        await tracker.comments.comment("OPS-1", "x", MARK)

    assert jira.times("POST issue/OPS-1/comment") == 1


async def test_a_comment_is_found_by_its_property(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The newest first, page by page; a copy by somebody else does not count."""
    jira.on(
        "GET issue/OPS-1/comment",
        comments(said(9, author="eve", properties=HELD), said(8, properties=[]), total=4),
        comments(said(7, properties=HELD), said(6), total=4),
    )

    assert await tracker.comments.commented("OPS-1", MARK) == "7"
    assert jira.last("GET issue/OPS-1/comment").query["startAt"] == "2"
    assert jira.last("GET issue/OPS-1/comment").query["orderBy"] == "-created"


@pytest.mark.parametrize(
    "body",
    [
        "Seen again.\n\ntriage-0123456789abcdef0abc\n",
        {"content": [{"content": [{"type": "text", "text": "triage-0123456789abcdef0abc"}]}]},
    ],
)
async def test_a_comment_is_found_by_its_last_line(jira: ScriptedJira, tracker: JiraTracker, body: Any) -> None:
    """In either format."""
    jira.on("GET issue/OPS-1/comment", comments(said(5, body=body, properties=[])))

    assert await tracker.comments.commented("OPS-1", MARK) == "5"


async def test_a_comment_is_found_where_the_list_tells_no_properties(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Each of ours is asked for its own."""
    jira.on("GET issue/OPS-1/comment", comments(said(5), said(4), said(3, author="eve")))
    jira.on("GET comment/4/properties/triage", Reply(body=HELD[1]))

    assert await tracker.comments.commented("OPS-1", MARK) == "4"
    assert jira.times("GET comment/5/properties/triage") == 1


async def test_no_comment_is_found_where_there_is_none(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """To the last page."""
    jira.on(
        "GET issue/OPS-1/comment", comments(said(5, properties=[]), total=2), comments(said(4, properties=[]), total=2)
    )

    assert await tracker.comments.commented("OPS-1", MARK) is None
