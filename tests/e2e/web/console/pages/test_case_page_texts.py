"""The page of a case with texts that are unlike others: of another direction, very long, one of very many."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.servers.sandbox import RunningJira
from tests.servers.web.console import Site
from tests.servers.web.desk import desk_door

ENDS = """() => {
  const text = document.querySelector("h1").firstChild, left = (at) => {
    const range = document.createRange();
    range.setStart(text, at), range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  };
  return [left(0), left(text.length - 1)];
}"""
"""Where the first and the last character of the headline stand, in pixels from the left."""


@pytest.mark.asyncio(loop_scope="session")
async def test_text_of_another_direction(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """A Hebrew subject with a key and a number in it reads from its right end on the page of the case, as in the inbox."""
    subject = "\u05e9\u05dc\u05d5\u05dd: \u05d4\u05d4\u05d6\u05de\u05e0\u05d4 (HARB-27) 12%"
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.case(f"Subject: {subject}\nContent-Type: text/plain; charset=utf-8\n\nHello.\n".encode())
        await seen.open("/cases/1")
        await expect(seen.page.locator("h1")).to_have_text(subject)
        first, last = await seen.page.evaluate(ENDS)

        assert first > last


async def test_more_mails_than_are_listed(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Of a ticket with many mails the page names the newest, says that there are more, and leads to all of them."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        for _ in range(21):
            await desk.case("01", ticket="HARB-9")
        exact = (await desk.get("/cases/1")).text
        await desk.case("01", ticket="HARB-9")
        more = (await desk.get("/cases/1")).text

    assert "<summary>20 other mails about HARB-9" in exact
    assert "<summary>More than 20 other mails about HARB-9" in more
    assert 'href="/?tab=all&amp;q=ticket:HARB-9"' in more


@pytest.mark.asyncio(loop_scope="session")
async def test_who_reads_the_mail_by_keyboard_sees_where_he_is(site: Site, chrome: Browser) -> None:
    """The frame of the mail has an outline while the keys scroll in it."""
    async with site.page(chrome) as seen:
        await seen.open("/cases/1")
        await seen.page.locator("iframe.paper").focus()
        await expect(seen.page.locator(".mail")).to_have_css("outline-style", "solid")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_long_subject_pushes_nothing_away(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """The mail and what was done about it are in view below a subject of a thousand characters, which can be read whole."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await desk.case(f"Subject: {'very long ' * 100}\n\nHello.\n".encode())
        await seen.open("/cases/1")
        await expect(seen.page.locator("iframe.paper")).to_be_in_viewport()
        assert await seen.page.locator("h1").evaluate(
            "(it) => it.scrollHeight > it.clientHeight && getComputedStyle(it).overflowY === 'auto'"
        )
