"""The support hub in the console: conversations by status, each with what was said and decided, and a chat with it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from cli.mail.process import worked
from cli.wiring.app import App
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import full, step
from tests.e2e.agents.support_mails import hub
from tests.e2e.opened import house
from tests.e2e.web.api.api_door import api_door
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.operations.tokens import AccessScope
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer
from triage.domain.support.conversations import (
    EscalationTrigger,
    Resolution,
    Supervision,
    Support,
    SupportAgent,
    SupportClass,
    SupportEscalation,
    SupportPriority,
    SupportStatus,
    Urgency,
)
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

ON = {"ENABLE_SUPPORT": "true"}
ARTICLE = "help:billing/refunds.md"
FOUND = Support(
    account="cultpass",
    classification=SupportClass(issue_type="billing", urgency=Urgency.HIGH, tags=("refund",), confidence=0.8),
    resolution=Resolution(
        resolved=True,
        confidence=0.9,
        answer=KnowledgeAnswer(sentences=(CitedSentence(text="It takes five days.", passage=f"{ARTICLE}#1"),)),
    ),
    escalation=SupportEscalation(
        summary="ISSUE: a refund",
        priority=SupportPriority.P1,
        triggers=(EscalationTrigger.POLICY_EXCEPTION,),
        attempted_steps=("answered from help",),
        recommended_action="Decide about the exception.",
    ),
    decisions=(
        Supervision(next_agent=SupportAgent.CLASSIFIER, reasoning="nothing is known"),
        Supervision(next_agent=SupportAgent.ESCALATION, reasoning="only a person may grant it"),
    ),
)
SAID = (
    (Author.USER, "Could you <script>refund</script> me?\nSee https://evil.example/x"),
    (Author.AI, "It takes five days. [1]"),
    (Author.SYSTEM, "ISSUE: a refund"),
)


async def conversation(desk: DeskDoor, mail: str, known: Dialogue, found: Support | None = None) -> str:
    """A conversation of one mail, with its findings; its case."""
    store = desk.door.context.store
    case = await desk.case(mail)
    leased = store.jobs.open(await store.jobs.claim(case, "test", 60))
    await leased.cases.save(replace(full(await leased.cases.load()), support=found), step())
    said = [DialogueMessage(role=role, text=Untrusted(text), case=case) for role, text in SAID]
    await leased.dialogue.keep(known, said if found else said[:1])
    await store.jobs.open(leased.lease).cases.finish()
    return case


async def filled(desk: DeskDoor) -> None:
    """Three conversations: a late one, one that is due tomorrow, and an answered one."""
    now = SystemClock().now()
    late = Dialogue(
        key="late",
        account="cultpass",
        status=SupportStatus.ESCALATED,
        main_issue_type="billing",
        tags=("refund",),
        articles_used=(ARTICLE,),
        ticket="HARB-12",
        priority="P1",
        escalated_at=now - timedelta(hours=2),
        respond_by=now - timedelta(hours=1),
    )
    tomorrow = now + timedelta(days=1)
    due = replace(late, key="due", main_issue_type="booking", ticket="", priority="P3", respond_by=tomorrow)
    await conversation(desk, "01", late, FOUND)
    await conversation(desk, "02", due)
    await conversation(desk, "03", Dialogue(key="done", status=SupportStatus.RESOLVED, main_issue_type="general"))


async def test_it_is_off_until_it_is_switched_on(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without the setting there is neither an entry nor a page; with it an empty list says what fills it."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        assert '"/support"' not in (await desk.get("/")).text
        assert (await desk.get("/support")).status_code == 404


async def test_conversations_are_listed_and_shown(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Late ones first; messages are text, decisions have reasons, articles and tickets links. Viewers read no words."""
    async with desk_door(tmp_path, cloud_jira, **ON) as desk:
        assert "No conversations yet" in (await desk.get("/support")).text
        await filled(desk)
        listed = (await desk.get("/support")).text
        new = (await desk.get("/support?status=new")).text
        behind = (await desk.get("/support?page=2")).text
        seen = (await desk.get("/support", AccessScope.VIEWER)).text
        one = (await desk.get("/support/1")).text
        wrong = [(await desk.get(path)).status_code for path in ("/support/99", "/support?status=odd")]
        shut = await desk.get("/support/1", AccessScope.VIEWER)

    places = [listed.index(name) for name in ("No. 1: billing", "No. 2: booking", "No. 3: general")]
    assert places == sorted(places)
    assert "late since" in listed
    assert "Could you &lt;script&gt;refund" in listed
    assert "Could you" not in seen
    assert "No conversation is new" in new
    assert "No. 1: billing" in seen
    assert 'href="/support?status=&amp;page=1" rel="prev"' in behind
    assert 'rel="prev"' not in listed
    assert 'href="/support/1"' not in seen
    for words in (
        "Could you &lt;script&gt;refund&lt;/script&gt; me?",
        "only a person may grant it",
        "policy exception",
        "Decide about the exception.",
        'href="/knowledge/article?id=help%3Abilling/refunds.md"',
        'href="/cases/1"',
        "/browse/HARB-12",
    ):
        assert words in one, words
    assert 'href="https://evil' not in one
    assert (wrong, shut.status_code) == ([404, 422], 403)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_pages_shut_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core has no serious finding, and nothing is wider than the window."""
    async with desk_door(tmp_path, cloud_jira, **ON) as desk:
        await filled(desk)
        async with desk.page(chrome) as seen:
            for name, path in (("list", "/support"), ("one", "/support/1")):
                await seen.open(path)
                assert await seen.shut_out(f"support-{name}") == []


@asynccontextmanager
async def chatting(
    folder: Path, jira: RunningJira, install: Callable[[str], str]
) -> AsyncIterator[tuple[DeskDoor, App]]:
    """The console, which runs no worker, and beside it one that works when the test says so."""
    more = hub(install)
    async with house(jira, folder, dry_run=False, **more) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        given = {**jira.settings, **more, "LOG_LEVEL": "ERROR"}
        async with api_door(f"sqlite:///{folder / 'triage.db'}", settings=given) as door:
            yield DeskDoor(door), opened


async def test_a_chat_is_answered_and_handed_over(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """Approvers alone ask; the page says that no worker runs; an article answers, and a person gets a ticket."""
    async with chatting(tmp_path, cloud_jira, install) as (desk, opened):
        form = (await desk.get("/support/chat")).text
        shut = [
            await desk.get("/support/chat", AccessScope.VIEWER),
            await desk.post("/support/chat", AccessScope.VIEWER, text="x"),
        ]
        odd = [
            (await desk.post("/support/chat", AccessScope.APPROVER, **fields)).status_code
            for fields in ({"text": " "}, {"text": "x", "account": "other"}, {"text": "x", "customer": "a@b\nBcc: c@d"})
        ]
        question = "Until when can I cancel a <b>reservation</b> free of charge?"
        sent = await desk.post("/support/chat", text=question, customer="alma@members.example")
        waits = (await desk.get(sent.headers["location"])).text
        await worked(opened, "case-1")
        first = (await desk.get(sent.headers["location"])).text
        session = first.partition('name="chat" value="')[2].partition('"')[0]
        again = {
            "text": "I want to speak to a human agent, please.",
            "chat": session,
            "after": "1",
            "customer": "alma@members.example",
        }
        more = await desk.post("/support/chat", AccessScope.APPROVER, **again)
        both = (await desk.get(more.headers["location"])).text
        await worked(opened, "case-2")
        last = (await desk.get(more.headers["location"])).text
        one = (await desk.get("/support/1")).text
        raw = await opened.reports.raw("case-1")
        await desk.case()
        wrong = [(await desk.get(f"/support/chat/{case}")).status_code for case in (3, 99)]

    assert "No worker runs in this process" in form
    assert ([each.status_code for each in shut], odd, wrong) == ([403, 403], [409, 409, 422], [404, 404])
    assert (sent.status_code, sent.headers["location"]) == (303, "/support/chat/1?after=0")
    assert "cancel a &lt;b&gt;reservation&lt;/b&gt;" in waits
    assert 'aria-busy="true"' in waits
    assert "until the day before the event" in first
    assert "aria-busy" not in first
    assert "until the day before the event" in both
    assert "speak to a human agent" in both
    assert "A person takes over" in last
    assert "HARB-" in last
    assert "aria-busy" not in last
    assert "Handed to a person" in one
    assert b"X-Triage-Asked-By: " in raw


@pytest.mark.asyncio(loop_scope="session")
async def test_the_chat_shuts_nobody_out(
    tmp_path: Path, cloud_jira: RunningJira, chrome: Browser, install: Callable[[str], str]
) -> None:
    """axe-core has no serious finding while an answer is awaited and after; the answer comes without a reload."""
    async with (
        chatting(tmp_path, cloud_jira, install) as (desk, opened),
        desk.page(chrome) as seen,
    ):
        await seen.open("/support/chat")
        await seen.page.fill("input[name=customer]", "alma@members.example")
        await seen.page.fill("textarea[name=text]", "Until when can I cancel a reservation free of charge?")
        await seen.press("Control+Enter")
        await expect(seen.page.locator("#messages")).to_contain_text("It is being worked on")
        for name in ("waits", "answered"):
            if name == "answered":
                await worked(opened, "case-1")
                await expect(seen.page.locator("#messages")).to_contain_text("until the day before the event")
            assert await seen.shut_out(f"support-chat-{name}") == []
