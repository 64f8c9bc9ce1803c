"""Pages about Triage itself: health and pause, mailboxes, rules and agents, the audit, the checks of the doctor."""

import csv
import io
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import approval, opened
from tests.servers.sandbox import RunningJira
from tests.servers.web.console import Site
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.approvals import ApprovalState, Correction
from triage.domain.findings import Disposition
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.operations.mcp import McpCall
from triage.domain.operations.tokens import AccessScope
from web.console.pages.system.audit import csv_of

RULES = """
routing:
  rules:
    - name: partners <script>alert(1)</script>
      match: {sender_domain: partner.example, subject_contains: "[INC", language: [en, de]}
      route: agent
      profile: jira
      project: HARB
      labels: [partner]
    - {name: rest, match: {all: true}, route: pipeline}
    - name: never
      match: {sender_email: ada@partner.example, sender_domain: other.example}
      route: pipeline
mailboxes:
  - {name: support, host: imap.example.com, user: help@example.com, password_file: /run/secrets/imap}
providers:
  own: {url: "https://bot:hunter2@models.example/v1", key: OWN_KEY}
approvals: {four_eyes: [letter]}
"""
OTHER = RULES.replace("sender_domain: partner.example, subject", "subject").replace("[INC", "Proof of delivery")
PAGES = ("operations", "mailboxes", "rules", "agents", "audit", "jira", "try", "rules/trial")


@pytest.fixture
async def desk(tmp_path: Path, cloud_jira: RunningJira) -> AsyncIterator[DeskDoor]:
    """The console with rules of its own."""
    async with ruled(tmp_path, cloud_jira) as door:
        yield door


def ruled(folder: Path, jira: RunningJira) -> "AbstractAsyncContextManager[DeskDoor]":
    """The console with a triage.yaml."""
    (folder / "triage.yaml").write_text(RULES)
    return desk_door(folder, jira, TRIAGE_CONFIG=str(folder / "triage.yaml"))


async def test_rights(desk: DeskDoor) -> None:
    """Viewers read the state of the installation, and no words of mails, prompts and files; strangers read nothing."""
    approvers = {"jira", "try", "rules/trial"}
    for page in PAGES:
        assert (await desk.get(f"/{page}", None)).status_code == 303, page
        assert (await desk.get(f"/{page}", AccessScope.VIEWER)).status_code == (403 if page in approvers else 200), page
        assert (await desk.get(f"/{page}")).status_code == 200, page
    assert "System prompt" not in (await desk.get("/agents", AccessScope.VIEWER)).text
    assert "password_file" not in (await desk.get("/rules", AccessScope.VIEWER)).text
    menu = (await desk.get("/", AccessScope.VIEWER)).text
    assert ('href="/audit"' in menu, 'href="/try"' in menu, 'href="/jira"' in menu) == (True, False, False)


async def test_pause(desk: DeskDoor) -> None:
    """An admin stops all writing and lets it go on; everybody sees who did and why, nobody else may."""
    for path in ("/operations/pause", "/operations/resume"):
        assert (await desk.post(path, AccessScope.APPROVER)).status_code == 403
    assert "Stop all writing" not in (await desk.get("/operations")).text
    said = await desk.post("/operations/pause", AccessScope.ADMIN, why="look <b>first</b>")
    assert (said.status_code, said.headers["location"]) == (303, "/operations")
    page = (await desk.get("/operations", AccessScope.VIEWER)).text
    assert "admin has stopped all writing" in page
    assert "look &lt;b&gt;first&lt;/b&gt;" in page
    assert "Resume</button>" not in page
    await desk.post("/operations/resume", AccessScope.ADMIN)
    assert await desk.door.context.health.pause() is None


async def test_what_needs_a_person_leads_there(desk: DeskDoor) -> None:
    """Each line of it is a link to the page where it is done, and names no command of the shell."""
    await desk.close()
    page = (await desk.get("/operations")).text
    assert '<a href="/approvals">Open approvals: 1</a>' in page
    assert "triage approvals" not in page


async def test_mailboxes(desk: DeskDoor) -> None:
    """Each mailbox tells its state, how late it is, and the cure of its trouble; its address is shortened."""
    assert "No mailbox is watched" in (await desk.get("/mailboxes")).text
    late = SystemClock().now() - timedelta(hours=2)
    cursor = SyncCursor(
        name="help@example.com",
        account="help@example.com",
        floor=late,
        complete_at=late,
        changed_at=late,
        phase=Phase.STALLED,
        trouble="The mailbox does not let us in: check its user, password <b>",
        uid=17,
        missing=3,
    )
    await desk.door.context.store.mailboxes.keep(cursor)
    page = (await desk.get("/mailboxes", AccessScope.VIEWER)).text
    assert "120 min behind" in page
    assert "Check user and password" in page
    assert "help@example.com" not in page
    assert "password &lt;b&gt;" in page


async def test_rules_and_agents(desk: DeskDoor) -> None:
    """The table has each rule with its conditions and what is doubtful; the file is shown without secrets; rights are those of today."""
    page = (await desk.get("/rules")).text
    assert "partners &lt;script&gt;" in page
    assert "<script>alert" not in page
    assert re.search(r"sender domain</span> partner\.example", page)
    assert '<span class="soft">every mail</span>' in page
    assert "never: no mail can take it: ada@partner.example is not of other.example" in page
    assert "hunter2" not in page
    assert "password_file" in page
    assert "SMTP_HOST" in page
    page = (await desk.get("/agents")).text
    granted = desk.door.context
    assert "create a ticket" in page
    assert "System prompt" in page
    assert granted.settings.openai_model not in page  # no key: rules decide


async def test_other_rules_on_the_latest_mails(desk: DeskDoor) -> None:
    """Another triage.yaml is tried on the mails that are here: which would go elsewhere, and why; nothing is kept."""
    for mail in ("01", "03", "04"):
        await desk.case(mail)
    form = (await desk.get("/rules/trial")).text
    assert "sender_domain: partner.example" in form
    page = (await desk.post("/rules/trial", text=OTHER)).text
    assert "1 of the latest 3 mails would go elsewhere" in page
    assert "Proof of delivery stuck at 99 %" in page
    same = (await desk.post("/rules/trial", text=desk.door.context.settings.triage_config.read_text())).text
    masked = re.search(r"<textarea[^>]*>(.*?)</textarea>", form, re.DOTALL)
    assert masked
    assert "None of the latest 3" in (await desk.post("/rules/trial", text=unescape(masked[1]))).text
    assert "None of the latest 3 mails would go elsewhere" in same
    wrong = await desk.post("/rules/trial", text="routing: {rulez: []}")
    assert (wrong.status_code, "rulez" in wrong.text) == (422, True)
    assert (await desk.post("/rules/trial", AccessScope.VIEWER, text=OTHER)).status_code == 403
    assert "partner.example" in (await desk.get("/rules")).text


async def test_try_a_mail(desk: DeskDoor) -> None:
    """A pasted mail and that of a case are read and routed, with the words that gave each cue; nothing is stored."""
    mail = (
        "From: Ada <ada@vltava-kuryr.example>\nSubject: Export <b>down</b>\nMessage-ID: <1@example.com>\n\n"
        "The export is broken since this morning, this is urgent! https://evil.example/x\n"
    )
    page = await desk.post("/try", mail=mail)
    assert (page.status_code, "broken" in page.text, "urgent" in page.text) == (200, True, True)
    assert "Export &lt;b&gt;down&lt;/b&gt;" in page.text
    assert 'href="https://evil' not in page.text
    assert "What each rule says" in page.text
    decided = await desk.post("/try", mail=mail, decide="yes", model="none")
    assert (decided.status_code, "What would happen" in decided.text) == (200, True)
    would = decided.text.partition('id="would"')[2]
    assert "Would create: The export is broken" in would
    assert (
        "https://evil.example/x" in would.partition("<details>")[0]
    )  # for people, without the backslashes of Markdown
    assert "there is no agent nobody" in (await desk.post("/try", mail=mail, decide="yes", agent="nobody")).text
    case = await desk.case("04")
    assert "Proof of delivery" in (await desk.get(f"/try?case={case.removeprefix('case-')}")).text
    assert (await desk.post("/try", mail="")).status_code == 422
    assert (await desk.post("/try", AccessScope.VIEWER, mail=mail)).status_code == 403
    assert (await desk.get("/try?case=99")).status_code == 404
    assert len(await desk.door.context.store.archive.cases(10)) == 1


def test_the_audit_and_its_csv(site: Site) -> None:
    """What people did comes first, then what Triage wrote, the steps after it, by case and day, and as CSV; a day that is none is refused."""
    with site.client(AccessScope.VIEWER) as viewer:
        page = viewer.get("/audit?case=1").text
        assert (
            page.index("What people did")
            < page.index("What Triage did")
            < page.index("Created")
            < page.index("case.ended")
        )
        deeds = list(csv.reader(io.StringIO(viewer.get("/audit/deeds.csv?case=1").text)))
        assert deeds[0] == ["at (UTC)", "case", "who", "what", "ticket", "detail"]
        assert ["case-1", "Triage", "Created"] in [line[1:4] for line in deeds]
        answer = viewer.get("/audit/events.csv?case=1")
        lines = list(csv.reader(io.StringIO(answer.text)))
        assert (answer.headers["content-type"].partition(";")[0], lines[0][2]) == ("text/csv", "event")
        assert {line[1] for line in lines[1:]} == {"case-1"}
        assert "Nobody decided, corrected or changed anything here" in viewer.get("/audit?until=2001-01-01").text
        assert viewer.get("/audit/secrets.csv").status_code == 422
        for asked in ("since=2026-02-31", "since=x", "case=x"):
            refused = viewer.get(f"/audit?{asked}")
            field = f'name="{asked.partition("=")[0]}"'
            assert (refused.status_code, field in refused.text, 'role="alert"' in refused.text) == (422, True, True), (
                asked
            )
    assert csv_of([["=1+1", " @x", "a", "-5", "\u202e=x"]]) == "'=1+1,' @x,a,'-5,'=x\r\n"


async def test_what_people_did_in_the_audit(desk: DeskDoor) -> None:
    """A decision stands there with who made it; what it was about is for readers alone, in the CSV, too."""
    store = desk.door.context.store
    leased = await opened(store, 1)
    parked = await leased.approvals.park(replace(approval("case-1"), field="summary", was="", becomes="<b>asap"))
    await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")
    for path, shown in (("/audit", "&lt;b&gt;asap"), ("/audit/deeds.csv", "<b>asap")):
        viewer, reader = [(await desk.get(path, scope)).text for scope in (AccessScope.VIEWER, AccessScope.READER)]
        assert ("ada" in viewer, "Decided an approval: rejected" in viewer, "asap" in viewer) == (True, True, False)
        assert shown in reader, path


async def test_every_change_by_a_person_is_in_the_audit(desk: DeskDoor) -> None:
    """Who paused, let in, promoted, locked out, made a token and tried a password; a viewer sees what, not whom."""
    river, bob = "seven bridges of steel", {"address": "bob@example.com", "password": "wrong"}
    token, made = await desk.door.tokens.create("board", AccessScope.VIEWER, 1, by="root")
    await desk.door.tokens.revoke(made.id, by="root")
    await desk.post("/operations/pause", AccessScope.ADMIN, why="the printer is on fire")
    await desk.post("/operations/resume", AccessScope.ADMIN)
    for address, role in (("ada@example.com", "admin"), ("bob@example.com", "viewer")):
        await desk.post("/accounts", AccessScope.ADMIN, address=address, role=role, password=river)
    await desk.post("/accounts/2/role", AccessScope.ADMIN, role="approver")
    for tried in (bob, bob | {"address": river}, {"token": f"{token}x"}):
        assert (await desk.ask("POST", "/sign-in", None, **tried)).status_code == 401
    for change in ("sessions", "disable", "enable", "disable", "erase"):
        await desk.post(f"/accounts/2/{change}", AccessScope.ADMIN)
    viewer, reader = [(await desk.get("/audit", scope)).text for scope in (AccessScope.VIEWER, AccessScope.READER)]
    csv_text = (await desk.get("/audit/deeds.csv", AccessScope.READER)).text
    lines = [(line[2], line[3], line[5]) for line in csv.reader(io.StringIO(csv_text))]

    assert lines[:0:-1][4:] == [
        ("root", "Token made", f"{made.id} board, viewer"),
        ("root", "Token revoked", f"{made.id} board, viewer"),
        ("token admin", "Writing paused", "the printer is on fire"),
        ("token admin", "Writing resumed", "paused by token admin"),
        ("token admin", "Account made", "ada@example.com, admin"),
        ("token admin", "Account made", "bob@example.com, viewer"),
        ("token admin", "Role changed", "bob@example.com, approver"),
        ("somebody at 127.0.0.1", "Sign-in refused", "bob@example.com"),
        ("token admin", "Sessions ended", "bob@example.com"),
        *[
            ("token admin", f"Account {end}", "bob@example.com")
            for end in ("disabled", "enabled", "disabled", "erased")
        ],
    ]
    assert ("Role changed" in viewer, "bob@example.com, approver" in viewer) == (True, False)
    assert "bob@example.com, approver" in reader
    assert river not in reader


async def test_what_corrections_taught(desk: DeskDoor) -> None:
    """Readers see whose mails are judged how, and by whom; an approver takes it back, once; a viewer sees no address."""
    store = desk.door.context.store
    await opened(store, 1)
    said = Correction(
        case="case-1", disposition=Disposition.NOT_FOR_US, by="ada", sender="<b>@x.example", trust="failed"
    )
    made = await store.decisions.correct(said)
    viewer, reader, approver = [
        (await desk.get("/rules", scope)).text
        for scope in (AccessScope.VIEWER, AccessScope.READER, AccessScope.APPROVER)
    ]
    drop = f"/rules/lessons/{made.id}/drop"
    refused = await desk.post(drop, AccessScope.READER)
    dropped, again = await desk.post(drop), await desk.post(drop)

    assert ("x.example" in viewer, "&lt;b&gt;@x.example" in reader, "not for us" in reader) == (False, True, True)
    assert (drop in reader, drop in approver) == (False, True)
    assert (refused.status_code, dropped.status_code, again.status_code) == (403, 303, 404)
    assert "Nothing yet." in (await desk.get("/rules", AccessScope.READER)).text
    assert "Lesson dropped" in (await desk.get("/audit?case=1", AccessScope.READER)).text


async def test_what_steps_found_in_the_audit(desk: DeskDoor) -> None:
    """A line for each event; what a step read and found lies behind it, for readers alone, in the CSV, too."""
    leased = await opened(desk.door.context.store, 1)
    await leased.cases.event("step.trace", step="classify", ms=1.23456, input={}, output={"cues": ["<b>asap"]})
    for path, shown in (("/audit", "&lt;b&gt;asap"), ("/audit/events.csv", "<b>asap")):
        viewer, reader = [(await desk.get(path, scope)).text for scope in (AccessScope.VIEWER, AccessScope.READER)]
        assert ("step: classify, ms: 1.23" in viewer, "asap" in viewer) == (True, False), path
        assert ("step: classify, ms: 1.23" in reader, shown in reader) == (True, True), path


async def test_calls_of_mcp_clients_in_the_audit(desk: DeskDoor) -> None:
    """A viewer sees who called which tool, a reader also what it was asked; the CSV keeps to the same."""
    log, now = desk.door.context.store.mcp_log, SystemClock().now()
    await log.begin("mcp-1", "mcp:mail", "token 3 (claude)", now)
    call = McpCall(
        run="mcp-1",
        number=1,
        at=now,
        server="mail",
        client="token 3 (claude)",
        tool="read_emails",
        arguments="<b>ada",
        outcome="ok, 5 characters",
    )
    await log.keep(call)
    for path in ("/audit", "/audit/mcp.csv"):
        seen, read = [
            unescape((await desk.get(path, scope)).text) for scope in (AccessScope.VIEWER, AccessScope.READER)
        ]
        assert ("token 3 (claude)" in seen, "ok, 5 characters" in seen, "<b>ada" in seen) == (True, True, False)
        assert "<b>ada" in read


@pytest.mark.asyncio(loop_scope="session")
async def test_the_doctor_looks(site: Site, chrome: Browser) -> None:
    """A button runs the checks of `triage doctor`; its findings come as they are made, each with its cure."""
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        await seen.open("/jira")
        await expect(seen.page.get_by_text("Not checked since")).to_be_visible()
        await seen.press("l")
        await expect(seen.page.get_by_text("Checked by token approver")).to_be_visible()
        await expect(seen.page.get_by_text("Jira Cloud")).to_be_visible()
        assert await seen.axe() == []
        await seen.shot("jira-found-light")


@pytest.mark.asyncio(loop_scope="session")
async def test_pages_about_triage_shut_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core has no serious finding on any page in any look, and none is wider than the phone."""
    async with ruled(tmp_path, cloud_jira) as desk:
        for mail in ("01", "04"):
            await desk.case(mail)
        late = SystemClock().now() - timedelta(hours=2)
        cursor = SyncCursor(
            name="support", account="a", floor=late, complete_at=late, changed_at=late, phase=Phase.IDLE
        )
        await desk.door.context.store.mailboxes.keep(cursor)
        async with desk.page(chrome, AccessScope.ADMIN) as seen:
            for page in (*PAGES, "try?case=2"):
                await seen.open(f"/{page}")
                assert await seen.shut_out(page.replace("/", "-").replace("?case=2", "-result")) == []
            await seen.open("/try")
            await seen.page.get_by_label("A mail with its headers").fill(
                "From: Ada <ada@example.com>\nSubject: x\n\nIt is broken."
            )
            await seen.page.get_by_label("Decide it, too").check()
            await seen.page.get_by_role("button", name="Try it").first.click()
            await expect(seen.page.locator("#would")).to_be_visible()
            assert await seen.shut_out("try-decided") == []
