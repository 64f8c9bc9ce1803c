"""The first account over HTTP, and as the running service offers it."""

import re
from pathlib import Path

import httpx2

from tests.conftest import PATIENCE
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.servers.web.door import RIVER, console_door, enter


async def test_one_token_makes_one_admin(tmp_path: Path) -> None:
    """Whoever has the printed token makes an admin and is signed in; afterwards the page is gone, whatever token is sent."""
    async with console_door(tmp_path, people=False) as door:
        browser = await door.browser()
        closed = await browser.get("/first")
        token = door.first.offer()
        shown, entrance = await browser.get("/first"), await browser.get("/sign-in")
        fields = {"token": token, "address": "ada@example.com", "name": "Ada", "password": RIVER}
        strength = await browser.post("/first/strength", data=fields)
        wrong = await browser.post("/first", data=fields | {"token": "x"})
        weak = await browser.post("/first", data=fields | {"password": "password1234"})
        made = await browser.post("/first", data=fields)
        accounts = await browser.get("/accounts")
        again = await browser.post("/first", data=fields | {"address": "eve@example.com"})
        gone, told = await browser.get("/first"), await browser.post("/first/strength", data=fields)

    assert (closed.status_code, closed.headers["location"]) == (303, "/sign-in")
    assert (shown.status_code, "/first" in entrance.text) == (200, True)
    assert [one.status_code for one in (wrong, weak, made, again)] == [400, 400, 303, 400]
    assert "one of the first that are tried" in weak.text
    assert 'value="ada@example.com"' in weak.text
    assert token not in weak.text
    assert (accounts.status_code, "Add somebody" in accounts.text) == (200, True)
    assert (gone.headers["location"], told.headers["location"]) == ("/sign-in", "/sign-in")
    assert "strong" in strength.text


async def test_the_token_is_not_guessed(tmp_path: Path) -> None:
    """Tries are counted as those of a password; a service that has printed none makes nobody an admin."""
    async with console_door(tmp_path, people=False) as door:
        browser = await door.browser()
        fields = {"token": "x", "address": "eve@example.com", "password": RIVER}
        none = await browser.post("/first", data=fields)
        door.first.offer()
        answers = [await browser.post("/first", data=fields | {"token": str(number)}) for number in range(8)]
        none_made = await door.accounts.all()

    assert none.status_code == 400
    assert [one.status_code for one in (*answers[:4], answers[-1])] == [400] * 4 + [429]
    assert none_made == ()


def test_the_service_prints_it_once(installation: Installation) -> None:
    """`triage serve` tells where and with what as long as there is no account, with or without a worker; then never again."""
    with running(installation, "serve", "--no-work", PORT="0", LOG_LEVEL="INFO") as serving:
        told = until(lambda: re.search(r"open (\S+)/first and enter (\S+)", serving.said), serving)
        fields = {"token": told[2], "address": "ada@example.com", "password": RIVER}
        made = httpx2.post(f"{told[1]}/first", data=fields, timeout=PATIENCE)
        known = httpx2.post(
            f"{serving.url}/sign-in", data={"address": "ada@example.com", "password": RIVER}, timeout=PATIENCE
        )
        logged = serving.said
    with running(installation, "serve", "--no-work", PORT="0", LOG_LEVEL="INFO") as serving:
        httpx2.get(f"{serving.url}/sign-in", timeout=PATIENCE)
        said = serving.said

    assert (made.status_code, known.status_code) == (303, 303)
    assert RIVER not in logged
    assert "first" not in said


async def test_a_first_account_from_the_shell(tmp_path: Path) -> None:
    """An account that `triage user` made meanwhile closes the page."""
    async with console_door(tmp_path) as door:
        token = door.first.offer()
        browser = await door.browser()
        gone = await browser.get("/first")
        fields = {"token": token, "address": "mallory@example.com", "password": RIVER}
        late = await browser.post("/first", data=fields)
        entered = await enter(browser, "mallory@example.com")

    assert (gone.headers["location"], late.status_code, entered.status_code) == ("/sign-in", 400, 401)
