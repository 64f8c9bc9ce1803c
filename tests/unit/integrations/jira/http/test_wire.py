"""Requests over the wire: counted, authenticated, tried again or sent once."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.conftest import PATIENCE
from tests.servers import free_port
from tests.servers.scripted_jira import Reply, ScriptedJira, Slept, issue_of, page
from triage.domain.errors import (
    TicketGone,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
)
from triage.domain.tickets import Mark, TicketChange, TicketDraft, TicketQuery

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


async def test_the_first_question_finds_out_which_jira_it_is(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """One request more, once; nothing is sent before there is a question."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    before = tracker.metadata.calls
    await asyncio.gather(*(tracker.tickets.get("OPS-1") for _ in range(4)))

    assert (before, tracker.metadata.calls, len(jira.journal)) == (0, 5, 5)
    assert jira.times("GET serverInfo") == 1


async def test_calls_are_what_the_server_counts(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Retries and refusals included."""
    jira.on("GET issue/OPS-1", Reply(status=500), Reply(drop=True), Reply(status=404, body={"errorMessages": ["no"]}))
    with pytest.raises(TicketGone):
        await tracker.tickets.get("OPS-1")

    assert tracker.metadata.calls == len(jira.journal) == 4


async def test_only_writes_on_the_wire_count_as_sent(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Reads are none, and each view counts its own."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    jira.on("PUT issue/OPS-1", Reply(status=204))
    await tracker.tickets.get("OPS-1")
    before = tracker.writer.sent
    await tracker.writer.change("OPS-1", TicketChange(summary="New"))

    assert (before, tracker.writer.sent, tracker.view().writer.sent, jira.times("PUT issue/OPS-1")) == (0, 1, 0, 1)


async def test_what_cannot_be_written_down_is_refused_not_lost(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A value that is no JSON fails before the first byte: a no, not an answer that never came."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    with pytest.raises(TrackerRejected, match="TypeError"):
        await tracker.writer.watch("OPS-1", object())  # type: ignore[arg-type] # as a fault of our own would

    assert jira.times("POST issue/OPS-1/watchers") == 0


async def test_each_view_counts_its_own(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """What is known of the server is shared; who asked first has paid for it."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    await tracker.tickets.get("OPS-1")
    view = tracker.view()
    await view.tickets.get("OPS-1")

    assert (tracker.metadata.calls, view.metadata.calls, len(jira.journal)) == (2, 1, 3)


async def test_every_request_names_our_account_and_no_cookie(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A session cookie would outlive the token and be shared by threads."""
    jira.on("POST search/jql", page(1, body={}), page(2))
    jira.on("GET serverInfo", Reply(**jira_info(), headers={"set-cookie": "JSESSIONID=1; Path=/"}))
    await tracker.tickets.search(TicketQuery())
    await tracker.tickets.search(TicketQuery())

    assert {each.headers.get("authorization") for each in jira.journal} == {"Basic Ym90QGV4YW1wbGUuY29tOnNlY3JldA=="}
    assert [each for each in jira.journal if "cookie" in each.headers] == []


def jira_info() -> dict[str, Any]:
    """A Cloud's description of itself."""
    return {"body": {"baseUrl": "https://jira.example.com", "deploymentType": "Cloud"}}


@pytest.mark.parametrize("token", ["pässwörtł", " spaced \n"])
async def test_any_password_can_be_sent(jira: ScriptedJira, token: str) -> None:
    """Letters that have no place in Latin-1, and the newline that copying brings along."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    adapter = JiraTracker(jira.url, "OPS", email="bot@example.com", token=token, timeout=PATIENCE)
    await adapter.tickets.get("OPS-1")
    await adapter.close()

    assert jira.journal[-1].headers["authorization"].startswith("Basic ")


async def test_a_personal_token_is_a_bearer(jira: ScriptedJira) -> None:
    """Data Center's tokens go without a name."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    adapter = JiraTracker(jira.url, "OPS", personal_token="pat", timeout=PATIENCE)
    await adapter.tickets.get("OPS-1")
    await adapter.close()

    assert jira.journal[-1].headers["authorization"] == "Bearer pat"


async def test_a_read_is_tried_three_times(jira: ScriptedJira, tracker: JiraTracker, slept: Slept) -> None:
    """With growing pauses that hold some chance."""
    jira.on("GET issue/OPS-1", Reply(status=502), Reply(drop=True), Reply(body=issue_of(1)))
    ticket = await tracker.tickets.get("OPS-1")

    assert ticket.key == "OPS-1"
    assert [0.25 <= slept[0] <= 0.75, 0.5 <= slept[1] <= 1.5, len(slept)] == [True, True, 2]


async def test_a_read_gives_up_after_three_tries(jira: ScriptedJira, tracker: JiraTracker, slept: Slept) -> None:
    """The queue tries again later."""
    jira.on("GET issue/OPS-1", Reply(drop=True))
    with pytest.raises(TrackerDown):
        await tracker.tickets.get("OPS-1")

    assert (jira.times("GET issue/OPS-1"), len(slept)) == (3, 2)


async def test_a_read_waits_for_no_shut_gate(jira: ScriptedJira, tracker: JiraTracker, slept: Slept) -> None:
    """Once Jira is taken for down nobody's hands stay full with waiting: the queue waits, and a stop is quick."""
    jira.on("GET issue/OPS-1", Reply(drop=True))
    for _ in range(3):
        with pytest.raises(TrackerDown):
            await tracker.tickets.get("OPS-1")

    assert (jira.times("GET issue/OPS-1"), len(slept)) == (5, 3)


@pytest.mark.parametrize(("asked", "tries"), [("3", 11), ("31", 1)])
async def test_a_read_waits_as_long_as_asked(
    jira: ScriptedJira, tracker: JiraTracker, slept: Slept, asked: str, tries: int
) -> None:
    """Up to half a minute in all; beyond that the queue waits better."""
    jira.on("GET issue/OPS-1", Reply(status=429, headers={"retry-after": asked}))
    with pytest.raises(TrackerBusy):
        await tracker.tickets.get("OPS-1")

    assert jira.times("GET issue/OPS-1") == tries
    assert slept == [3.0] * (tries - 1)


@pytest.mark.parametrize("patience", [3.0])
async def test_an_answer_that_drips_is_no_answer(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A timeout from byte to byte would hold a thread for ever."""
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1), drip=0.5), Reply(body=issue_of(1)))

    assert (await tracker.tickets.get("OPS-1")).key == "OPS-1"
    assert jira.times("GET issue/OPS-1") == 2


async def test_a_jira_that_is_not_there_is_down(slept: Slept) -> None:
    """Nothing listens; nothing was sent, so even a write is only down."""
    adapter = JiraTracker(f"http://127.0.0.1:{free_port()}", "OPS", token="x", sleep=slept)
    with pytest.raises(TrackerDown):
        await adapter.writer.create(DRAFT, MARK)
    await adapter.close()


async def test_an_address_that_is_none_is_a_setting_to_correct() -> None:
    """A person looks, the queue does not try for ever."""
    adapter = JiraTracker("jira.example.com", "OPS", token="x")
    with pytest.raises(TrackerDenied, match="JIRA_BASE_URL"):
        await adapter.tickets.newest()
    await adapter.close()


async def test_another_server_is_no_jira(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """JSON without a base URL did not come from Jira."""
    jira.on("GET serverInfo", Reply(body={"hello": "world"}))
    with pytest.raises(TrackerDown, match="serverInfo"):
        await tracker.tickets.newest()


def test_jira_is_imported_when_it_is_needed() -> None:
    """The vendor's package costs a quarter of a second that a start without Jira does not pay."""
    look = "import sys, integrations.jira.tracker; print('jira' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True, timeout=PATIENCE)

    assert told.stdout.strip() == "False"


async def test_the_environment_names_the_proxy(jira: ScriptedJira, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests go through the proxy of the environment, also where Jira's name can be resolved by the proxy alone."""
    monkeypatch.setenv("http_proxy", jira.url)
    away = JiraTracker("http://jira.invalid", "OPS", email="bot@example.com", token="secret", timeout=PATIENCE)
    jira.on("GET issue/OPS-1", Reply(body=issue_of(1)))
    found = await away.tickets.get("OPS-1")
    await away.close()

    assert (found.key, jira.times("GET issue/OPS-1")) == ("OPS-1", 1)
