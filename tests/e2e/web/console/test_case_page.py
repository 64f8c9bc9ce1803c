"""The page of a case: what and why for those who may know, a mail that can do nothing to its reader, files that only download."""

import asyncio
import base64
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, expect

from tests.conftest import PATIENCE
from tests.e2e.triage.pipeline.orders.test_merging import SEVERAL
from tests.hostile.markup import few_mails, mail_with
from tests.servers.web.console import Site
from triage.domain.operations.tokens import AccessScope

NAMES = {
    'bill "final".pdf': ("application/pdf", "application/pdf"),
    "../../etc/passwd": ("text/html", "application/octet-stream"),
    "r\u00e9sum\u00e9 \U0001f4e6\u202egpj.exe": ("application/x-msdownload", "application/octet-stream"),
    "page.svg": ("image/svg+xml", "application/octet-stream"),
}
"""Names of attachments with the type that the mail claims and the one that a browser gets."""


def with_files() -> bytes:
    """A mail with a file of each name."""
    parts = [
        f"--b\r\nContent-Type: {kind}\r\nContent-Disposition: attachment; filename*=UTF-8''{quote(name, safe='')}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{base64.b64encode(f'<script>alert({i})</script>'.encode()).decode()}\r\n"
        for i, (name, (kind, _)) in enumerate(NAMES.items())
    ]
    head = (
        "From: Ada <ada@example.com>\r\nTo: support@harbour.example\r\nSubject: Files of the export\r\n"
        'Message-ID: <files@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nThe export fails, see the files.\r\n"
    )
    return (head + "".join(parts) + "--b--\r\n").encode()


def test_a_viewer_sees_what_became_of_it_and_no_words(site: Site) -> None:
    """Subject, outcome, tickets and times are a viewer's; mail, files, evidence and prompts are a reader's, who changes nothing."""
    with site.client(AccessScope.VIEWER) as viewer, site.client(AccessScope.READER) as reader:
        page, whole = viewer.get("/cases/1").text, reader.get("/cases/1").text
        assert "Created" in page
        assert "HARB-" in page
        for words in ("<iframe", "since the update", "You dispatch e-mails", "create_jira_ticket"):
            assert (words in page, words in whole) == (False, True), words
        for path in ("mail", "links", "raw", "attachments/1"):
            assert viewer.get(f"/cases/1/{path}").status_code == 403, path
        assert "/cases/1/correct" not in whole
        assert reader.get("/cases/1/raw").headers["content-disposition"] == 'attachment; filename="case-1.eml"'
        assert reader.get("/cases/1/attachments/1").status_code == 404
        assert reader.get("/cases/1/mail?plain=2").status_code == 422
        assert reader.get("/cases/case-1").text == whole
        assert [reader.get(f"/cases/{other}").status_code for other in ("case-0", "case-", "mail-1")] == [422] * 3


def test_the_frame_of_a_mail_is_a_cage(site: Site) -> None:
    """Its policy allows no script, no form, no address but of pictures in the mail itself; only pages of ours frame it."""
    with site.client(AccessScope.APPROVER) as approver:
        headers = approver.get("/cases/1/mail").headers
        policy = headers["content-security-policy"]
        assert policy.startswith("sandbox; default-src 'none'; img-src data:; style-src 'sha256-")
        assert "form-action 'none'; base-uri 'none'; frame-ancestors 'self'" in policy
        assert (headers["referrer-policy"], headers["cache-control"]) == ("no-referrer", "no-store")
        assert 'sandbox title="The mail as a person reads it"' in approver.get("/cases/1").text


def test_files_are_downloads_and_nothing_else(site: Site) -> None:
    """A name keeps its letters and loses its path, a type that a browser would run becomes bytes."""
    number = site.mail(with_files())[0]
    with site.client(AccessScope.APPROVER) as approver:
        for place, (name, (_, kind)) in enumerate(NAMES.items(), 1):
            answer = approver.get(f"/cases/{number}/attachments/{place}")
            disposition = answer.headers["content-disposition"]
            assert answer.headers["content-type"] == kind, name
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
            assert disposition.startswith('attachment; filename="')
            assert not {"/", "\\", "\r", "\n"} & set(disposition.replace("filename*=UTF-8''", ""))
            assert "%2F" not in disposition
            assert "%E2%80%AE" not in disposition
            assert answer.content.startswith(b"<script>")
        assert approver.get(f"/cases/{number}/attachments/99").status_code == 404
        assert approver.get(f"/cases/{number}/attachments/0").status_code == 422


def reported(text: str, name: str) -> bytes:
    """A mail of somebody who writes for the first time: other mails of this site are many of one sender, which are held."""
    head = f"From: <desk@{name}.example>\r\nTo: support@harbour.example\r\nSubject: {text}\r\nMessage-ID: <1@{name}.example>"
    return f"{head}\r\n\r\n{text}\r\n".encode()


@pytest.mark.parametrize(
    ("dated", "shown"),
    [
        ("Fri, 01 Jan 2100 09:00:00 +0000", "2100-01-01 09:00 UTC"),
        ("Thu, 01 Jan 1970 09:00:00 +0000", "1970-01-01 09:00 UTC"),
        ("yesterday at noon", ""),
    ],
)
def test_a_sender_whose_clock_is_wrong_moves_nothing(site: Site, dated: str, shown: str) -> None:
    """His date stands beside the mail with its year; the inbox goes by when the mail came."""
    head = f"From: <desk@clock.example>\r\nTo: support@harbour.example\r\nSubject: The clock of {dated[:3]}\r\nDate: {dated}"
    number = site.mail(f"{head}\r\nMessage-ID: <{dated[:3]}@clock.example>\r\n\r\nIt fails.\r\n".encode())[0]
    with site.client(AccessScope.APPROVER) as approver:
        page, inbox = approver.get(f"/cases/{number}"), approver.get("/?tab=all")
        assert (page.status_code, inbox.status_code) == (200, 200)
        assert shown in page.text
        assert "2100" not in inbox.text
        assert "1970" not in inbox.text


@pytest.mark.asyncio(loop_scope="session")
async def test_hostile_mails_do_nothing_to_their_reader(site: Site, chrome: Browser) -> None:
    """All tricks are opened: no foreign request, no refused content, no script, no way out."""
    numbers = await asyncio.to_thread(site.mail, *few_mails())
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        for number in numbers:
            await seen.open(f"/cases/{number}")
            frame = seen.page.frame_locator("iframe")
            await expect(frame.locator("body")).to_contain_text("The export of trick")
            assert "owned" not in await seen.page.title()
            assert await frame.locator("a, form, input, button, iframe, script, svg, [style], [onerror]").count() == 0
        await seen.open(f"/cases/{numbers[0]}/mail")
        await expect(seen.page.locator("body")).to_contain_text("not loaded from evil.example")
        await seen.open(f"/cases/{numbers[0]}/links")
        await expect(seen.page.locator("td code").last).to_have_text("https://evil.example/phish")
        assert await seen.axe() == []


@pytest.mark.asyncio(loop_scope="session")
async def test_the_page_shuts_nobody_out(site: Site, chrome: Browser) -> None:
    """axe-core finds nothing serious in any look, with all that folds opened; the phone needs no sideways scrolling."""
    async with site.page(chrome) as seen:
        for path in ("/cases/1", "/cases/2", "/cases/4"):
            await seen.open(path)
            await seen.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert await seen.shut_out(f"case-{path[7:]}") == []


def test_what_would_change_is_shown_and_nothing_is_written(site: Site) -> None:
    """Previews and replays decide on a copy: Jira's journal has no write of theirs, the case stays as it is."""
    with site.client(AccessScope.APPROVER) as approver:
        before, written = approver.get("/cases/1").text, len(site.installation.jira.requests("POST", "/issue"))
        preview = approver.post("/cases/1/correct/preview", data=site.form(AccessScope.APPROVER, becomes="ignore")).text
        assert "You say: it is not for us." in preview
        assert "It would write nothing." in preview
        replay = approver.post("/cases/1/replay", data=site.form(AccessScope.APPROVER, model="none")).text
        assert "Would create" in replay
        assert "a new one" in replay
        for fields in ({"agent": "nobody"}, {"model": "x" * 101}):
            assert approver.post("/cases/1/replay", data=site.form(AccessScope.APPROVER, **fields)).status_code in {
                409,
                422,
            }
        for fields in ({"becomes": "belongs"}, {"becomes": "nothing"}, {"becomes": "is:x"}):
            assert approver.post("/cases/1/correct", data=site.form(AccessScope.APPROVER, **fields)).status_code == 422
        assert len(site.installation.jira.requests("POST", "/issue")) == written
        assert approver.get("/cases/1").text == before


@pytest.mark.parametrize(
    ("form", "typed", "told"),
    [
        ("merge/preview", {"into": "12"}, "is no key of a ticket of HARB, such as HARB-1"),
        ("merge", {"into": "HARB-99999"}, "it does not exist"),
        ("ticket/preview", {"assignee": "Eve"}, "Priya Raman"),
        ("ticket/preview", {}, "say who shall have it"),
        ("parts", {}, "no checklist"),
        ("split", {}, "nothing to take apart"),
        ("correct/preview", {"becomes": "belongs", "ticket": "the printer"}, "such as HARB-27"),
        ("correct", {"becomes": "belongs"}, "such as HARB-27"),
        ("correct/preview", {"becomes": "belongs", "ticket": "HARB-99999"}, "there is no ticket HARB-99999"),
        ("correct", {"becomes": "belongs", "ticket": "HARB-99999"}, "there is no ticket HARB-99999"),
    ],
)
def test_a_form_that_is_refused_says_why(site: Site, form: str, typed: dict[str, str], told: str) -> None:
    """The page with the form comes again: the reason beside it, what was typed still in it, the other forms beside."""
    with site.client(AccessScope.APPROVER) as approver:
        answer = approver.post(f"/cases/1/{form}", data=site.form(AccessScope.APPROVER, **typed))
        page = unescape(answer.text)
    alert = page.partition('role="alert">')[2].partition("</p>")[0]
    assert (answer.status_code, page.count('role="alert"'), told in alert) == (422, 1, True), alert
    assert "What is this mail?" in page
    assert all(f'value="{text}"' in page for text in typed.values())


def test_only_approvers_change_a_case(site: Site) -> None:
    """A viewer is refused at every door, and so is a form of another site."""
    doors = ("correct", "correct/preview", "undo", "replay")
    with site.client(AccessScope.VIEWER) as viewer, site.client(AccessScope.APPROVER) as approver:
        for door in doors:
            sent = site.form(AccessScope.VIEWER, becomes="ignore")
            assert viewer.post(f"/cases/1/{door}", data=sent).status_code == 403, door
            assert approver.post(f"/cases/1/{door}", data={"becomes": "ignore"}).status_code == 403, door
        for page in ("correct", "undo", "replay", "test-case", "test-case.zip"):
            assert viewer.get(f"/cases/1/{page}").status_code == 403, page


def test_a_test_case_of_a_thread_runs_green(site: Site, tmp_path: Path) -> None:
    """What is downloaded of an answer in a thread, unpacked, ends in the sandbox as it ended here."""
    with site.client(AccessScope.APPROVER) as approver:
        answer = approver.get("/cases/4/test-case.zip")
        assert answer.headers["content-disposition"] == 'attachment; filename="case-4.zip"'
        assert "vltava" not in approver.get("/cases/4/test-case").text.casefold()
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path)
    judged = json.loads(site.installation.triage("eval", "cases", str(tmp_path), "--json").stdout)
    assert (judged["right"], judged["cases"]) == (2, 2), judged


@pytest.mark.asyncio(loop_scope="session")
async def test_correcting_and_undoing_by_keyboard(site: Site, chrome: Browser) -> None:
    """Press c, choose, see what would change, confirm; press u, see what is taken back, confirm; the page tells of both."""
    raw = b"From: Uma <uma@example.com>\r\nTo: support@harbour.example\r\nSubject: Printer of gate nine jams\r\n"
    raw += b"Message-ID: <jam@example.com>\r\n\r\nThe label printer of gate nine fails with error J-77 since this morning.\r\n"
    (number,) = await asyncio.to_thread(site.mail, raw)
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        await seen.open(f"/cases/{number}")
        await seen.press("c")
        await expect(seen.page.locator("h1")).to_have_text("What is this mail?")
        await expect(seen.page.get_by_role("radio").first).to_be_focused()
        assert await seen.axe() == []
        await seen.shot("case-correct")
        await seen.page.get_by_label("It is not for us").focus()
        await seen.press("Space", "Enter")
        await expect(seen.page.locator("h1")).to_have_text("What would change")
        await expect(seen.page.locator("tr.differs").first).to_contain_text("ignored")
        assert await seen.axe() == []
        await seen.shot("case-preview")
        await seen.press("Enter")
        await expect(seen.page.locator(".notice").first).to_contain_text("it is not for us")
        await expect(seen.page.locator(".outcome .chip")).to_have_text("ignored")
        await expect(seen.page.locator(".corrections li")).to_contain_text("not for us")
        await seen.press("u")
        await expect(seen.page.locator(".writes")).to_contain_text("is closed as withdrawn")
        assert await seen.axe() == []
        await seen.shot("case-undo")
        await seen.press("Enter")
        await expect(seen.page.locator(".notice").first).to_contain_text("being taken back")
        await expect(seen.page.locator(".writes").first).to_contain_text("Withdrew")
        await seen.open(f"/cases/{number}/replay")
        assert await seen.axe() == []
        await seen.shot("case-replay")


@pytest.mark.asyncio(loop_scope="session")
async def test_the_ticket_gets_another_type(site: Site, chrome: Browser) -> None:
    """Choose, see field by field what would change, confirm; what changed meanwhile is shown again; the API says the same."""
    (number,) = await asyncio.to_thread(site.mail, reported("The scanner of bay two is dead since noon.", "bay-two"))
    bearer = {"authorization": f"Bearer {site.tokens[AccessScope.APPROVER]}"}
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        await seen.open(f"/cases/{number}/correct")
        await seen.page.get_by_label("Priority").select_option("Lowest")
        await seen.page.get_by_label("Person").fill("Priya Raman")
        await seen.shot("case-correct-ticket")
        await seen.page.locator("form").filter(has_text="Person").get_by_role("button").click()
        await expect(seen.page.locator("tbody tr")).to_contain_text(["Priya Raman", "Lowest"])
        assert await seen.axe() == []
        await seen.shot("case-amend")
        await seen.press("Enter")
        await expect(seen.page.locator(".notice").first).to_contain_text("assignee")
        await expect(seen.page.locator(".outcome")).to_contain_text("corrected")
        await seen.shot("case-amended")
    with site.client(AccessScope.APPROVER) as approver:
        unknown = approver.post(f"/cases/{number}/ticket/preview", data=site.form(AccessScope.APPROVER, assignee="Eve"))
        words = site.form(AccessScope.APPROVER, priority="High", shown="0" * 64)
        moved = approver.post(f"/cases/{number}/ticket", data=words)
        asked = {"priority": "High", "preview": True}
        told = approver.post(f"/api/v1/cases/{number}/ticket", json=asked, headers=bearer)
        refused = approver.post(f"/api/v1/cases/{number}/ticket", json={"priority": "Panic"}, headers=bearer)
    with site.client(AccessScope.READER) as reader:
        assert (
            reader.post(f"/cases/{number}/ticket", data=site.form(AccessScope.READER, shown="0" * 64)).status_code
            == 403
        )
    assert (unknown.status_code, "Priya Raman" in unknown.text) == (422, True)
    assert "has changed since you looked" in moved.text
    assert (told.status_code, told.json()["changes"]) == (
        202,
        [{"field": "priority", "was": "Lowest", "becomes": "High"}],
    )
    assert (refused.status_code, told.json()["approval"]) == (400, 0)


@pytest.mark.asyncio(loop_scope="session")
async def test_two_tickets_are_merged_and_taken_apart(site: Site, chrome: Browser) -> None:
    """Name the other ticket, read what both are told, confirm; the page of corrections offers the way back; the API shows the same."""
    (number,) = await asyncio.to_thread(site.mail, reported("The label press of hall four shows E7.", "hall-four"))
    bearer = {"authorization": f"Bearer {site.tokens[AccessScope.APPROVER]}"}
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        await seen.open(f"/cases/{number}/correct")
        await seen.page.get_by_label("It is the same matter as").fill("harb-12")
        await seen.press("Enter")
        await expect(seen.page.locator(".beside pre")).to_contain_text(["Merged into HARB-12", "was merged into this"])
        assert await seen.axe() == []
        await seen.shot("case-merge")
        await seen.press("Enter")
        await expect(seen.page.locator(".outcome")).to_contain_text("merged:")
        await seen.open(f"/cases/{number}/correct")
        await seen.shot("case-correct-merged")
        assert await seen.axe() == []
        await seen.page.get_by_role("button", name="Take the merge back").click()
        await expect(seen.page.locator(".outcome")).to_contain_text("no longer linked")
    with site.client(AccessScope.APPROVER) as approver:
        path = f"/api/v1/cases/{number}"
        shown = approver.post(f"{path}/merge", json={"into": "HARB-5", "preview": True}, headers=bearer)
        nothing = approver.post(f"{path}/split", headers=bearer)
        again = approver.post(f"/cases/{number}/merge", data=site.form(AccessScope.APPROVER, into="HARB-12"))
    async with site.page(chrome, AccessScope.APPROVER, phone=True, dark=True) as seen:
        await seen.open(f"/cases/{number}/correct")
        await seen.shot("case-correct-phone")
        assert await seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await seen.page.get_by_label("It is the same matter as").fill("HARB-5")
        await seen.press("Enter")
        await expect(seen.page.locator(".beside pre")).to_have_count(2)
        await seen.shot("case-merge-phone")
        assert await seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await seen.axe() == []
    assert (shown.status_code, shown.json()["into"], shown.json()["approval"]) == (202, "HARB-5", 0)
    assert (nothing.status_code, again.status_code, "taken apart" in again.text) == (400, 422, True)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_part_of_a_checklist_gets_a_ticket(site: Site, chrome: Browser) -> None:
    """Tick a matter, read the ticket that it would be, confirm; it has moved then, and the API shows the same."""
    (number,) = await asyncio.to_thread(site.mail, SEVERAL)
    bearer = {"authorization": f"Bearer {site.tokens[AccessScope.APPROVER]}"}
    async with site.page(chrome, AccessScope.APPROVER, phone=True) as seen:
        await seen.open(f"/cases/{number}/correct")
        await seen.page.get_by_label("customs number").check()
        await seen.page.get_by_role("button", name="Show the new tickets").click()
        await expect(seen.page.locator(".beside h2")).to_have_text(
            "Part 2: Add a column with the customs number to the export"
        )
        assert await seen.axe() == []
        await seen.shot("case-part")
        assert await seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await seen.press("Enter")
        await expect(seen.page.locator(".outcome")).to_contain_text("moved: part 2")
        await seen.open(f"/cases/{number}/correct")
        await expect(seen.page.get_by_label("customs number")).to_be_disabled()
        await seen.shot("case-correct-parts")
        assert await seen.axe() == []
    with site.client(AccessScope.APPROVER) as approver:
        path = f"/api/v1/cases/{number}/parts"
        shown = approver.post(path, json={"parts": [3], "preview": True}, headers=bearer)
        twice = approver.post(path, json={"parts": [2]}, headers=bearer)
        none = approver.post(f"/cases/{number}/parts", data=site.form(AccessScope.APPROVER))
    (part,) = shown.json()["parts"]
    assert (shown.status_code, part["part"], part["issue_type"], part["approval"]) == (202, 3, "Task", 0)
    assert (twice.status_code, "has moved already" in twice.text, none.status_code) == (400, True, 422)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_prompt_is_changed_on_the_page(site: Site, chrome: Browser) -> None:
    """Choose the agent, write, try: the lines that differ and both outcomes, for everybody in the dark and on a phone."""
    async with site.page(chrome, AccessScope.APPROVER) as seen:
        await seen.open("/cases/1/replay?agent=jira")
        text = seen.page.locator("textarea[name=prompt]")
        await text.fill(f"{await text.input_value()}Always be brief.")
        await seen.page.get_by_role("button", name="Try", exact=True).click()
        await expect(seen.page.locator("#edits-head")).to_be_visible()
        assert await seen.shut_out("case-prompts") == []


def test_two_versions_of_a_prompt(site: Site) -> None:
    """The page offers the file's text; what was changed is told, and the same text is no version of its own."""
    with site.client(AccessScope.APPROVER) as approver:
        asked = approver.get("/cases/1/replay?agent=jira").text
        text = unescape(asked.partition('name="prompt"')[2].partition(">")[2].partition("</textarea>")[0])
        changed = approver.post(
            "/cases/1/replay",
            data=site.form(AccessScope.APPROVER, agent="jira", prompt=f"{text}\nAlways be brief & kind."),
        ).text
        same = approver.post("/cases/1/replay", data=site.form(AccessScope.APPROVER, agent="jira", prompt=text)).text
    assert "<ins>+ Always be brief &amp; kind.</ins>" in changed
    assert "With your version" in changed
    assert "What you changed" not in same


def test_a_mail_that_is_not_kept_says_so_in_its_frame(site: Site) -> None:
    """The case stays readable; the frame names what happened, and can still be framed."""
    (number,) = site.mail(mail_with("<p>to be forgotten", "gone"))
    with closing(sqlite3.connect(site.installation.folder / "triage.db", timeout=PATIENCE)) as store, store:
        store.execute("DELETE FROM raw_mails WHERE case_id = ?", (number,))
    with site.client(AccessScope.APPROVER) as approver:
        frame = approver.get(f"/cases/{number}/mail")
        assert (frame.status_code, frame.headers["x-frame-options"]) == (200, "SAMEORIGIN")
        assert 'class="note"' in frame.text
        assert "<p>to be forgotten" not in frame.text
        assert approver.get(f"/cases/{number}").status_code == 200
