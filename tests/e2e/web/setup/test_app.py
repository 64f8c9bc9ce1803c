"""`triage init --browser`: from an empty folder to the first ticket in a real browser, and who is kept out."""

import re
import signal
import stat
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, expect

from cli.wiring.people.accounts import open_accounts
from tests.database import migrated
from tests.e2e.cli.setup.test_command import Bare, stamped
from tests.e2e.running import Running, running, until
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.sandbox import RunningJira
from tests.servers.web.browser import Watched, watched_page
from tests.servers.web.console import chrome
from tests.servers.web.door import RIVER
from triage.config.settings import Isolated, load
from triage.domain.operations.tokens import AccessScope
from web.console.guard import FORM_KEY, form_key_of
from web.setup.app import COOKIE

__all__ = ["chrome"]


def place_and_token(serving: Running) -> tuple[str, str]:
    """What the command prints: where the page is, and what opens it."""
    found = until(lambda: re.search(r"open (\S+) and enter (\S+)", serving.said), serving)
    return str(found[1]), str(found[2])


async def answer(at: Watched, label: str, text: str, shot: str = "") -> None:
    """Type an answer into the field of this label and go on."""
    field = at.page.get_by_label(label)
    await expect(field).to_be_visible()
    assert await at.axe() == []
    await at.shot(f"setup-{shot}") if shot else None
    await field.fill(text)
    await at.page.get_by_role("button", name="Go on").click()


async def answer_for_jira(at: Watched, cloud_jira: RunningJira) -> None:
    """Two answers are wrong: their cures are told, and the questions asked again."""
    page = at.page
    await answer(at, "Address of your Jira", "two words", "2-jira")
    await expect(page.get_by_text("That is no address.")).to_be_visible()
    await answer(at, "Address of your Jira", f"{cloud_jira.url}/browse/HARB-1", "3-told")
    await answer(at, "Mail address of that account", cloud_jira.email)
    await answer(at, "API token", "dead")
    await expect(page.get_by_text("Jira refuses it")).to_be_visible()
    await answer(at, "Mail address of that account", cloud_jira.email)
    await answer(at, "API token", cloud_jira.token, "4-cure")
    await at.shot("setup-5-project")
    assert await at.axe() == []
    await page.get_by_role("button", name="Go on").click()


async def answer_for_the_mailbox(at: Watched, person: Person, address: str) -> None:
    """What was found out about senders stands above the next part."""
    page = at.page
    await answer(at, "Address of the mailbox", address)
    await answer(at, "IMAP server", f"localhost:{person.server.imap}")
    await answer(at, "Password", PASSWORD, "6-mailbox")
    await answer(at, "Folder", "INBOX")
    await expect(page.get_by_text("Who reads the mails?")).to_be_visible()
    await expect(page.get_by_text("mx.harbour.example has stamped 3 of the newest 3").first).to_be_visible()
    await at.shot("setup-7-model")
    assert await at.axe() == []


@pytest.mark.asyncio(loop_scope="session")
async def test_from_an_empty_folder_to_the_first_ticket(
    tmp_path: Path, cloud_jira: RunningJira, person: Person, chrome: Browser
) -> None:
    """Each answer is tried out and its cure stands above the field; the files are shown before; the first mail becomes a ticket."""
    address = f"{person.name}@harbour.example"
    person.deliver(*(stamped(number) for number in range(1, 4)))
    trusted = {"SSL_CERT_FILE": str(person.server.certificate)}
    bare = Bare(folder=tmp_path, jira=cloud_jira, extra=trusted)
    with running(bare, "init", "--browser", "--no-lookup") as serving:
        url, token = place_and_token(serving)
        async with watched_page(chrome, url, dark=True) as at:
            page = at.page
            await at.open("/")
            await at.shot("setup-1-token")
            await page.get_by_label("Token").fill(token)
            await page.get_by_role("button", name="Begin").click()
            await answer_for_jira(at, cloud_jira)
            await answer_for_the_mailbox(at, person, address)
            await page.get_by_label("none").check()
            await page.get_by_role("button", name="Go on").click()
            await answer(at, "Mail server for letters", "none")
            await expect(page.get_by_text("+JIRA_API_TOKEN=********")).to_be_visible()
            await at.shot("setup-8-files")
            assert not (tmp_path / ".env").exists()
            assert await at.axe() == []
            seen = await page.content()
            await page.get_by_role("button", name="Yes").click()
            await expect(page.get_by_text("Wait here for a mail")).to_be_visible()
            await expect(page.get_by_text("database").first).to_be_visible()
            await at.shot("setup-9-doctor")
            await page.get_by_role("button", name="Yes").click()
            await expect(page.get_by_text(f"Send a mail to {address} now")).to_be_visible()
            await at.shot("setup-10-waiting")
            person.deliver(stamped(4))
            await expect(page.get_by_role("link", name=re.compile("HARB-71"))).to_be_visible()
            await expect(page.get_by_text("Triage is set up.")).to_be_visible()
            await at.shot("setup-11-ticket")
            assert await at.axe() == []
        assert serving.process.wait(60) == 0
        logged = serving.said

    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert "AUTHSERV_ID=mx.harbour.example" in (tmp_path / ".env").read_text(encoding="utf-8")
    assert not [word for word in (cloud_jira.token, PASSWORD) if word in seen or word in logged]


def test_strangers_are_kept_out(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Wrong token, other sites, other names of this machine, a second browser, an old form; who leaves has written nothing."""
    bare = Bare(folder=tmp_path, jira=cloud_jira)
    with running(bare, "init", "--browser", "--no-lookup") as serving:
        url, token = place_and_token(serving)
        form = {FORM_KEY: "", "number": "1", "text": "http://169.254.169.254"}
        with httpx2.Client(base_url=url) as admin, httpx2.Client(base_url=url) as other:
            refused = [
                other.post("/enter", data={"token": "x"}),
                other.post("/enter", data={"token": token}, headers={"origin": "https://evil.example"}),
                other.get("/", headers={"host": "evil.example"}),
                other.post("/answer", data=form),
            ]
            entered = admin.post("/enter", data={"token": token})
            key = form_key_of(admin.cookies[COOKIE])
            shown = admin.get("/")
            refused += [
                other.post("/enter", data={"token": token}),
                other.get("/"),
                admin.post("/answer", data={**form, FORM_KEY: "0" * 64}),
                admin.post("/answer", data={**form, FORM_KEY: key}, headers={"sec-fetch-site": "cross-site"}),
            ]
            stale = admin.post("/answer", data={**form, FORM_KEY: key, "number": "7", "text": "nothing"})
            told = admin.get("/").text
            left = admin.post("/answer", data={**form, FORM_KEY: key, "turn": "quit"})
            last = admin.get("/")
        code = serving.process.wait(60)

    assert [one.status_code for one in refused] == [400, 403, 421, 403, 403, 403, 403, 403]
    assert (entered.status_code, stale.status_code, left.status_code, code) == (303, 303, 303, 1)
    cookie = entered.headers["set-cookie"].lower()
    assert ("httponly" in cookie, "samesite=strict" in cookie) == (True, True)
    assert "'unsafe-inline'" not in shown.headers["content-security-policy"]
    assert shown.headers["cache-control"] == "no-store"
    assert "nothing" not in told.partition("<main")[2].lower().replace("nothing is written before", "")
    assert "Nothing was written." in last.text
    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".log")] == []


async def test_where_there_are_accounts_an_admin_is_asked_for(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The token alone opens nothing then, an approver's password neither; the token still counts for an admin."""
    file = migrated(tmp_path / "triage.db")
    async with open_accounts(load(Isolated, DATABASE_URL=f"sqlite:///{file}")) as accounts:
        await accounts.add("ada@example.com", "Ada", AccessScope.ADMIN, RIVER, by="test")
        await accounts.add("bob@example.com", "Bob", AccessScope.APPROVER, RIVER, by="test")
    bare = Bare(folder=tmp_path, jira=cloud_jira, extra={"DATABASE_URL": f"sqlite:///{file}"})
    with running(bare, "init", "--browser", "--no-lookup") as serving:
        url, token = place_and_token(serving)
        people = [("", ""), ("bob@example.com", RIVER), ("ada@example.com", "wrong"), ("ada@example.com", RIVER)]
        with httpx2.Client(base_url=url) as browser:
            tries = [
                browser.post("/enter", data={"token": token, "address": address, "password": password})
                for address, password in people
            ]
        code = serving.ended(signal.SIGINT)

    assert [one.status_code for one in tries] == [400, 400, 400, 303]
    assert "Only an admin" in tries[0].text or "only an admin" in tries[0].text
    assert code == 1
