"""Signing in through a provider over HTTP: only whom it proves and a rule names, only in the browser that began."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest

from tests.servers.web.door import Browser, Door, console_door
from tests.servers.web.oidc import ADA, CLIENT, SECRET, Provider, provider
from triage.domain.operations.tokens import AccessScope
from web.console.way_in import BEGUN, COOKIE

ROLES = "admin=group:ops viewer=@example.com"


@pytest.fixture
def at() -> Iterator[Provider]:
    """A provider with Ada, who is in the group `ops`."""
    with provider() as made:
        yield made


@asynccontextmanager
async def door_of(folder: Path, at: Provider, more: Mapping[str, str] | None = None) -> AsyncIterator[Door]:
    """A console with this provider and no accounts."""
    settings = {
        "PUBLIC_URL": "http://triage.example/",
        "OIDC_ISSUER": at.issuer,
        "OIDC_CLIENT_ID": CLIENT,
        "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_ROLES": ROLES,
        **(more or {}),
    }
    async with console_door(folder, people=False, settings=settings) as door:
        yield door


async def through(browser: Browser, at: Provider, place: str = "/accounts") -> httpx2.Response:
    """There and back; the answer at the end of the way."""
    begun = await browser.get("/oidc/start", params={"next": place})
    back = urlsplit(at.sign_in(begun.headers["location"]))
    assert back.netloc == "triage.example", "the way back is PUBLIC_URL, whatever the request says"
    return await browser.get(back.path, params=dict(parse_qsl(back.query)))


async def test_a_person_comes_in(tmp_path: Path, at: Provider) -> None:
    """She gets an account with the role of her group, comes to the page that she asked for, and may decide by her address."""
    async with door_of(tmp_path, at) as door:
        browser = await door.browser(headers={"host": "evil.example", "x-forwarded-host": "evil.example"})
        entrance = await browser.get("/sign-in?next=/accounts")
        done = await through(browser, at)
        page = await browser.get("/accounts")
        made = await door.accounts.all()

    assert "/oidc/start?next=/accounts" in entrance.text
    assert (done.status_code, done.headers["location"]) == (303, "/accounts")
    assert [(one.address, one.name, one.scope, one.managed) for one in made] == [
        ("ada@example.com", "Ada Moreau", AccessScope.ADMIN, True)
    ]
    assert "by OIDC_ROLES" in page.text


async def test_who_does_not_come_in(tmp_path: Path, at: Provider) -> None:
    """Nobody whom no rule names, whose address is unverified, or whose token does not fit; there is no account of his."""
    async with door_of(tmp_path, at) as door:
        browser = await door.browser()
        at.person = {**ADA, "email": "eve@example.org", "groups": []}
        strange = await through(browser, at)
        at.person = {**ADA, "email_verified": False}
        unverified = await through(browser, at)
        at.person, at.lies = dict(ADA), {"nonce": "another"}
        replayed = await through(browser, at)
        at.lies, at.algorithm = {}, "none"
        unsigned = await through(browser, at)
        made = await door.accounts.all()

    assert [one.status_code for one in (strange, unverified, replayed, unsigned)] == [403] * 4
    assert "nobody has given you a role" in strange.text
    assert "vouches for no e-mail address" in unverified.text
    assert made == ()
    assert COOKIE not in browser.cookies


async def test_the_way_back_belongs_to_one_browser(tmp_path: Path, at: Provider) -> None:
    """A link back that somebody else began, that is used again, or that says no, signs nobody in."""
    async with door_of(tmp_path, at) as door:
        mallory, victim = await door.browser(), await door.browser()
        begun = await mallory.get("/oidc/start")
        back = dict(parse_qsl(urlsplit(at.sign_in(begun.headers["location"])).query))
        lured = await victim.get("/oidc/callback", params=back)
        await victim.get("/oidc/start")
        swapped = await victim.get("/oidc/callback", params=back)
        done = await mallory.get("/oidc/callback", params=back)
        again = await mallory.get("/oidc/callback", params=back)
        refused = await victim.get("/oidc/callback", params={"error": "<script>alert(1)</script>", "state": "x"})
        empty = await victim.get("/oidc/callback")

    assert [one.status_code for one in (lured, swapped, again, refused, empty)] == [403] * 5
    assert done.status_code == 303
    assert COOKIE not in victim.cookies
    assert BEGUN not in mallory.cookies, "the browser keeps nothing of the way"
    assert "<script>alert" not in refused.text


async def test_a_provider_that_is_down(tmp_path: Path, at: Provider) -> None:
    """Its trouble is a page that says so; nobody is signed in, and the other ways in stay open."""
    async with door_of(tmp_path, at) as door:
        browser = await door.browser()
        at.down = True
        begun = await browser.get("/oidc/start")
        at.down = False
        going = await browser.get("/oidc/start")
        back = urlsplit(at.sign_in(going.headers["location"]))
        at.down = True
        returned = await browser.get(back.path, params=dict(parse_qsl(back.query)))
        entrance = await browser.get("/sign-in")

    assert (begun.status_code, returned.status_code, entrance.status_code) == (503, 503, 200)
    assert COOKIE not in browser.cookies


async def test_where_it_leads(tmp_path: Path, at: Provider) -> None:
    """To pages of ours alone; without a provider there is no such way."""
    async with door_of(tmp_path, at) as door:
        browser = await door.browser()
        places = [(await through(browser, at, place)).headers["location"] for place in ("//evil.example", "/sign-out")]
    (tmp_path / "b").mkdir()
    async with console_door(tmp_path / "b") as door:
        none = [(await (await door.browser()).get(f"/oidc/{end}")).status_code for end in ("start", "callback")]

    assert places == ["/", "/"]
    assert none == [404, 404]
