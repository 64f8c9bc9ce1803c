"""A window of a real browser that notices what must not happen: foreign requests, refused content, errors of scripts."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, ConsoleMessage, Page, Request, expect

from tests.conftest import PATIENCE

DESK: Final = {"width": 1280, "height": 860}
PHONE: Final = {"width": 320, "height": 640}
"""The narrowest window that WCAG asks for: a small phone, or a page enlarged to 400 %."""
COLOURS: Final = ("color-contrast", "link-in-text-block")
"""Rules of axe-core that look at colours."""
NO_COLOURS: Final = {rule: {"enabled": False} for rule in COLOURS}
SERIOUS: Final = ("serious", "critical")
_WITHOUT_LIGHT_RULES: Final = """(serious) => axe.configure({rules:
    axe._audit.rules.filter((one) => one.impact && !serious.includes(one.impact)).map((one) => ({id: one.id, enabled: false}))
})"""
"""Rules whose findings are never serious take a quarter of the time, and their findings would be left out."""


@dataclass
class Watched:
    """A page, and what went wrong in it."""

    page: Page
    base: str
    troubles: list[str] = field(default_factory=list)
    """Requests to other hosts, refusals of the content security policy, errors of scripts."""

    async def open(self, path: str) -> None:
        """Go to a page of the site, and wait until it stands."""
        await self.page.goto(f"{self.base}{path}", wait_until="load")

    async def press(self, *keys: str) -> None:
        """Press keys one after the other: `j`, `Control+k`, `Enter`; on a page whose scripts have been loaded.

        `Enter` is meant for what has the focus: a page may be loaded before the browser gives it to its first button.
        """
        await self.page.wait_for_load_state("load")
        if keys[0] == "Enter":
            await expect(self.page.locator(":focus")).to_have_count(1)
        for key in keys:
            await self.page.keyboard.press(key)

    async def shut_out(self, name: str) -> list[str]:
        """What keeps people out of the page in any look: findings of `axe`, and that it is wider than the window.

        Where it is dark the colours are others and nothing else, and on the phone they are those of the desk
        (`tests/e2e/web/console/test_console.py`), so rules about colours are asked where colours change, all others where places do:
        colours take most of the time.
        """
        found = await self._of_look(f"{name}-light", await self.axe())
        await self.page.emulate_media(color_scheme="dark")
        found += await self.axe(runOnly=list(COLOURS))
        await self.shot(f"{name}-dark")
        await self.page.emulate_media(color_scheme="light")
        await self.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a TypedDict of its own
        found += await self._of_look(f"{name}-phone", await self.axe(rules=NO_COLOURS))
        await self.page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a TypedDict of its own
        return found

    async def _of_look(self, name: str, found: list[str]) -> list[str]:
        fits = await self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await self.shot(name)
        return [*found, *([] if fits else [f"{name} is wider than the window"])]

    async def axe(self, **options: Any) -> list[str]:
        """What axe-core finds that keeps people out: rule and place of each serious finding; by all rules, or as its options say."""
        if await self.page.evaluate("typeof axe === 'undefined'"):
            await self.page.evaluate(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
            await self.page.evaluate(_WITHOUT_LIGHT_RULES, SERIOUS)
        # Only rules about sound and rotation look at the files that would be loaded in advance. A mail's frame runs no script:
        # axe-core waits half a second for its answer.
        options = {"resultTypes": ["violations"], "preload": False, "iframes": False, **options}
        found = await self.page.evaluate("(options) => axe.run(document, options)", options)
        return [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]

    async def shot(self, name: str) -> None:
        """Keep a picture of the whole page in the folder SHOTS, if there is one."""
        if folder := os.environ.get("SHOTS"):
            # A window as tall as the page: pictures of a "full page" have empty frames in this browser.
            size = self.page.viewport_size or DESK
            tall = int(await self.page.evaluate("document.documentElement.scrollHeight"))
            await self.page.set_viewport_size({"width": size["width"], "height": max(tall, size["height"])})
            await self.page.wait_for_timeout(500)
            await self.page.screenshot(path=Path(folder) / f"{name}.png")
            await self.page.set_viewport_size({"width": size["width"], "height": size["height"]})


@asynccontextmanager
async def watched_page(
    browser: Browser, base: str, cookies: Sequence[Mapping[str, Any]] = (), *, phone: bool = False, dark: bool = False
) -> AsyncIterator[Watched]:
    """A window with these cookies, closed afterwards. Fails if anything went wrong in it."""
    context = await browser.new_context(
        viewport=PHONE if phone else DESK,  # type: ignore[arg-type]  # a TypedDict of its own
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        timezone_id="Europe/Berlin",
        locale="en-GB",
    )
    try:
        await context.add_cookies(list(cookies))  # type: ignore[arg-type]  # a TypedDict of its own
        seen = Watched(await context.new_page(), base)
        seen.page.set_default_timeout(1000 * PATIENCE)
        expect.set_options(timeout=1000 * PATIENCE)

        def asked(request: Request) -> None:
            if not request.url.startswith((base, "data:", "about:", "blob:")):
                seen.troubles.append(f"asked {request.url}")

        def said(message: ConsoleMessage) -> None:
            # Chromium reports each answer of 4xx as an error, though a page asked for it.
            if message.type == "error" and "the server responded with a status of" not in message.text:
                seen.troubles.append(message.text)

        context.on("request", asked)
        context.on("console", said)
        seen.page.on("pageerror", lambda error: seen.troubles.append(str(error)))
        yield seen
        assert seen.troubles == []
    finally:
        await context.close()
