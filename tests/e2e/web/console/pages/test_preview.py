"""Markdown while somebody writes it: shown as it will read, in every form that takes it."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.web.console.test_memory import written
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import desk_door
from triage.domain.operations.tokens import AccessScope


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_typed_is_shown(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """The preview shows what stands there, then follows the text; HTML of a text is text, and nobody is shut out."""
    (tmp_path / "memory").mkdir()
    note, on = await written(tmp_path), {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **on) as desk, desk.page(chrome) as seen:
        await seen.open(f"/memory/notes/{note.id}")
        await seen.page.get_by_text("Change it").click()
        preview = seen.page.get_by_role("region", name="Preview")
        await expect(preview.locator("em")).to_have_text("waits")
        await seen.page.get_by_label("Text").fill("- one\n- <b>two</b>")
        await expect(preview.locator("li")).to_have_text(["one", "<b>two</b>"])

        assert await seen.shut_out("note-preview") == []


async def test_a_text_is_rendered_and_not_kept(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whoever is signed in may ask, about an article without its front matter; without a session the answer leads nobody away from what he writes."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        shown = await desk.post("/preview", AccessScope.VIEWER, text="**so**")
        article = await desk.post("/preview?article=true", text="---\ntitle: x\n---\nSo.")
        empty = await desk.post("/preview", AccessScope.VIEWER)
        stranger = await desk.post("/preview", None, text="**so**")

    assert shown.text.strip() == "<p><strong>so</strong></p>"
    assert article.text.strip() == "<p>So.</p>"
    assert (empty.status_code, empty.text.strip()) == (200, "")
    assert (stranger.status_code, stranger.text, "hx-redirect" in stranger.headers) == (204, "", False)
