"""Forms in a real browser: sent once however often somebody presses, and left with a question where text would be lost."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Dialog, Request, Route, expect

from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.approvals import ApprovalState
from triage.domain.memory.notes import Note

DECISION = a_note("decisions/cameras", "No cameras", "No cameras on the quay.")


async def written(folder: Path) -> Note:
    """A note in the vault of this folder."""
    return (await notes_in(folder / "memory").write(DECISION, "action")).note


@pytest.mark.asyncio(loop_scope="session")
async def test_a_form_is_sent_once(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Who presses again while the network is slow sends nothing twice, and reads that it is done, not that somebody was faster."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.close()
        posts = list[str]()

        async def late(route: Route, request: Request) -> None:
            posts.append(request.url)
            await seen.page.wait_for_timeout(400)
            await route.continue_()

        await seen.page.route("**/inbox/do", late)
        await seen.open("/inbox/plan?wish=decline&case=1&back=/")
        await seen.press("Enter", "Enter", "Enter")
        await expect(seen.page.locator(".notice")).to_contain_text("declined")

        assert len(posts) == 1
        assert await state(desk) is ApprovalState.REJECTED


@pytest.mark.asyncio(loop_scope="session")
async def test_a_form_that_came_back_is_sent_again(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """After the back button, and after a try that the network has swallowed, the form can be sent."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.close()
        await seen.open("/inbox/plan?wish=snooze&case=1&back=/")
        await seen.press("Enter")
        await expect(seen.page.locator(".notice")).to_contain_text("snoozed until")
        await seen.page.go_back()
        await expect(seen.page.locator("h1")).to_have_text("Snooze 1 case")
        await seen.page.get_by_role("button", name="In three hours").click()
        await expect(seen.page.locator(".notice")).to_contain_text("snoozed until")


@pytest.mark.asyncio(loop_scope="session")
async def test_text_is_not_left_by_mistake(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """A page with a changed text asks before it is left; saving it, or leaving it as it was, asks nothing."""
    (tmp_path / "memory").mkdir()
    settings = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **settings) as desk, desk.page(chrome) as seen:
        note = await written(tmp_path)
        asked = list[str]()

        async def stay(dialog: Dialog) -> None:
            asked.append(dialog.type)
            await dialog.dismiss()

        seen.page.on("dialog", stay)
        await seen.open(f"/memory/notes/{note.id}")
        await seen.page.get_by_text("Change it").click()
        field = seen.page.locator("textarea")
        await field.fill("Cameras on the quay.")
        await seen.press("Escape", "g", "i")
        await expect(field).to_have_value("Cameras on the quay.")
        await field.focus()
        await seen.press("Control+Enter")
        await expect(seen.page.locator(".notice")).to_be_visible()
        await seen.press("g", "i")
        await expect(seen.page.locator("h1")).to_have_text("Inbox")

        assert asked == ["beforeunload"]


async def state(desk: DeskDoor) -> ApprovalState:
    """What became of the first approval."""
    return (await desk.door.context.store.archive.approval(1)).state


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_typed_beside_a_choice_chooses_it(
    tmp_path: Path, cloud_jira: RunningJira, chrome: Browser
) -> None:
    """Who types the key of another ticket has chosen that line by it, and Enter shows what would change."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.case("01")
        await seen.open("/cases/1/correct")
        await seen.page.get_by_label("Key of the ticket").focus()
        await seen.page.keyboard.type("HARB-12")
        await expect(seen.page.locator("input[value=belongs]")).to_be_checked()
        await seen.press("Enter")
        await expect(seen.page.locator("main")).to_contain_text("HARB-12")
        await expect(seen.page).to_have_url(re.compile("/correct/preview$"))


async def test_results_name_their_mails(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What was done with several cases stands below their subjects, as in the plan."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        await desk.close()
        await desk.comment("Seen.")
        done = await desk.post("/inbox/do", wish="snooze", case=["1", "2"], value="tomorrow")

    assert "2 done" in done.text
    assert "Nightly QueueLagHigh on rabbit-03 is fixed" in done.text
