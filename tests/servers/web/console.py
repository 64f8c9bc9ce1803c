"""A real `triage serve` with a sandbox Jira behind it, mails already worked on, and people who are signed in.

Started once per test process, since its pages are many; whoever needs a mail of his own sends one with `Site.mail`.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from integrations.system_clock import SystemClock
from tests.conftest import PATIENCE
from tests.database import migrated
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import Running, running, until
from tests.servers import find_browser
from tests.servers.official.watch import watched
from tests.servers.sandbox import RunningJira
from tests.servers.web.browser import Watched, watched_page
from triage.domain.operations.tokens import AccessScope
from triage_sandbox.jira import jira_app
from triage_sandbox.server import Served
from web.console.guard import FORM_KEY, form_key_of
from web.console.way_in import COOKIE
from webhooks.signatures import SigningKeys

SECRET: Final = "the-console-tests-send-mail-with-this"
SHOWN: Final = ("01", "03", "04", "05", "08", "21", "24")
"""Mails of the demo's company that the site has worked on when the first test begins."""


@dataclass
class Site:
    """The service, and what people do with it."""

    installation: Installation
    serving: Running
    url: str
    tokens: dict[AccessScope, str]
    """Access tokens, for the API."""
    sessions: dict[AccessScope, str] = field(default_factory=dict)
    """Cookies of people who have signed in with them."""
    sent: int = field(default=0)

    def mail(self, *raws: bytes) -> list[int]:
        """Send mails by webhook; the numbers of their cases, when all have been worked on."""
        numbers = [self._sent(raw) for raw in raws]
        until(lambda: {self.state(number) for number in numbers}.isdisjoint({"ready", "working"}), self.serving)
        return numbers

    def _sent(self, raw: bytes) -> int:
        self.sent += 1
        headers = SigningKeys.read([SECRET], "X").sign(f"console-{self.sent}", SystemClock().now(), raw)
        answer = httpx2.post(f"{self.url}/webhooks/mime", content=raw, headers=headers, timeout=PATIENCE)
        return int(str(answer.raise_for_status().json()["cases"][0]).rpartition("-")[2])

    def state(self, number: int) -> str:
        """What the API says of a case."""
        headers = {"authorization": f"Bearer {self.tokens[AccessScope.VIEWER]}"}
        answer = httpx2.get(f"{self.url}/api/v1/cases/{number}", headers=headers, timeout=PATIENCE)
        return str(answer.raise_for_status().json()["state"])

    def client(self, scope: AccessScope | None = AccessScope.ADMIN) -> httpx2.Client:
        """A browser without a screen, signed in as somebody of this role; forms want `form_key`."""
        cookies = {COOKIE: self.sessions[scope]} if scope else {}
        return httpx2.Client(base_url=self.url, cookies=cookies, timeout=PATIENCE, follow_redirects=False)

    def form(self, scope: AccessScope = AccessScope.ADMIN, **fields: str) -> dict[str, str]:
        """The fields of a form as a page of this session sends them."""
        return {FORM_KEY: form_key_of(self.sessions[scope]), **fields}

    def sign_in(self, scope: AccessScope) -> str:
        """Begin a session with the token of a role; its cookie."""
        entered = httpx2.post(f"{self.url}/sign-in", data={"token": self.tokens[scope]}, timeout=PATIENCE)
        return str(entered.cookies[COOKIE])

    @asynccontextmanager
    async def page(
        self, browser: Browser, scope: AccessScope = AccessScope.ADMIN, *, phone: bool = False, dark: bool = False
    ) -> AsyncIterator[Watched]:
        """A window of somebody who is signed in; what goes wrong in it fails the test."""
        cookie = {"name": COOKIE, "value": self.sessions[scope], "url": self.url}
        async with watched_page(browser, self.url, [cookie], phone=phone, dark=dark) as page:
            yield page


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of this test process."""
    folder, app = tmp_path_factory.mktemp("console"), jira_app(deployment="cloud")
    migrated(folder / "triage.db")
    with Served(watched(app)) as served:
        jira = RunningJira(served, app)
        made = Installation(folder=folder, jira=jira, extra={"WEBHOOK_SECRET": SECRET, "PORT": "0"})
        tokens = {
            one: str(made.json("token", "create", one.value, "--scope", one.value)["token"]) for one in AccessScope
        }
        with running(made, "serve", LOG_LEVEL="INFO") as serving:
            site = Site(made, serving, serving.url, tokens)
            site.sessions = {one: site.sign_in(one) for one in AccessScope}
            site.mail(*shown_mails())
            yield site


def shown_mails() -> list[bytes]:
    """The mails that every test finds."""
    return [next(MAILS.glob(f"{number}-*.eml")).read_bytes() for number in SHOWN]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chrome() -> AsyncIterator[Browser]:
    """Debian's Chromium without a window. Tests that ask for it run in the session's event loop."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=Path(find_browser()), args=["--no-sandbox"])
        yield browser
        await browser.close()


__all__ = ["Page", "Site", "chrome", "site"]
