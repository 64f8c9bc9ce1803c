"""People sign in by hand in a real browser: first account, accounts, and a session that ends in the middle of a form."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.servers.web.browser import Watched, watched_page
from tests.servers.web.door import PEOPLE, RIVER, console_door, enter
from triage.domain.operations.tokens import AccessScope
from web.console.way_in import COOKIE

TEXT = "The barcode is cut off\non tablets, too. “Büro” <b>&amp;"


async def looked_at(seen: Watched, name: str) -> None:
    """Nobody is shut out, and nothing is wider than the window."""
    assert await seen.axe() == []
    assert await seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    await seen.shot(f"people-{name}")


@pytest.mark.asyncio(loop_scope="session")
async def test_from_the_first_account_to_the_second(tmp_path: Path, chrome: Browser) -> None:
    """The printed token makes the first admin, who adds somebody, signs out and signs in again; wrong passwords are told."""
    async with console_door(tmp_path, people=False) as door, watched_page(chrome, door.url) as seen:
        page, token = seen.page, door.first.offer()
        await seen.open("/")
        await looked_at(seen, "sign-in-first-light")
        await page.get_by_role("link", name="Make the first one").click()
        await page.get_by_label("Token").fill(token)
        await page.get_by_label("E-mail address").fill("ada@example.com")
        await page.get_by_label("Name").fill("Ada Moreau")
        await page.get_by_label("Password").fill("password1234")
        await page.get_by_role("button", name="Make it").click()
        await expect(page.get_by_role("alert")).to_contain_text("first that are tried")
        await looked_at(seen, "first-light")
        await page.get_by_label("Token").fill(token)
        await page.get_by_label("Password").fill(RIVER)
        await page.get_by_role("button", name="Make it").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Inbox")
        await seen.press("g", "u")
        await page.get_by_label("E-mail address").fill("bob@example.com")
        await page.locator("select[name=role]").last.select_option("approver")
        await page.get_by_label("First password").fill(RIVER)
        await page.get_by_role("button", name="Add").click()
        await expect(page.get_by_role("status").first).to_contain_text("bob@example.com may sign in now")
        await looked_at(seen, "accounts-light")
        await page.get_by_role("button", name="Sign out", exact=True).click()
        await page.get_by_label("E-mail address").fill("bob@example.com")
        await page.get_by_label("Password").fill("wrong")
        await seen.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("do not fit")
        await expect(page.get_by_label("E-mail address")).to_have_value("bob@example.com")
        await expect(page.get_by_label("Password")).to_be_focused()
        await page.get_by_label("Password").fill(RIVER)
        await seen.press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Inbox")


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.heavy)])
async def test_a_session_ends_in_the_middle_of_a_form(tmp_path: Path, chrome: Browser, script: bool) -> None:  # noqa: FBT001 - both ways that pages send
    """Whether the page or htmx sends it: the sign-in comes, the text stands in a form again, and is sent by its button."""
    async with console_door(tmp_path) as door:
        entered = await enter(await door.browser(), PEOPLE[AccessScope.ADMIN])
        cookie = {"name": COOKIE, "value": entered.cookies[COOKIE], "url": door.url}
        async with watched_page(chrome, door.url, [cookie], phone=script, dark=not script) as seen:
            page = seen.page
            await seen.open("/accounts")
            look = "phone" if script else "dark"
            await looked_at(seen, f"accounts-{look}")
            door.expire()
            if script:
                fields = {"address": "new@example.com", "name": TEXT, "role": "viewer"}
                await page.evaluate("values => htmx.ajax('POST', '/accounts', {values, target: '#main'})", fields)
            else:
                await page.get_by_label("E-mail address").fill("new@example.com")
                await page.get_by_label("Name", exact=True).fill("New, but not yet")
                await page.get_by_label("First password").fill(RIVER)
                await page.get_by_role("button", name="Add").click()
            await expect(page.get_by_text("What you wrote is kept")).to_be_visible()
            await looked_at(seen, f"sign-in-kept-{look}")
            await page.get_by_label("E-mail address").fill(PEOPLE[AccessScope.ADMIN])
            await page.locator("input[name=password]").fill(RIVER)
            await page.get_by_role("button", name="Sign in", exact=True).click()
            await expect(page.get_by_role("heading", level=1)).to_have_text("This was not sent yet")
            await expect(page.get_by_label("Name")).to_have_value(TEXT if script else "New, but not yet")
            await looked_at(seen, f"kept-{look}")
            assert len(await door.accounts.all()) == 3
            await page.get_by_role("link", name="Drop it").click()
            await expect(page.get_by_role("heading", level=1)).to_have_text("Inbox")
