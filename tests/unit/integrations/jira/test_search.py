"""Searching a Jira that says what no sandbox would: pages, doubt about emptiness, foreign tickets."""

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.scripted_jira import Reply, ScriptedJira, issue_of, page
from triage.domain.errors import (
    ProjectHidden,
    TicketGone,
    TrackerDenied,
    TrackerDown,
)
from triage.domain.tickets import Mark, TicketChange, TicketDraft, TicketQuery

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


async def test_cloud_is_asked_by_the_enhanced_search(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """One request, with the fields named, since Cloud gives ids alone otherwise."""
    jira.on("POST search/jql", page(2, 1))
    await tracker.tickets.search(TicketQuery(words=("export",), status="To Do", assignee="5b10", days=7, limit=20))
    body = jira.last("POST search/jql").body

    assert body["jql"] == (
        'project = "OPS" AND (text ~ "export" AND status = "To Do" AND assignee = "5b10" AND updated >= -7d)'
        " ORDER BY updated DESC"
    )
    assert body["maxResults"] == 20
    assert "summary" in body["fields"]
    assert tracker.metadata.calls == 2


async def test_history_is_read_downward(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """By number, from the newest or from a ticket that has been reached, with the largest pages."""
    jira.on("POST search/jql", page(9, 8), page(7))
    await tracker.tickets.search(TicketQuery(below=0, limit=600))
    first = jira.last("POST search/jql").body
    await tracker.tickets.search(TicketQuery(below=8, limit=600))
    second = jira.last("POST search/jql").body

    assert first["jql"] == 'project = "OPS" ORDER BY key DESC'
    assert second["jql"] == 'project = "OPS" AND (key < "OPS-8") ORDER BY key DESC'
    assert first["maxResults"] == 500


async def test_data_center_is_asked_by_the_classic_search(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Page by page, by number."""
    jira.reset(cloud=False)
    jira.on("POST search", page(*range(1, 101), total=130), page(*range(101, 131), total=130))
    found = await tracker.tickets.search(TicketQuery(limit=200))

    assert len(found) == 130
    assert [each.body.get("startAt") for each in jira.journal[1:]] == [None, 100]
    assert jira.last("POST search").body["jql"] == 'project = "OPS" ORDER BY updated DESC'


async def test_pages_are_followed_by_their_token(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Until as many as wanted are there."""
    jira.on("POST search/jql", page(1, nextPageToken="a"), page(2, nextPageToken="b"), page(3))
    found = await tracker.tickets.search(TicketQuery(limit=50))

    assert [ticket.number for ticket in found] == [1, 2, 3]
    assert jira.last("POST search/jql").body["nextPageToken"] == "b"


async def test_a_token_that_comes_again_ends_the_search(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Jira has answered the same page for ever; a ticket that stands on two pages is one ticket."""
    jira.on("POST search/jql", page(1, nextPageToken="a"))

    assert [ticket.key for ticket in await tracker.tickets.search(TicketQuery(limit=50))] == ["OPS-1"]


async def test_foreign_tickets_are_dropped(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Whatever made Jira answer with them."""
    jira.on("POST search/jql", page(1, issue_of(2) | {"key": "HR-2"}, issue_of(3) | {"key": "OPS2-3"}))

    assert [ticket.key for ticket in await tracker.tickets.search(TicketQuery())] == ["OPS-1"]


async def test_a_renamed_project_is_told(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The old key still finds everything, under a new name: that is no empty project."""
    jira.on("POST search/jql", page(issue_of(2) | {"key": "NEW-2"}))
    with pytest.raises(ProjectHidden, match="NEW-2"):
        await tracker.tickets.search(TicketQuery())


async def test_the_best_match_comes_first(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Rare words outweigh common ones, and the summary outweighs the text; ties stay as Jira had them."""
    jira.on(
        "POST search/jql",
        page(
            issue_of(1, summary="Login fails"),
            issue_of(2, summary="Login slow"),
            issue_of(3, summary="Login again", description={"content": [{"type": "text", "text": "invoice"}]}),
            issue_of(4, summary="Invoice export and login"),
        ),
    )
    found = await tracker.tickets.search(TicketQuery(words=("login", "Invoice")))

    assert [ticket.number for ticket in found] == [4, 3, 1, 2]


async def test_words_without_letters_find_nothing(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """And are not asked for, since without them the search would find everything."""
    assert await tracker.tickets.search(TicketQuery(words=("???", " "))) == ()
    assert jira.journal == []


async def test_an_empty_answer_is_believed_where_the_project_shows_tickets(
    jira: ScriptedJira, tracker: JiraTracker
) -> None:
    """One more request settles it."""
    jira.on("POST search/jql", NONE, page(9))

    assert await tracker.tickets.search(TicketQuery(words=("nothing",))) == ()
    assert tracker.metadata.calls == 3


async def test_an_empty_answer_to_a_dead_token_is_not_believed(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Strangers may search, and see nothing; they may not ask who they are."""
    jira.on("POST search/jql", NONE)
    jira.on("GET myself", Reply(status=401))
    with pytest.raises(TrackerDenied):
        await tracker.tickets.search(TicketQuery(words=("nothing",)))


async def test_an_empty_project_is_believed_once_it_was_never_seen_otherwise(
    jira: ScriptedJira, tracker: JiraTracker
) -> None:
    """A new project holds nothing."""
    jira.on("POST search/jql", NONE)

    assert await tracker.tickets.search(TicketQuery(words=("nothing",))) == ()
    assert await tracker.tickets.newest() == 0


async def test_a_project_does_not_become_empty(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """It has shown tickets before: the index is broken, not the project empty."""
    jira.on("POST search/jql", page(9), NONE)
    await tracker.tickets.newest()
    with pytest.raises(TrackerDown, match="looks empty"):
        await tracker.tickets.search(TicketQuery(words=("nothing",)))


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body={"issues": []}, headers={"x-seraph-loginreason": "AUTHENTICATED_FAILED"}),
        Reply(body=b"<html><form action='/login'>", headers={"content-type": "text/html"}),
        Reply(body=b"<html>maintenance</html>", headers={"content-type": "text/html"}),
        Reply(body={"results": []}),
        Reply(body=[]),
        Reply(body=b""),
        Reply(body=b'{"issues": ['),
        Reply(body={"issues": [{"key": "OPS-1"}]}),
        Reply(body={"issues": None}),
    ],
)
async def test_what_only_looks_like_no_ticket_raises(jira: ScriptedJira, tracker: JiraTracker, reply: Reply) -> None:
    """An answer that is not Jira's word never means that there is no such ticket."""
    jira.on("POST search/jql", reply)
    with pytest.raises((TrackerDenied, TrackerDown)):
        await tracker.tickets.search(TicketQuery(words=("export",)))


async def test_the_newest_number_is_the_highest_key(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """By key, since a ticket that was moved here is older than its number."""
    jira.on("POST search/jql", page(117))

    assert await tracker.tickets.newest() == 117
    assert jira.last("POST search/jql").body["jql"] == 'project = "OPS" ORDER BY key DESC'


@pytest.mark.parametrize("key", ["HR-1", "OPS", "OPS-", "OPS-x", "OPS-1/../../project", "", "ops-1", "OPS-\u0661"])
async def test_other_keys_do_not_exist_for_us(jira: ScriptedJira, tracker: JiraTracker, key: str) -> None:
    """No request names them."""
    for work in (
        tracker.tickets.get(key),
        tracker.writer.change(key, TicketChange(summary="x")),
        tracker.writer.transition(key, "Done"),
        tracker.comments.comment(key, "x", MARK),
        tracker.comments.commented(key, MARK),
    ):
        with pytest.raises(TicketGone):
            await work

    assert [each for each in jira.journal if each.path != "serverInfo"] == []


async def test_a_ticket_that_moved_away_is_gone(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Jira answers the old key with the ticket of the other project."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1) | {"key": "HR-9"}))
    with pytest.raises(TicketGone):
        await tracker.tickets.get("OPS-1")


async def test_a_changed_description_is_read_again(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """What a search has read of an issue is kept until the issue changes; without a time of change, nothing is."""

    def told(text: str, updated: str | None) -> Reply:
        issue = issue_of(1)
        return page(issue | {"fields": {**issue["fields"], "description": text, "updated": updated}})

    before, after = "2026-11-20T09:00:00.000+0000", "2026-11-20T09:00:00.001+0000"
    jira.on("POST search/jql", told("old", before), told("new", after), told("newer", None), told("newest", None))
    found = [(await tracker.tickets.search(TicketQuery()))[0].description for _ in range(4)]

    assert found == ["old", "new", "newer", "newest"]


async def test_a_changed_field_is_read_at_once(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A ticket that a search has read is kept only while the issue's fields are the same, whatever Jira says of its last change."""

    def called(summary: str) -> Reply:
        issue = issue_of(1)
        return page(
            issue | {"fields": {**issue["fields"], "summary": summary, "updated": "2026-11-20T09:00:00.000+0000"}}
        )

    jira.on("POST search/jql", called("old"), called("old"), called("new"))
    first, same, changed = [(await tracker.tickets.search(TicketQuery()))[0] for _ in range(3)]

    assert first is same
    assert (first.summary, changed.summary) == ("old", "new")
