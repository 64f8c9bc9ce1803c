"""The frame of the console: who gets in, what a browser may load, and that keyboard, screen reader and phone are served."""

import re
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, expect

from tests.conftest import ROOT
from tests.servers.sandbox import RunningJira
from tests.servers.web.browser import Watched, watched_page
from tests.servers.web.console import Site
from tests.servers.web.desk import desk_door
from triage.domain.operations.tokens import AccessScope
from web.console.guard import FORM_KEY, form_key_of
from web.console.way_in import COOKIE

FAINT = """() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const around = (at) => {
    for (; at; at = at.parentElement) { const colour = getComputedStyle(at).backgroundColor; if (!/, 0\\)$|transparent/.test(colour)) return colour; }
    return "rgb(255, 255, 255)";
  };
  const fields = [...document.querySelectorAll("main :is(.search, input:not([type=hidden], [type=checkbox], [type=radio], .search *), select, textarea)")];
  return fields.filter((field) => field.checkVisibility()).flatMap((field) => {
    const [one, other] = [light(getComputedStyle(field).borderTopColor), light(around(field.parentElement))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    return ratio < 3 ? [`${field.name || field.className}: ${ratio.toFixed(2)}`] : [];
  });
}"""
"""Fields whose edge is too faint."""


def test_nobody_sees_anything_before_he_signs_in(site: Site) -> None:
    """Every page leads to the sign-in, and from there back; what the sign-in leads to is a page of ours."""
    with site.client(None) as stranger:
        for path in ("/", "/cases/1", "/cases/1?x=%22"):
            answer = stranger.get(path)
            assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/sign-in")
        assert "next=/cases/1%3Fx%3D%2522" in stranger.get("/cases/1?x=%22").headers["location"]
        for place in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\tx"):
            entered = stranger.post("/sign-in", data={"token": site.tokens[AccessScope.VIEWER], "next": place})
            assert (entered.status_code, entered.headers["location"]) == (303, "/"), place
        refused = stranger.post("/sign-in", data={"token": "triage_nothing", "next": "/"})
        assert (refused.status_code, COOKIE in refused.cookies) == (401, False)


def test_a_session_is_a_cookie_that_no_script_reads(site: Site) -> None:
    """HttpOnly and SameSite=Lax; signing out ends it."""
    with site.client(None) as visitor:
        entered = visitor.post("/sign-in", data={"token": site.tokens[AccessScope.VIEWER]})
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert visitor.get("/").status_code == 200
        left = visitor.post("/sign-out", data={FORM_KEY: form_key_of(entered.cookies[COOKIE])})
        assert (left.status_code, left.headers["location"]) == (303, "/sign-in")
        assert visitor.get("/").status_code == 303


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({}, {}),
        ({FORM_KEY: "0" * 64}, {}),
        ({FORM_KEY: "right"}, {"sec-fetch-site": "cross-site"}),
        ({FORM_KEY: "right"}, {"sec-fetch-site": "same-site"}),
    ],
)
def test_a_form_of_another_site_changes_nothing(site: Site, fields: dict[str, str], headers: dict[str, str]) -> None:
    """Without the key of the session, or sent from elsewhere, a change is refused."""
    sent = {name: site.form()[FORM_KEY] if value == "right" else value for name, value in fields.items()}
    with site.client() as admin:
        assert admin.post("/sign-out", data=sent, headers=headers).status_code == 403


def test_the_phone_has_the_colours_of_the_desk() -> None:
    """No style for narrow windows sets a colour: axe-core looks at colours on the desk alone, in the light and in the dark."""
    sheets = "".join(sheet.read_text(encoding="utf-8") for sheet in (ROOT / "web").rglob("*.css"))
    narrow = re.findall(r"@media \(max-width[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", sheets)

    assert narrow
    assert len(narrow) == len(re.findall(r"@media[^{]*width", sheets))
    assert re.findall(r"(?:color|background[\w-]*|opacity|fill|filter|--\w+)\s*:", "".join(narrow)) == []


def test_a_colour_stands_once() -> None:
    """Each colour is one line with its value in the light and in the dark: no second list of them that would fall behind."""
    for sheet in (ROOT / "web/console").rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        names = re.findall(r"[{;]\s*(--[\w-]+):", text)

        assert "prefers-color-scheme" not in text
        assert sorted(names) == sorted(set(names)), sheet.name


def test_a_page_loads_from_here_alone(site: Site) -> None:
    """The policy forbids other hosts and inline scripts, nothing is cached, files are kept by their content's name."""
    with site.client() as admin:
        page = admin.get("/")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["cache-control"] == "no-store"
        assert re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", page.text) is None
        for path in set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.text)):
            file = admin.get(path)
            assert (file.status_code, "immutable" in file.headers["cache-control"]) == (200, True)
            assert admin.get(path.replace("/static/", "/static/0")).status_code == 404


def test_what_is_not_there_is_a_page(site: Site) -> None:
    """An unknown case and a number that is none say so, with a way back, and nothing of the inside."""
    with site.client() as admin:
        for path, status in (("/cases/999999", 404), ("/cases/x", 422), ("/cases/" + "9" * 30, 422)):
            answer = admin.get(path)
            assert (answer.status_code, "To the inbox" in answer.text) == (status, True), path
            assert "Traceback" not in answer.text
        assert "`" not in admin.get("/cases/999999").text  # the cure of the command line is none here


async def _corrects(seen: Watched) -> None:
    """C leads to the correction; it is pressed again where the browser was still giving the focus back to the page."""
    meant = seen.page.locator("input[type=radio]").first
    for _ in range(10):
        await seen.press("c")
        with suppress(AssertionError):
            await expect(meant).to_be_focused(timeout=5000)
            return
    await expect(meant).to_be_focused()


@pytest.mark.asyncio(loop_scope="session")
async def test_the_keyboard_reaches_everything(site: Site, chrome: Browser) -> None:
    """J and k move, Enter opens, g i leads back, Ctrl-K finds pages and cases, ? shows the keys, Esc closes, and a chosen line of a form stops no key."""
    async with site.page(chrome) as seen:
        await seen.open("/?tab=all")
        await seen.press("j", "j", "k", "Enter")
        await expect(seen.page).to_have_url(re.compile(r"/cases/\d+$"))
        await seen.press("g", "i")
        await expect(seen.page.locator("h1")).to_have_text("Inbox")
        await seen.press("?")
        await expect(seen.page.locator("#keys")).to_be_visible()
        await seen.press("Escape", "Control+k")
        await expect(seen.page.locator("#palette")).to_be_visible()
        await seen.page.keyboard.type("case-1")
        await expect(seen.page.get_by_role("option")).to_contain_text(["Go to case-1"])
        await seen.press("Enter")
        await expect(seen.page).to_have_url(re.compile(r"/cases/1$"))
        await seen.press("Control+k")
        await seen.page.keyboard.type("inb")
        await expect(seen.page.get_by_role("option").first).to_contain_text("Inbox")
        await seen.press("Escape")
        await expect(seen.page.locator("#palette")).to_be_hidden()
        await _corrects(seen)
        await seen.press("Escape")
        await expect(seen.page).to_have_url(re.compile(r"/cases/1$"))
        await _corrects(seen)
        await seen.press("g", "i")
        await expect(seen.page.locator("h1")).to_have_text("Inbox")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_list_is_read_from_line_to_line(site: Site, chrome: Browser) -> None:
    """On the page of a line j and k open its neighbours; the way back leads to the search, at the line that was read last."""
    async with site.page(chrome) as seen:
        await seen.open("/?tab=all&q=state:ticketed")
        paths = await seen.page.eval_on_selector_all(".case .open", "all => all.map((one) => one.pathname)")
        await seen.press("j", "Enter")
        await expect(seen.page).to_have_url(f"{seen.base}{paths[0]}")
        for key, place in (("j", 1), ("j", 2), ("k", 1)):
            await seen.press(key)
            await expect(seen.page).to_have_url(f"{seen.base}{paths[place]}")
        await seen.page.locator(".crumb a").click()
        await expect(seen.page).to_have_url(f"{seen.base}/?tab=all&q=state:ticketed")
        await expect(seen.page.locator(".case.at .open")).to_have_attribute("href", paths[1])
        await expect(seen.page.locator(".case.at .open")).to_be_focused()
        await seen.page.reload()
        await expect(seen.page.locator(".case.at")).to_have_count(0)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_search_without_a_field_is_the_palette(site: Site, chrome: Browser) -> None:
    """The key of the search works on every page, and the help names no key of a list where there is none."""
    async with site.page(chrome) as seen:
        await seen.open("/insights")
        await seen.press("?")
        await expect(seen.page.get_by_text("Next, previous line")).to_be_hidden()
        await seen.press("Escape", "/")
        await expect(seen.page.locator("#palette input[type=search]")).to_be_focused()
        await seen.open("/?tab=all")
        await seen.press("?")
        await expect(seen.page.get_by_text("Next, previous line")).to_be_visible()


@pytest.mark.asyncio(loop_scope="session")
async def test_pages_shut_nobody_out(site: Site, chrome: Browser) -> None:
    """axe-core has no serious finding on a page in any look, and no page is wider than the phone."""
    async with site.page(chrome) as seen:
        for path, name in (("/?tab=all", "inbox"), ("/cases/1", "case")):
            await seen.open(path)
            assert await seen.shut_out(f"console-{name}") == []


@pytest.mark.asyncio(loop_scope="session")
async def test_signing_in_by_hand(site: Site, chrome: Browser) -> None:
    """A person types the token and stands in the inbox; axe-core, which finds nothing on the page, finds what is put there to be found."""
    async with watched_page(chrome, site.url) as seen:
        await seen.open("/")
        assert await seen.axe() == []
        await seen.shot("console-sign-in-light")
        await seen.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
        assert [found.partition(":")[0] for found in await seen.axe()] == ["button-name"]
        await seen.page.evaluate("document.querySelector('main > button').remove()")
        await seen.page.get_by_text("With an access token").click()
        await seen.page.get_by_label("Access token").fill(site.tokens[AccessScope.VIEWER])
        await seen.press("Enter")
        await expect(seen.page.locator("h1")).to_have_text("Inbox")


def test_switched_off(site: Site) -> None:
    """With CONSOLE=false there is no page, as if there never were one."""
    from tests.e2e.running import running

    with running(site.installation, "serve", "--no-work", CONSOLE="false", LOG_LEVEL="INFO") as serving:
        assert [httpx2.get(f"{serving.url}{path}").status_code for path in ("/", "/sign-in")] == [404, 404]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_long_name_hides_no_button(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Whoever has a long address can sign out, and sees the key of the search: both stay within the menu."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        somebody = await desk.person("maximiliane.oberleithner-hohenstein@harbourline.example")
        async with desk.page(chrome, session=somebody) as seen:
            await seen.open("/")
            bar = await seen.page.locator(".bar").bounding_box()
            for place in (seen.page.get_by_role("button", name="Sign out"), seen.page.locator(".me kbd")):
                box = await place.bounding_box()
                assert box
                assert bar
                assert box["x"] + box["width"] <= bar["x"] + bar["width"]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_field_is_seen(site: Site, chrome: Browser) -> None:
    """The edge of a field stands out from what is around it by 3 to 1, in the light and in the dark (WCAG 1.4.11)."""
    async with site.page(chrome) as seen:
        for path in ("/", "/try", "/accounts"):
            await seen.open(path)
            for scheme in ("light", "dark"):
                await seen.page.emulate_media(color_scheme=scheme)
                assert await seen.page.evaluate(FAINT) == [], (path, scheme)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_palette_is_heard(site: Site, chrome: Browser) -> None:
    """A screen reader hears the line of the palette that Enter opens: it is named by its page alone, and the field points at it."""
    async with site.page(chrome) as seen:
        await seen.open("/?tab=all")
        await seen.press("Control+k")
        field = seen.page.get_by_role("combobox")
        await seen.page.keyboard.type("a")
        await seen.press("ArrowDown")
        chosen = await seen.page.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).id"
        )
        await expect(seen.page.get_by_role("option", selected=True)).to_have_id(chosen)
        await expect(seen.page.get_by_role("option", name="Approvals", exact=True)).to_be_visible()
        await field.fill("")
        await expect(field).not_to_have_attribute("aria-activedescendant", re.compile(".*"))
