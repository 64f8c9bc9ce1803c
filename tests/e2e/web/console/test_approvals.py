"""Approvals in the console: what is shown is what is decided, once, by whoever may, and nobody's text is lost."""

import asyncio
import json
import re
from html import escape
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.contract.store.store_tickets import ticket
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.operations.tokens import AccessScope
from triage_sandbox.jira import Fault

HOSTILE = (
    "<img src=https://evil.example/x.png onerror=alert(1)><script>alert(2)</script> {{ 7 * 7 }} "
    "[pay here](https://evil.example/pay?a=1) \u202egnp.exe \u200bhidden\u2060 'quoted' \"too\""
)


async def test_rights(desk: DeskDoor) -> None:
    """A viewer sees that something waits and no words, a reader sees them; only approvers decide; an empty list says so."""
    assert "Nothing waits for a person" in (await desk.get("/approvals", AccessScope.VIEWER)).text
    assert (await desk.get("/approvals/1")).status_code == 404
    parked = await desk.comment("It is secret.")
    seen = (await desk.get("/approvals", AccessScope.VIEWER)).text
    assert ("A comment" in seen, "secret" in seen, "HARB-12" in seen) == (True, False, False)
    assert (await desk.get("/approvals/count", AccessScope.VIEWER)).text == "1"
    for path in (f"/approvals/{parked.id}", f"/approvals/{parked.id}/state"):
        assert (await desk.get(path, AccessScope.VIEWER)).status_code == 403
        assert (await desk.get(path, None)).status_code == 303
    read = (await desk.get(f"/approvals/{parked.id}", AccessScope.READER)).text
    assert ("It is secret." in read, "Accept" in read) == (True, False)
    for answer in ("accept", "edit", "respond", "ignore"):
        form = {"shown": parked.hash, "instruction": "x"}
        assert (await desk.post(f"/approvals/{parked.id}/{answer}", AccessScope.READER, **form)).status_code == 403
        assert (await desk.post(f"/approvals/{parked.id}/{answer}", AccessScope.VIEWER, **form)).status_code == 403
        assert (await desk.post(f"/approvals/{parked.id}/{answer}", None, **form)).status_code == 303
        assert (await desk.post(f"/approvals/{parked.id}/{answer}", shown="x", instruction="x")).status_code == 422
    assert [one.state for one in await desk.door.context.reports.approvals()] == [ApprovalState.OPEN]


async def test_which_ticket_it_is(desk: DeskDoor) -> None:
    """List and page say what the ticket is called that would change, once it was read, and the list the mail's subject; a viewer sees no words."""
    parked = await desk.close("OPS-45", outcome=Outcome.WAITING)
    subject = (await desk.door.context.reports.report(parked.case)).case.mail.subject
    listed, seen = [(await desk.get("/approvals", scope)).text for scope in (AccessScope.APPROVER, AccessScope.VIEWER)]
    assert ("Queue lag alarm" in listed, f": {escape(subject)}</bdi>" in listed, subject in seen) == (
        False,
        True,
        False,
    )
    await desk.door.context.store.tickets.keep((ticket(45, "Queue lag alarm at night"),))

    for path in ("/approvals", f"/approvals/{parked.id}"):
        assert "Queue lag alarm at night" in (await desk.get(path)).text
    assert "Queue lag alarm" not in (await desk.get("/approvals", AccessScope.VIEWER)).text
    assert f"<title>Approval {parked.id}: Move OPS-45 to Done" in (await desk.get(f"/approvals/{parked.id}")).text


async def test_a_text_is_shown_as_it_reads(desk: DeskDoor) -> None:
    """Backslashes that keep signs from being Markdown are left out of what a person reads; the form and the exact arguments have them."""
    parked = await desk.letter("You can cancel it\\. [1]\n\n[1] Reservations\\: all")
    page = (await desk.get(f"/approvals/{parked.id}")).text

    assert "You can cancel it. [1]" in page.partition("<textarea")[0]
    assert "Reservations\\:" in page.partition("<textarea")[2]


async def test_all_that_would_be_written_is_shown(desk: DeskDoor) -> None:
    """Every argument stands on the page, beside the mail's words, with sender, trust, length and who gets a letter."""
    ticket, letter = await desk.ticket("Label printer cuts off digits"), await desk.letter("Dear Ada,\n\nit works.")
    page = (await desk.get(f"/approvals/{ticket.id}")).text
    for words in (
        "Make a ticket",
        "Label printer cuts off digits",
        "only A6 labels",
        "warehouse",
        "High",
        "unverified",
    ):
        assert words in page
    page = (await desk.get(f"/approvals/{letter.id}")).text
    assert "it works." in page
    assert re.search(r"<dt>(To|Not to)</dt><dd>.*@", page)


async def test_hostile_words_are_words(desk: DeskDoor) -> None:
    """Markup is text, links are not clickable, and what nobody would see is shown by its code."""
    mail = f"From: Eve <eve@example.com>\r\nSubject: {HOSTILE[:60]}\r\nMessage-ID: <e@example.com>\r\n\r\n{HOSTILE}\r\n"
    parked = await desk.comment(HOSTILE, mail=mail.encode())
    for path in ("/approvals", f"/approvals/{parked.id}"):
        page = (await desk.get(path)).text
        assert "<img" not in page
        assert "<script>" not in page
        assert 'href="https://evil' not in page
        assert "{{ 7 * 7 }}" in page
    assert all(f">{code}</mark>" in page for code in ("U+202E", "U+200B", "U+2060"))


async def test_a_decision_leads_to_the_next(desk: DeskDoor) -> None:
    """Accept, ignore and respond record who decided; the next one opens, after the last one the list."""
    first, second, third = await desk.close(), await desk.comment("Seen."), await desk.letter("Hello.")
    said = await desk.decide(first, "accept")
    assert (said.status_code, said.headers["location"]) == (303, f"/approvals/{second.id}")
    said = await desk.decide(third, "respond", instruction="Ask for the version first.")
    assert said.headers["location"] == f"/approvals/{second.id}"
    assert (await desk.decide(second, "ignore")).headers["location"] == "/approvals"
    read = desk.door.context.reports.approval
    assert [(await read(one.id)).state for one in (first, second, third)] == ["accepted", "rejected", "answered"]
    assert (await read(third.id)).instruction == "Ask for the version first."
    assert "approver ignored it: nothing is written." in (await desk.get(f"/approvals/{second.id}")).text


async def test_an_edit_by_the_tools_own_arguments(desk: DeskDoor) -> None:
    """The form has the arguments that may be changed, with the values that there are; what is changed is judged as the proposal was."""
    parked = await desk.ticket("Label printer cuts off digits")
    page = (await desk.get(f"/approvals/{parked.id}")).text
    names = set(re.findall(r'name="argument-(\w+)"', page))
    assert names >= {"summary", "description", "issue_type", "priority", "assignee", "labels", "due_date"}
    assert "<option selected>High</option>" in page
    form = {
        "argument-summary": "Labels are cut off",
        "argument-description": "The label printer cuts off the last digits.\r\n\r\n- since this morning\r\n- only A6 labels",
        "argument-priority": "Low",
        "argument-labels": "printing\r\n",
        "argument-assignee": "",
    }
    wrong = await desk.decide(parked, "edit", **form | {"argument-issue_type": "Invented"})
    assert (wrong.status_code, "Invented" in wrong.text, "Labels are cut off" in wrong.text) == (409, True, True)
    assert (await desk.decide(parked, "edit", **form)).status_code == 303
    kept = await desk.door.context.reports.approval(parked.id)
    was, now = json.loads(kept.arguments), json.loads(kept.edited)
    assert {name for name in now if now[name] and now[name] != was.get(name)} == {"summary", "priority", "labels"}
    assert (now["labels"], now["priority"]) == (["printing"], "Low")
    assert "after changing it" in (await desk.get(f"/approvals/{parked.id}")).text


async def test_bound_to_what_was_shown(desk: DeskDoor) -> None:
    """A decision about other bytes decides nothing, and the writer's words come back to him."""
    parked = await desk.close()
    answer = await desk.post(f"/approvals/{parked.id}/respond", shown="0" * 64, instruction="Wait for Monday.")
    assert (answer.status_code, "Wait for Monday." in answer.text) == (409, True)
    assert (await desk.door.context.reports.approval(parked.id)).state is ApprovalState.OPEN


async def test_one_decision_counts(desk: DeskDoor) -> None:
    """Of six who answer at once one wins; the others are told that it is decided, and by whom."""
    parked = await desk.close()
    people = [await desk.person(f"p{number}@example.com") for number in range(6)]
    said = await asyncio.gather(*(desk.decide(parked, "accept", session=session) for session in people))
    assert sorted(one.status_code for one in said) == [303] + [409] * 5
    by = (await desk.door.context.reports.approval(parked.id)).by
    assert all(f"{by} accepted it" in one.text for one in said if one.status_code == 409)


async def test_nobody_decides_about_his_own_mail(desk: DeskDoor) -> None:
    """The writer of the mail sees that somebody else decides, and is refused."""
    parked = await desk.letter("Hello.", sender="Ada <ada@example.com>")
    ada = await desk.person("ada@example.com")
    assert "This is about a mail of yours" in (await desk.get(f"/approvals/{parked.id}", session=ada)).text
    assert (await desk.decide(parked, "accept", session=ada)).status_code == 403


async def test_four_eyes(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where two people have to accept, the first is told so and cannot be the second."""
    (tmp_path / "triage.yaml").write_text("approvals: {four_eyes: [letter]}\n")
    async with desk_door(tmp_path, cloud_jira, TRIAGE_CONFIG=str(tmp_path / "triage.yaml")) as desk:
        parked = await desk.letter("Hello.")
        ada, bo = await desk.person("ada@example.com"), await desk.person("bo@example.com")
        assert "2 people have to accept" in (await desk.get(f"/approvals/{parked.id}")).text
        await desk.decide(parked, "accept", session=ada)
        assert "You have accepted it" in (await desk.get(f"/approvals/{parked.id}", session=ada)).text
        await desk.decide(parked, "accept", session=ada)
        assert (await desk.door.context.reports.approval(parked.id)).state is ApprovalState.OPEN
        await desk.decide(parked, "accept", session=bo)
        assert (await desk.door.context.reports.approval(parked.id)).votes == ("ada@example.com", "bo@example.com")


async def test_jira_is_down(desk: DeskDoor, cloud_jira: RunningJira) -> None:
    """The proposal can be read and accepted; an edit that needs Jira keeps the text and says what is wrong."""
    parked = await desk.comment("Seen.")
    form = {"argument-comment": "Seen and known."}
    cloud_jira.fault(Fault(do="answer", status=503, path=".*", count=0))
    try:
        seen = await desk.get(f"/approvals/{parked.id}")
        assert (seen.status_code, "It cannot be edited now" in seen.text) == (200, True)
        kept = await desk.decide(parked, "edit", **form)
        assert kept.status_code in {303, 409, 503}
    finally:
        cloud_jira.app.faults.clear()


async def test_the_store_is_down(desk: DeskDoor) -> None:
    """A page holds what was written and sends it again; nothing is decided meanwhile."""
    parked, store = await desk.comment("Seen."), desk.door.context.store
    await desk.get("/approvals")
    await store._database.write(lambda c: c.exec_driver_sql("ALTER TABLE approvals RENAME TO away"))
    kept = await desk.decide(parked, "respond", instruction="Wait for <b>Monday</b>.")
    await store._database.write(lambda c: c.exec_driver_sql("ALTER TABLE away RENAME TO approvals"))
    assert (kept.status_code, "Wait for &lt;b&gt;Monday&lt;/b&gt;." in kept.text) == (503, True)
    assert f'action="/approvals/{parked.id}/respond"' in kept.text
    assert parked.hash in kept.text
    assert (await desk.decide(parked, "respond", instruction="Wait for Monday.")).status_code == 303


@pytest.mark.asyncio(loop_scope="session")
async def test_a_session_that_ends_in_the_middle_of_an_edit(
    tmp_path: Path, cloud_jira: RunningJira, chrome: Browser
) -> None:
    """The page says so and keeps the text; after the sign-in it stands there again."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        parked = await desk.comment("Seen.")
        async with desk.page(chrome) as seen:
            await seen.open(f"/approvals/{parked.id}")
            await seen.press("e")
            await seen.page.keyboard.type(" And known since May.")
            cookies = await seen.page.context.cookies()
            await seen.page.context.clear_cookies()
            await expect(seen.page.locator("#decided")).to_contain_text("You are signed out")
            await seen.page.context.add_cookies(cookies)  # type: ignore[arg-type]  # as they came
            await seen.page.reload()
            await expect(seen.page.get_by_label("Comment")).to_have_value("Seen. And known since May.")


@pytest.mark.asyncio(loop_scope="session")
async def test_by_keyboard_alone(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Open the list, take the first, edit it, respond to the second, ignore the third: no hand leaves the keys."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        letter, close, comment = await desk.letter("Dear Ada,"), await desk.close(), await desk.comment("Seen.")
        await seen.open("/")
        await expect(seen.page.locator("[data-count]")).to_have_text("3")
        await seen.press("g", "a")
        await expect(seen.page.locator("h1")).to_have_text("Approvals")
        await seen.press("j", "Enter")
        await expect(seen.page.locator("h1")).to_have_text("Answer the sender")
        await seen.press("e")
        await expect(seen.page.get_by_label("Body")).to_be_focused()
        await seen.page.keyboard.type(" it is mended.")
        await seen.page.reload()
        await expect(seen.page.get_by_label("Body")).to_have_value("Dear Ada, it is mended.")
        await seen.page.get_by_label("Body").focus()
        await seen.press("Control+Enter")
        await expect(seen.page.locator("h1")).to_have_text("Move HARB-45 to Done")
        await expect(seen.page.locator(".notice")).to_contain_text("is accepted")
        await seen.press("r")
        await seen.page.keyboard.type("Wait for Monday.")
        await seen.press("Control+Enter")
        await expect(seen.page.locator("h1")).to_have_text("Comment on HARB-12")
        await seen.press("x")
        await expect(seen.page.locator("h1")).to_have_text("Approvals")
        read = desk.door.context.reports.approval
        assert json.loads((await read(letter.id)).edited)["body"] == "Dear Ada, it is mended."
        assert [(await read(one.id)).state for one in (close, comment)] == ["answered", "rejected"]


@pytest.mark.asyncio(loop_scope="session")
async def test_from_the_case_to_its_decision(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """The page of a case says "to decide", as its line in the inbox does, and a leads to the decision."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        parked = await desk.comment("Seen.")
        async with desk.page(chrome) as seen:
            await seen.open("/cases/1")
            await expect(seen.page.locator(".outcome .chip").first).to_have_text("to decide")
            await seen.press("a")
            await expect(seen.page).to_have_url(f"{seen.base}/approvals/{parked.id}")


@pytest.mark.asyncio(loop_scope="session")
async def test_two_people_with_the_same_approval(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """The one who comes second is told at once who decided; the buttons go, what he was writing stays."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        parked, ada = await desk.comment("Seen."), await desk.person("ada@example.com")
        async with desk.page(chrome) as first, desk.page(chrome, session=ada) as second:
            for window in (first, second):
                await window.open(f"/approvals/{parked.id}")
            await first.press("r")
            await first.page.keyboard.type("Better wait for Monday.")
            await second.press("a")
            await expect(second.page.locator("h1")).to_have_text("Approvals")
            await expect(first.page.locator("#decided")).to_have_text("ada@example.com accepted it.")
            await expect(first.page.locator(".head .chip")).to_have_text("accepted")
            await expect(first.page.get_by_role("button", name="Send to the agent")).to_be_disabled()
            await expect(first.page.get_by_label("Tell the agent")).to_have_value("Better wait for Monday.")
            await first.press("Escape", "Escape")
            await expect(first.page.get_by_label("Tell the agent")).to_be_hidden()


@pytest.mark.asyncio(loop_scope="session")
async def test_approvals_shut_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core has no serious finding in any look, also with hostile words, and no page is wider than the phone."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        await desk.close()
        ticket = await desk.ticket("Label printer cuts off the last two digits")
        letter = await desk.letter(f"Dear Ada,\n\nthe printer is mended. {HOSTILE}\n\nYours,\nHarbour", mail="05")
        async with desk.page(chrome) as seen:
            paths = (
                ("/approvals", "list"),
                (f"/approvals/{ticket.id}", "ticket"),
                (f"/approvals/{letter.id}", "letter"),
            )
            for path, name in paths:
                await seen.open(path)
                await seen.press("e")
                assert await seen.shut_out(f"approvals-{name}") == []
