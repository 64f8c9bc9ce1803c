"""What is done with several cases at once: said before, done case by case, told afterwards."""

import re
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, expect

from tests.servers.sandbox import RunningJira
from tests.servers.web.console import Site
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.approvals import ApprovalState
from triage.domain.findings import Disposition
from triage.domain.operations.tokens import AccessScope
from triage.services.case_lists.bulk import TAKEN_BACK
from triage.toolsets.tickets.undo import UNDOABLE

UNCOVERED = """() => {
  const line = document.querySelector(".case.at").getBoundingClientRect(), bar = document.querySelector(".bulk").getBoundingClientRect();
  return line.bottom <= bar.top || line.top >= bar.bottom;
}"""
"""Whether the marked line is not below the bar of what can be done."""


def hidden(page: httpx2.Response, name: str) -> list[str]:
    """Values of a form's field."""
    return re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)"', page.text)


async def states(desk: DeskDoor) -> list[str]:
    """Of the approvals, in their order."""
    found = [await desk.door.context.store.archive.approval(number) for number in (1, 2)]
    return [one.state.value for one in found]


async def test_only_approvers(desk: DeskDoor) -> None:
    """A viewer selects nothing and is refused; a stranger is led to the sign-in."""
    await desk.close()
    assert 'id="bulk"' in (await desk.get("/")).text
    assert 'id="bulk"' not in (await desk.get("/", AccessScope.VIEWER)).text
    for scope, status in ((AccessScope.VIEWER, 403), (None, 303)):
        assert (await desk.get("/inbox/plan?wish=accept&case=1", scope)).status_code == status
        assert (await desk.post("/inbox/do", scope, wish="accept", case="1")).status_code == status


async def test_what_would_happen_is_said_and_no_more_is_done(desk: DeskDoor) -> None:
    """The preview names each change and each case that cannot; only what it showed is decided."""
    first, second = await desk.close(), await desk.comment("It works again.")
    await desk.case("01")
    plan = await desk.get("/inbox/plan?wish=decline&case=1&case=2&case=3&case=99&back=/%3Ftab%3Dall")
    for words in ("Decline 2 cases", "Open → Done", "It works again.", "nothing of it waits", "case-99"):
        assert words in plan.text, words
    assert await states(desk) == ["open", "open"]
    await desk.post(f"/approvals/{first.id}/accept", shown=first.hash)

    done = await desk.post("/inbox/do", wish="decline", case=["1", "2"], shown=hidden(plan, "shown"), back="/?tab=all")
    assert (done.status_code, "1 done, 1 not" in done.text) == (200, True)
    assert await states(desk) == ["accepted", "rejected"]
    again = await desk.post("/inbox/do", wish="accept", case="2", shown=[f"{second.id}:{second.hash}"])
    assert ("0 done, 1 not" in again.text, await states(desk)) == (True, ["accepted", "rejected"])


async def test_one_case_leads_back(desk: DeskDoor) -> None:
    """A single success is one line on the page from which it came; what was not shown is not decided."""
    parked, other = await desk.close(), await desk.comment("Another one.")
    shown = f"{parked.id}:{parked.hash}"
    stolen = await desk.post("/inbox/do", wish="accept", case="1", shown=f"{other.id}:{other.hash}")
    assert ("0 done" in stolen.text, await states(desk)) == (True, ["open", "open"])
    moved = await desk.post("/inbox/do", wish="accept", case="1", shown=f"{parked.id}:{'0' * 64}")
    assert ("0 done" in moved.text, await states(desk)) == (True, ["open", "open"])
    done = await desk.post("/inbox/do", wish="accept", case="1", shown=shown, back="//evil.example")

    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert await states(desk) == ["accepted", "open"]


async def test_nobody_decides_about_his_own_mail(desk: DeskDoor) -> None:
    """The preview says so, and the service refuses it, too."""
    parked = await desk.close()
    author = await desk.person(re.search(r"<(.+)>", parked.sender)[1])  # type: ignore[index]  # the sample has one
    plan = await desk.get("/inbox/plan?wish=accept&case=1", session=author)
    assert "a mail of yours" in plan.text
    shown = f"{parked.id}:{parked.hash}"
    assert "0 done" in (await desk.post("/inbox/do", session=author, wish="accept", case="1", shown=shown)).text


async def test_corrections(desk: DeskDoor) -> None:
    """What a mail is, or to which ticket it belongs, is recorded as in the shell; nonsense is refused with its cure."""
    await desk.case("01", ticket="OPS-7")
    await desk.case("04")
    assert "What they are" in (await desk.get("/inbox/plan?wish=correct&case=1&case=2")).text
    offered = [(await desk.get(f"/inbox/plan?wish=duplicate&case={number}")).text for number in (1, 2)]
    assert ['value="OPS-7"' in page for page in offered] == [False, True]  # the first one is on that ticket already
    assert "Ticket" in offered[0]
    done = await desk.post("/inbox/do", wish="correct", case=["1", "2"], value="spam")
    assert "2 done" in done.text
    assert (await desk.post("/inbox/do", wish="duplicate", case="1", value="harb-27")).status_code == 303
    for wish, value, cure in (("correct", "x", "choose one"), ("duplicate", "x", "HARB-27"), ("snooze", "", "no day")):
        assert cure in (await desk.post("/inbox/do", wish=wish, case="1", value=value)).text
    said = (await desk.door.context.reports.report("case-1")).corrections
    assert [(one.disposition, one.ticket, one.by) for one in said] == [
        (Disposition.SPAM, "", "token approver"),
        (Disposition.ADDITION, "HARB-27", "token approver"),
    ]


async def test_snoozing(desk: DeskDoor) -> None:
    """A snoozed case leaves what needs somebody until its time, or until somebody wakes it."""
    await desk.close()
    assert "Tomorrow" in (await desk.get("/inbox/plan?wish=snooze&case=1")).text
    said = await desk.post("/inbox/do", wish="snooze", case="1", value="tomorrow", back="/?tab=needs")
    assert said.headers["location"] == "/?tab=needs"
    assert "Nothing waits for you" in (await desk.get("/")).text
    assert 'data-item="1"' in (await desk.get("/?tab=snoozed")).text
    await desk.post("/inbox/do", wish="wake", case="1")
    assert 'data-item="1"' in (await desk.get("/")).text


async def test_undoing(desk: DeskDoor) -> None:
    """What a case has written is named before it is taken back; where there is nothing, that is said."""
    await desk.case("01")
    plan = await desk.get("/inbox/plan?wish=undo&case=1")
    assert "nothing that can be taken back" in plan.text
    assert "0 done" in (await desk.post("/inbox/do", wish="undo", case="1")).text


def test_what_undoing_does_is_said_in_words(site: Site) -> None:
    """The preview names the ticket and what becomes of it, as the page of the case does."""
    assert set(TAKEN_BACK) == UNDOABLE
    with site.client(AccessScope.APPROVER) as approver:
        plan = approver.get("/inbox/plan?wish=undo&case=1").text
        page = approver.get("/cases/1/undo").text
    assert "is closed as withdrawn, unless somebody has built on it" in plan
    assert "is closed as withdrawn" in page


@pytest.mark.parametrize(
    "query",
    [
        "wish=accept",
        "wish=x&case=1",
        "wish=accept&case=x",
        "wish=accept&" + "&".join(f"case={n}" for n in range(1, 103)),
    ],
)
async def test_what_no_page_of_ours_asks(desk: DeskDoor, query: str) -> None:
    """It is refused as a page."""
    assert (await desk.get(f"/inbox/plan?{query}")).status_code == 422


async def test_without_jira(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A service that knows no Jira says so in place of a decision; everything else works."""
    async with desk_door(tmp_path, cloud_jira, JIRA_BASE_URL="") as desk:
        await desk.close()
        for wish in ("accept", "undo"):
            assert "knows no Jira" in (await desk.get(f"/inbox/plan?wish={wish}&case=1")).text
            assert "JIRA_BASE_URL" in (await desk.post("/inbox/do", wish=wish, case="1", shown="1:" + "0" * 64)).text


@pytest.mark.asyncio(loop_scope="session")
async def test_by_keyboard_alone(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Two cases are selected, declined after a look at the preview, another one is snoozed, and a search finds them."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.close()
        await desk.comment("It works again.")
        await desk.comment("Please close it.", mail="08")
        await seen.open("/")
        await seen.press("j", "J")
        await expect(seen.page.locator(".bulk .chosen")).to_have_text("2 selected")
        await seen.press("3")
        await expect(seen.page.locator("h1")).to_have_text("Decline 2 cases")
        await seen.shot("inbox-story-preview")
        await seen.press("Enter")
        await expect(seen.page.locator("h1")).to_have_text("2 done")
        await seen.shot("inbox-story-done")
        await seen.press("Enter")
        await expect(seen.page.locator(".case")).to_have_count(1)
        await seen.press("j", "h")
        await expect(seen.page.locator("h1")).to_have_text("Snooze 1 case")
        await seen.press("Enter")
        await expect(seen.page.locator(".notice")).to_contain_text("snoozed until")
        await expect(seen.page.locator(".empty")).to_contain_text("Nothing waits for you")
        await seen.press("/")
        await seen.page.keyboard.type("state:ticketed")
        await seen.press("Enter")
        await expect(seen.page.locator("[aria-current=page][data-tally=all]")).to_be_visible()
        await seen.press("j")
        await expect(seen.page.locator(".case.at")).to_be_visible()
        await seen.press("t")
        await expect(seen.page.locator(".case.mate")).to_have_count(2)
        await seen.press("j", "k", "t")
        await expect(seen.page.locator(".case.mate")).to_have_count(0)
        await seen.press("u")
        await expect(seen.page.locator(".plans")).to_contain_text("nothing that can be taken back")
        await seen.press("Control+k")
        await seen.page.keyboard.type("case-2")
        await seen.press("Enter")
        await expect(seen.page).to_have_url(re.compile("/cases/2$"))
        found = [(await desk.door.context.store.archive.approval(number)).state for number in (1, 2, 3)]
        assert found == [ApprovalState.OPEN, ApprovalState.REJECTED, ApprovalState.REJECTED]


@pytest.mark.asyncio(loop_scope="session")
async def test_many_at_once(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """All lines are selected by one key, a range by Shift; the plan begins at its top with the button in view, and Esc gives the selection back."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        for number in range(30):
            await desk.comment(f"Comment {number}", mail=f"Subject: Mail {number}\n\nHello.\n".encode())
        await seen.open("/")
        chosen, boxes = seen.page.locator(".bulk .chosen"), seen.page.locator(".pick input")
        await boxes.nth(1).check()
        await boxes.nth(4).click(modifiers=["Shift"])
        await expect(chosen).to_have_text("4 selected")
        await seen.press("Escape", "Control+a")
        await expect(chosen).to_have_text("30 selected")
        for _ in range(24):
            await seen.press("j")
        assert await seen.page.evaluate(UNCOVERED)
        await seen.shot("inbox-bulk-thirty")
        await seen.press("3")
        await expect(seen.page.get_by_role("button", name="Decline 30")).to_be_focused()
        assert await seen.page.evaluate("scrollY") == 0
        await expect(seen.page.get_by_role("button", name="Decline 30")).to_be_in_viewport()
        await seen.shot("inbox-bulk-plan")
        await seen.press("Escape")
        await expect(chosen).to_have_text("30 selected")
        await expect(seen.page.locator(".case.at .open")).to_be_focused()
        await seen.press("3")
        await expect(seen.page.get_by_role("button", name="Decline 30")).to_be_focused()
        await seen.press("Enter")
        await expect(seen.page.get_by_role("link", name="To the inbox")).to_be_focused()
        assert await seen.page.evaluate("scrollY") == 0
        await seen.press("Enter")
        await expect(seen.page.locator(".empty")).to_contain_text("Nothing waits for you")
        await expect(seen.page.locator(".bulk")).to_be_hidden()


async def test_who_was_faster(desk: DeskDoor) -> None:
    """Whose case somebody else has decided meanwhile reads who and how, without words for programs."""
    parked = await desk.close()
    shown = f"{parked.id}:{parked.hash}"
    first = await desk.person("ada@harbourline.example")
    await desk.post("/inbox/do", session=first, wish="decline", case="1", shown=shown)
    late = await desk.post("/inbox/do", wish="accept", case="1", shown=shown)

    assert "ada@harbourline.example has decided it already: rejected" in late.text
    assert "approval=" not in late.text
    assert "triage approve" not in late.text
