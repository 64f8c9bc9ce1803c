"""The adapter over the wire, against a Jira that says what no sandbox would."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from integrations.jira_tracker import JiraTracker
from tests.servers import free_port
from tests.servers.scripted_jira import Reply, ScriptedJira, issue_of, page
from triage.domain.errors import (
    TicketGone,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    TrackerUnsure,
    Trouble,
)
from triage.domain.ports import Tracker
from triage.domain.tickets import Created, Mark, TicketChange, TicketDraft, TicketQuery

MARK = Mark(label="triage-abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


class Slept(list[float]):
    """How long the adapter would have slept."""

    async def __call__(self, seconds: float) -> None:
        """Note it and go on."""
        self.append(seconds)


class Passed(list[str]):
    """The landmarks that the adapter came by."""

    def __call__(self, name: str) -> None:
        """Note it and go on."""
        self.append(name)


@pytest.fixture
def slept() -> Slept:
    """The pauses of this test."""
    return Slept()


@pytest.fixture
def marks() -> Passed:
    """The landmarks of this test."""
    return Passed()


@pytest.fixture
async def tracker(jira: ScriptedJira, slept: Slept, marks: Passed) -> AsyncIterator[Tracker]:
    """The adapter under test."""
    adapter: Tracker = JiraTracker(
        jira.url,
        "OPS",
        email="bot@example.com",
        token="secret",
        timeout=0.5,
        landmark=marks,
        sleep=slept,
    )
    yield adapter
    await adapter.close()


# --- the wire ---------------------------------------------------------------------------------


async def test_the_first_question_finds_out_which_jira_it_is(jira: ScriptedJira, tracker: Tracker) -> None:
    """One request more, once; nothing is sent before there is a question."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    before = tracker.calls
    await asyncio.gather(*(tracker.get("OPS-1") for _ in range(4)))

    assert (before, tracker.calls, len(jira.journal)) == (0, 5, 5)
    assert jira.times("GET serverInfo") == 1


async def test_calls_are_what_the_server_counts(jira: ScriptedJira, tracker: Tracker) -> None:
    """Retries and refusals included."""
    jira.on("GET issue/OPS-1", Reply(status=500), Reply(drop=True), Reply(status=404, body={"errorMessages": ["no"]}))
    with pytest.raises(TicketGone):
        await tracker.get("OPS-1")

    assert tracker.calls == len(jira.journal) == 4


async def test_each_view_counts_its_own(jira: ScriptedJira, tracker: Tracker) -> None:
    """What is known of the server is shared; who asked first has paid for it."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    await tracker.get("OPS-1")
    view = tracker.view()
    await view.get("OPS-1")

    assert (tracker.calls, view.calls, len(jira.journal)) == (2, 1, 3)


async def test_every_request_names_our_account_and_no_cookie(jira: ScriptedJira, tracker: Tracker) -> None:
    """A session cookie would outlive the token and be shared by threads."""
    jira.on("POST search/jql", page(1, body={}), page(2))
    jira.on("GET serverInfo", Reply(**jira_info(), headers={"set-cookie": "JSESSIONID=1; Path=/"}))
    await tracker.search(TicketQuery())
    await tracker.search(TicketQuery())

    assert {each.headers.get("authorization") for each in jira.journal} == {"Basic Ym90QGV4YW1wbGUuY29tOnNlY3JldA=="}
    assert [each for each in jira.journal if "cookie" in each.headers] == []


def jira_info() -> dict[str, Any]:
    """A Cloud's description of itself."""
    return {"body": {"baseUrl": "https://jira.example.com", "deploymentType": "Cloud"}}


@pytest.mark.parametrize("token", ["pässwörtł", " spaced \n"])
async def test_any_password_can_be_sent(jira: ScriptedJira, token: str) -> None:
    """Letters that have no place in Latin-1, and the newline that copying brings along."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    adapter = JiraTracker(jira.url, "OPS", email="bot@example.com", token=token, timeout=5)
    await adapter.get("OPS-1")
    await adapter.close()

    assert jira.journal[-1].headers["authorization"].startswith("Basic ")


async def test_a_personal_token_is_a_bearer(jira: ScriptedJira) -> None:
    """Data Center's tokens go without a name."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    adapter = JiraTracker(jira.url, "OPS", personal_token="pat", timeout=5)
    await adapter.get("OPS-1")
    await adapter.close()

    assert jira.journal[-1].headers["authorization"] == "Bearer pat"


async def test_a_read_is_tried_three_times(jira: ScriptedJira, tracker: Tracker, slept: Slept) -> None:
    """With growing pauses that hold some chance."""
    jira.on("GET issue/OPS-1", Reply(status=502), Reply(drop=True), Reply(body=issue_of(1)))
    ticket = await tracker.get("OPS-1")

    assert ticket.key == "OPS-1"
    assert [0.25 <= slept[0] <= 0.75, 0.5 <= slept[1] <= 1.5, len(slept)] == [True, True, 2]


async def test_a_read_gives_up_after_three_tries(jira: ScriptedJira, tracker: Tracker, slept: Slept) -> None:
    """The queue tries again later."""
    jira.on("GET issue/OPS-1", Reply(drop=True))
    with pytest.raises(TrackerDown):
        await tracker.get("OPS-1")

    assert (jira.times("GET issue/OPS-1"), len(slept)) == (3, 2)


@pytest.mark.parametrize(("asked", "tries"), [("3", 3), ("31", 1)])
async def test_a_read_waits_as_long_as_asked(
    jira: ScriptedJira, tracker: Tracker, slept: Slept, asked: str, tries: int
) -> None:
    """Up to half a minute; beyond that the queue waits better."""
    jira.on("GET issue/OPS-1", Reply(status=429, headers={"retry-after": asked}))
    with pytest.raises(TrackerBusy):
        await tracker.get("OPS-1")

    assert jira.times("GET issue/OPS-1") == tries
    assert slept == [3.0] * (tries - 1)


async def test_an_answer_that_drips_is_no_answer(jira: ScriptedJira, tracker: Tracker) -> None:
    """A timeout from byte to byte would hold a thread for ever."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1), drip=0.1), Reply(body=issue_of(1)))

    assert (await tracker.get("OPS-1")).key == "OPS-1"
    assert jira.times("GET issue/OPS-1") == 2


async def test_a_jira_that_is_not_there_is_down(slept: Slept) -> None:
    """Nothing listens; nothing was sent, so even a write is only down."""
    adapter = JiraTracker(f"http://127.0.0.1:{free_port()}", "OPS", token="x", sleep=slept)
    with pytest.raises(TrackerDown):
        await adapter.create(DRAFT, MARK)
    await adapter.close()


async def test_an_address_that_is_none_is_a_setting_to_correct() -> None:
    """A person looks, the queue does not try for ever."""
    adapter = JiraTracker("jira.example.com", "OPS", token="x")
    with pytest.raises(TrackerDenied, match="JIRA_BASE_URL"):
        await adapter.newest()
    await adapter.close()


async def test_another_server_is_no_jira(jira: ScriptedJira, tracker: Tracker) -> None:
    """JSON without a base URL did not come from Jira."""
    jira.on("GET serverInfo", Reply(body={"hello": "world"}))
    with pytest.raises(TrackerDown, match="serverInfo"):
        await tracker.newest()


def test_jira_is_imported_when_it_is_needed() -> None:
    """The vendor's package costs a quarter of a second that a start without Jira does not pay."""
    look = "import sys, integrations.jira_tracker; print('jira' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True, timeout=60)

    assert told.stdout.strip() == "False"


# --- searching --------------------------------------------------------------------------------


async def test_cloud_is_asked_by_the_enhanced_search(jira: ScriptedJira, tracker: Tracker) -> None:
    """One request, with the fields named, since Cloud gives ids alone otherwise."""
    jira.on("POST search/jql", page(2, 1))
    await tracker.search(TicketQuery(words=("export",), status="To Do", assignee="5b10", days=7, limit=20))
    body = jira.last("POST search/jql").body

    assert body["jql"] == (
        'project = "OPS" AND (text ~ "export" AND status = "To Do" AND assignee = "5b10" AND updated >= -7d)'
    )
    assert body["maxResults"] == 20
    assert "summary" in body["fields"]
    assert tracker.calls == 2


async def test_data_center_is_asked_by_the_classic_search(jira: ScriptedJira, tracker: Tracker) -> None:
    """Page by page, by number."""
    jira.reset(cloud=False)
    jira.on("POST search", page(*range(1, 101), total=130), page(*range(101, 131), total=130))
    found = await tracker.search(TicketQuery(limit=200))

    assert len(found) == 130
    assert [each.body.get("startAt") for each in jira.journal[1:]] == [None, 100]
    assert jira.last("POST search").body["jql"] == 'project = "OPS" ORDER BY updated DESC'


async def test_pages_are_followed_by_their_token(jira: ScriptedJira, tracker: Tracker) -> None:
    """Until as many as wanted are there."""
    jira.on("POST search/jql", page(1, nextPageToken="a"), page(2, nextPageToken="b"), page(3))
    found = await tracker.search(TicketQuery(limit=50))

    assert [ticket.number for ticket in found] == [1, 2, 3]
    assert jira.last("POST search/jql").body["nextPageToken"] == "b"


async def test_a_token_that_comes_again_ends_the_search(jira: ScriptedJira, tracker: Tracker) -> None:
    """Jira has answered the same page for ever."""
    jira.on("POST search/jql", page(1, nextPageToken="a"))

    assert len(await tracker.search(TicketQuery(limit=50))) == 2


async def test_foreign_tickets_are_dropped(jira: ScriptedJira, tracker: Tracker) -> None:
    """Whatever made Jira answer with them."""
    jira.on("POST search/jql", page(1, issue_of(2) | {"key": "HR-2"}, issue_of(3) | {"key": "OPS2-3"}))

    assert [ticket.key for ticket in await tracker.search(TicketQuery())] == ["OPS-1"]


async def test_a_renamed_project_is_told(jira: ScriptedJira, tracker: Tracker) -> None:
    """The old key still finds everything, under a new name: that is no empty project."""
    jira.on("POST search/jql", page(issue_of(2) | {"key": "NEW-2"}))
    with pytest.raises(TrackerRejected, match="NEW-2"):
        await tracker.search(TicketQuery())


async def test_the_best_match_comes_first(jira: ScriptedJira, tracker: Tracker) -> None:
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
    found = await tracker.search(TicketQuery(words=("login", "Invoice")))

    assert [ticket.number for ticket in found] == [4, 3, 1, 2]


async def test_words_without_letters_find_nothing(jira: ScriptedJira, tracker: Tracker) -> None:
    """And are not asked for, since without them the search would find everything."""
    assert await tracker.search(TicketQuery(words=("???", " "))) == ()
    assert jira.journal == []


async def test_an_empty_answer_is_believed_where_the_project_shows_tickets(
    jira: ScriptedJira, tracker: Tracker
) -> None:
    """One more request settles it."""
    jira.on("POST search/jql", NONE, page(9))

    assert await tracker.search(TicketQuery(words=("nothing",))) == ()
    assert tracker.calls == 3


async def test_an_empty_answer_to_a_dead_token_is_not_believed(jira: ScriptedJira, tracker: Tracker) -> None:
    """Strangers may search, and see nothing; they may not ask who they are."""
    jira.on("POST search/jql", NONE)
    jira.on("GET myself", Reply(status=401))
    with pytest.raises(TrackerDenied):
        await tracker.search(TicketQuery(words=("nothing",)))


async def test_an_empty_project_is_believed_once_it_was_never_seen_otherwise(
    jira: ScriptedJira, tracker: Tracker
) -> None:
    """A new project holds nothing."""
    jira.on("POST search/jql", NONE)

    assert await tracker.search(TicketQuery(words=("nothing",))) == ()
    assert await tracker.newest() == 0


async def test_a_project_does_not_become_empty(jira: ScriptedJira, tracker: Tracker) -> None:
    """It has shown tickets before: the index is broken, not the project empty."""
    jira.on("POST search/jql", page(9), NONE)
    await tracker.newest()
    with pytest.raises(TrackerDown, match="looks empty"):
        await tracker.search(TicketQuery(words=("nothing",)))


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
async def test_what_only_looks_like_no_ticket_raises(jira: ScriptedJira, tracker: Tracker, reply: Reply) -> None:
    """An answer that is not Jira's word never means that there is no such ticket."""
    jira.on("POST search/jql", reply)
    with pytest.raises((TrackerDenied, TrackerDown)):
        await tracker.search(TicketQuery(words=("export",)))


async def test_the_newest_number_is_the_highest_key(jira: ScriptedJira, tracker: Tracker) -> None:
    """By key, since a ticket that was moved here is older than its number."""
    jira.on("POST search/jql", page(117))

    assert await tracker.newest() == 117
    assert jira.last("POST search/jql").body["jql"] == 'project = "OPS" ORDER BY key DESC'


@pytest.mark.parametrize("key", ["HR-1", "OPS", "OPS-", "OPS-x", "OPS-1/../../project", "", "ops-1", "OPS-\u0661"])
async def test_other_keys_do_not_exist_for_us(jira: ScriptedJira, tracker: Tracker, key: str) -> None:
    """No request names them."""
    for work in (
        tracker.get(key),
        tracker.change(key, TicketChange(summary="x")),
        tracker.transition(key, "Done"),
        tracker.comment(key, "x", MARK),
        tracker.commented(key, MARK),
    ):
        with pytest.raises(TicketGone):
            await work

    assert [each for each in jira.journal if each.path != "serverInfo"] == []


async def test_a_ticket_that_moved_away_is_gone(jira: ScriptedJira, tracker: Tracker) -> None:
    """Jira answers the old key with the ticket of the other project."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1) | {"key": "HR-9"}))
    with pytest.raises(TicketGone):
        await tracker.get("OPS-1")


# --- creating ---------------------------------------------------------------------------------


async def test_a_ticket_takes_one_post(jira: ScriptedJira, tracker: Tracker, marks: Passed) -> None:
    """And no read behind it; the crash harness is told before and behind it."""
    jira.on("POST issue", Reply(status=201, body={"id": "1", "key": "OPS-8"}))
    created = await tracker.create(DRAFT, MARK)

    assert created == Created(key="OPS-8", url="https://jira.example.com/browse/OPS-8")
    assert tracker.calls == 2
    assert marks == ["effect.on_wire", "effect.answered"]


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(drop=True), TrackerUnsure),
        (Reply(drop=True, body={"key": "OPS-8"}), TrackerUnsure),
        (Reply(body={"key": "OPS-8"}, drip=0.2), TrackerUnsure),
        (Reply(status=500), TrackerUnsure),
        (Reply(status=503, headers={"retry-after": "1"}), TrackerUnsure),
        (Reply(status=201, body={"id": "1"}), TrackerUnsure),
        (Reply(status=201, body=b'{"key": "OP'), TrackerUnsure),
        (Reply(status=201), TrackerUnsure),
        (Reply(status=200, body=b"<html>login</html>"), TrackerUnsure),
        (Reply(status=401), TrackerDenied),
        (Reply(status=403), TrackerDenied),
        (Reply(status=302, headers={"location": "https://evil.example/"}), TrackerDenied),
        (Reply(status=429, headers={"retry-after": "5"}), TrackerBusy),
    ],
)
async def test_a_write_is_sent_once(jira: ScriptedJira, tracker: Tracker, reply: Reply, trouble: type[Trouble]) -> None:
    """Whatever comes back, there is no second POST; what may have happened is unsure."""
    jira.on("POST issue", reply)
    with pytest.raises(trouble):
        await tracker.create(DRAFT, MARK)

    assert jira.times("POST issue") == 1


async def test_a_refused_field_is_left_out(jira: ScriptedJira, tracker: Tracker, marks: Passed) -> None:
    """A 400 created nothing, so a plainer ticket is sent, and what it lacks is told."""
    jira.on(
        "POST issue",
        Reply(status=400, body={"errorMessages": [], "errors": {"assignee": "cannot be assigned"}}),
        Reply(status=400, body={"errors": {"labels": "Field 'labels' cannot be set."}}),
        Reply(status=201, body={"key": "OPS-8"}),
    )
    created = await tracker.create(DRAFT, MARK)

    assert created.dropped == ("assignee", "marker")
    assert "assignee" not in jira.last("POST issue").body["fields"]
    assert jira.last("POST issue").body["properties"][0]["key"] == "triage"
    assert marks == ["effect.on_wire", "effect.answered"] * 3


async def test_what_stays_refused_is_rejected(jira: ScriptedJira, tracker: Tracker) -> None:
    """With Jira's own words."""
    jira.on("POST issue", REFUSED)
    with pytest.raises(TrackerRejected, match=r"No\."):
        await tracker.create(DRAFT, MARK)


# --- finding again ----------------------------------------------------------------------------


def marked(number: int, *, creator: str = "me", **more: Any) -> dict[str, Any]:
    """An issue as the probe sees it."""
    return issue_of(number, creator={"accountId": creator, "name": creator}, labels=["triage-abc"]) | more


def bulk(*issues: Any) -> Reply:
    """An answer of bulkfetch."""
    return Reply(body={"issues": list(issues), "issueErrors": []})


async def test_a_lost_ticket_is_found_by_its_number(jira: ScriptedJira, tracker: Tracker, marks: Passed) -> None:
    """Upward from the highest known one; a copied label of somebody else does not count."""
    jira.on("POST issue/bulkfetch", bulk(marked(12, creator="eve"), issue_of(13), marked(14)))
    found = await tracker.adopt(MARK, above=11)
    body = jira.last("POST issue/bulkfetch").body

    assert found == Created(key="OPS-14", url="https://jira.example.com/browse/OPS-14")
    assert (body["issueIdsOrKeys"][0], body["issueIdsOrKeys"][-1]) == ("OPS-12", "OPS-111")
    assert marks == ["marker.probe"]


async def test_a_property_is_as_good_as_a_label(jira: ScriptedJira, tracker: Tracker) -> None:
    """Where the screen takes no labels."""
    jira.on(
        "POST issue/bulkfetch", bulk(marked(12) | property_of_mark() | {"fields": {"creator": {"accountId": "me"}}})
    )

    assert (await tracker.adopt(MARK, above=11)) is not None


def property_of_mark() -> dict[str, Any]:
    """The properties of an issue that carries our mark."""
    return {"properties": {"triage": {"label": "triage-abc"}}}


async def test_twenty_misses_end_the_probe(jira: ScriptedJira, tracker: Tracker) -> None:
    """Then the label is searched; nothing found is said as nothing."""
    jira.on("POST issue/bulkfetch", bulk(issue_of(20)))
    jira.on("POST search/jql", page(20), NONE)

    assert await tracker.adopt(MARK, above=11) is None
    assert jira.times("POST issue/bulkfetch") == 1
    assert jira.last("POST search/jql").body["jql"] == 'project = "OPS" AND (labels = "triage-abc")'


async def test_a_ticket_behind_a_gap_is_found_by_its_label(jira: ScriptedJira, tracker: Tracker) -> None:
    """The index knows what twenty misses hid."""
    jira.on("POST issue/bulkfetch", bulk())
    jira.on("POST search/jql", page(11), page(marked(90, creator="eve"), marked(95)))
    found = await tracker.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-95"


async def test_the_probe_goes_on_where_the_index_has_higher_numbers(jira: ScriptedJira, tracker: Tracker) -> None:
    """Hidden tickets look like the end."""
    jira.on("POST issue/bulkfetch", bulk(), bulk(marked(201)))
    jira.on("POST search/jql", page(200))
    found = await tracker.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-201"


async def test_without_a_known_number_the_index_gives_one(jira: ScriptedJira, tracker: Tracker) -> None:
    """After a restore there may be none."""
    jira.on("POST search/jql", page(50))
    jira.on("POST issue/bulkfetch", bulk(marked(51)))
    found = await tracker.adopt(MARK, above=0)

    assert found
    assert jira.last("POST issue/bulkfetch").body["issueIdsOrKeys"][0] == "OPS-51"


async def test_a_ticket_that_cannot_be_read_just_now_is_no_miss(jira: ScriptedJira, tracker: Tracker) -> None:
    """It might be the one."""
    jira.on("POST issue/bulkfetch", Reply(body={"issues": [], "issueErrors": [{"id": "12", "errorMessage": "retry"}]}))
    with pytest.raises(TrackerDown):
        await tracker.adopt(MARK, above=11)


async def test_data_center_is_probed_ticket_by_ticket(jira: ScriptedJira, tracker: Tracker) -> None:
    """It has no bulk read."""
    jira.reset(cloud=False)
    jira.on("GET issue/OPS-13", Reply(body=issue_of(13, creator={"name": "eve"}, labels=[])))
    jira.on("GET issue/OPS-15", Reply(body=marked(15)))
    found = await tracker.adopt(MARK, above=11)

    assert found
    assert found.key == "OPS-15"
    assert jira.last("GET issue/OPS-15").query == {"fields": "labels,creator", "properties": "triage"}


# --- comments ---------------------------------------------------------------------------------


def comments(*each: dict[str, Any], total: int | None = None) -> Reply:
    """A page of comments."""
    return Reply(body={"comments": list(each), "total": len(each) if total is None else total})


def said(number: int, *, author: str = "me", **more: Any) -> dict[str, Any]:
    """A comment."""
    return {"id": str(number), "author": {"accountId": author, "name": author}, "body": {}} | more


HELD = [{"key": "sd.public.comment", "value": {}}, {"key": "triage", "value": {"label": "triage-abc"}}]


async def test_a_comment_carries_its_mark(jira: ScriptedJira, tracker: Tracker) -> None:
    """As a property that no reader sees."""
    jira.on("POST issue/OPS-1/comment", Reply(status=201, body={"id": "77"}))
    number = await tracker.comment("OPS-1", "Seen **again**.", MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert number == "77"
    assert body["properties"][0]["value"]["label"] == "triage-abc"
    assert "triage-abc" not in str(body["body"])


async def test_a_comment_falls_back_to_a_last_line(jira: ScriptedJira, tracker: Tracker) -> None:
    """Where Jira refuses properties."""
    jira.on("POST issue/OPS-1/comment", REFUSED, Reply(status=201, body={"id": "77"}))
    await tracker.comment("OPS-1", "Seen again.", MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert "properties" not in body
    assert body["body"]["content"][-1] == {"type": "paragraph", "content": [{"type": "text", "text": "triage-abc"}]}


async def test_a_long_comment_is_shortened_at_last(jira: ScriptedJira, tracker: Tracker) -> None:
    """Jira's limit may be lower than we think."""
    jira.reset(cloud=False)
    jira.on("POST issue/OPS-1/comment", REFUSED, REFUSED, Reply(status=201, body={"id": "77"}))
    await tracker.comment("OPS-1", "word " * 9000, MARK)
    body = jira.last("POST issue/OPS-1/comment").body

    assert len(body["body"]) < 9000
    assert body["properties"]


async def test_a_refused_comment_is_rejected(jira: ScriptedJira, tracker: Tracker) -> None:
    """After the ways there are."""
    jira.on("POST issue/OPS-1/comment", REFUSED)
    with pytest.raises(TrackerRejected):
        await tracker.comment("OPS-1", "x", MARK)

    assert jira.times("POST issue/OPS-1/comment") == 2


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (Reply(drop=True), TrackerUnsure),
        (Reply(status=502), TrackerUnsure),
        (Reply(status=201, body={}), TrackerUnsure),
        (Reply(status=404, body={"errorMessages": ["no"]}), TicketGone),
    ],
)
async def test_a_comment_is_sent_once(
    jira: ScriptedJira, tracker: Tracker, reply: Reply, trouble: type[Trouble]
) -> None:
    """As every write."""
    jira.on("POST issue/OPS-1/comment", reply)
    with pytest.raises(trouble):
        await tracker.comment("OPS-1", "x", MARK)

    assert jira.times("POST issue/OPS-1/comment") == 1


async def test_a_comment_is_found_by_its_property(jira: ScriptedJira, tracker: Tracker) -> None:
    """The newest first, page by page; a copy by somebody else does not count."""
    jira.on(
        "GET issue/OPS-1/comment",
        comments(said(9, author="eve", properties=HELD), said(8, properties=[]), total=4),
        comments(said(7, properties=HELD), said(6), total=4),
    )

    assert await tracker.commented("OPS-1", MARK) == "7"
    assert jira.last("GET issue/OPS-1/comment").query["startAt"] == "2"
    assert jira.last("GET issue/OPS-1/comment").query["orderBy"] == "-created"


@pytest.mark.parametrize(
    "body", ["Seen again.\n\ntriage-abc\n", {"content": [{"content": [{"type": "text", "text": "triage-abc"}]}]}]
)
async def test_a_comment_is_found_by_its_last_line(jira: ScriptedJira, tracker: Tracker, body: Any) -> None:
    """In either format."""
    jira.on("GET issue/OPS-1/comment", comments(said(5, body=body, properties=[])))

    assert await tracker.commented("OPS-1", MARK) == "5"


async def test_a_comment_is_found_where_the_list_tells_no_properties(jira: ScriptedJira, tracker: Tracker) -> None:
    """Each of ours is asked for its own."""
    jira.on("GET issue/OPS-1/comment", comments(said(5), said(4), said(3, author="eve")))
    jira.on("GET comment/4/properties/triage", Reply(body=HELD[1]))

    assert await tracker.commented("OPS-1", MARK) == "4"
    assert jira.times("GET comment/5/properties/triage") == 1


async def test_no_comment_is_found_where_there_is_none(jira: ScriptedJira, tracker: Tracker) -> None:
    """To the last page."""
    jira.on(
        "GET issue/OPS-1/comment", comments(said(5, properties=[]), total=2), comments(said(4, properties=[]), total=2)
    )

    assert await tracker.commented("OPS-1", MARK) is None


# --- changing ---------------------------------------------------------------------------------


async def test_a_change_is_one_put(jira: ScriptedJira, tracker: Tracker) -> None:
    """Of what is new only."""
    jira.on("PUT issue/OPS-1", Reply(status=204))
    await tracker.change("OPS-1", TicketChange(summary="A\nB", assignee="5b10"))

    assert jira.last("PUT issue/OPS-1").body == {"fields": {"summary": "A B", "assignee": {"accountId": "5b10"}}}
    assert tracker.calls == 2


async def test_no_change_is_no_request(jira: ScriptedJira, tracker: Tracker) -> None:
    """Nothing new, nothing sent."""
    await tracker.change("OPS-1", TicketChange())

    assert [each.method for each in jira.journal if each.path != "serverInfo"] == []


def transitions(*ways: dict[str, Any]) -> Reply:
    """What can be done with a ticket."""
    return Reply(body={"transitions": list(ways)})


def way(number: int, to: str, **fields: Any) -> dict[str, Any]:
    """A transition, called otherwise than the status it leads to."""
    return {"id": str(number), "name": f"Step {number}", "to": {"name": to}, "fields": fields}


RESOLUTIONS = [{"id": "2", "name": "Won't Do"}, {"id": "1", "name": "Done"}]
SENT = Reply(status=204)


async def test_a_ticket_is_moved_by_the_status_it_shall_have(jira: ScriptedJira, tracker: Tracker) -> None:
    """In any case of letters, by the way that demands the least."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on(
        "GET issue/OPS-1/transitions",
        transitions(way(5, "Done", customfield_1={"required": True}), way(6, "Done"), way(7, "In Progress")),
    )
    jira.on("POST issue/OPS-1/transitions", SENT)
    await tracker.transition("OPS-1", "done")

    assert jira.last("POST issue/OPS-1/transitions").body == {"transition": {"id": "6"}}
    assert jira.last("GET issue/OPS-1/transitions").query == {"expand": "transitions.fields"}


async def test_a_ticket_that_is_there_already_is_left_alone(jira: ScriptedJira, tracker: Tracker) -> None:
    """So a repeated move does no harm."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    await tracker.transition("OPS-1", "TO DO")

    assert jira.times("GET issue/OPS-1/transitions") == 0


async def test_a_status_out_of_reach_is_told_with_those_in_reach(jira: ScriptedJira, tracker: Tracker) -> None:
    """The model or a person can choose one of them."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(7, "In Progress"), way(8, "Blocked")))
    with pytest.raises(TrackerRejected, match="from To Do it can go to: Blocked, In Progress"):
        await tracker.transition("OPS-1", "Done")


async def test_a_resolution_is_filled_in_where_it_is_demanded(jira: ScriptedJira, tracker: Tracker) -> None:
    """One that says the work is done."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    demanded = {"required": True, "allowedValues": RESOLUTIONS}
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done", resolution=demanded)))
    jira.on("POST issue/OPS-1/transitions", SENT)
    await tracker.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body["fields"] == {"resolution": {"name": "Done"}}


async def test_a_resolution_that_the_screen_kept_quiet_is_filled_in(jira: ScriptedJira, tracker: Tracker) -> None:
    """The workflow demands what the metadata did not tell."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done")))
    jira.on("GET resolution", Reply(body=RESOLUTIONS))
    jira.on(
        "POST issue/OPS-1/transitions",
        Reply(status=400, body={"errorMessages": ["Field Resolution is required."]}),
        SENT,
    )
    await tracker.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body["fields"] == {"resolution": {"name": "Done"}}


async def test_a_resolution_that_cannot_be_set_is_left_out(jira: ScriptedJira, tracker: Tracker) -> None:
    """The other way round."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    demanded = {"required": True, "allowedValues": RESOLUTIONS}
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done", resolution=demanded)))
    jira.on("POST issue/OPS-1/transitions", Reply(status=400, body={"errors": {"resolution": "cannot be set"}}), SENT)
    await tracker.transition("OPS-1", "Done")

    assert jira.last("POST issue/OPS-1/transitions").body == {"transition": {"id": "6"}}


async def test_another_demand_of_the_workflow_is_told(jira: ScriptedJira, tracker: Tracker) -> None:
    """A person has to fill it in."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("GET issue/OPS-1/transitions", transitions(way(6, "Done")))
    jira.on("POST issue/OPS-1/transitions", Reply(status=400, body={"errors": {"customfield_1": "Root cause?"}}))
    with pytest.raises(TrackerRejected, match="Root cause"):
        await tracker.transition("OPS-1", "Done")

    assert jira.times("POST issue/OPS-1/transitions") == 1
