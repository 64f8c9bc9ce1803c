"""Signing in and out over HTTP: what a cookie is worth, and what is not taken for one."""

from http.cookies import SimpleCookie
from pathlib import Path

import httpx2
import pytest

from tests.servers.web.door import PEOPLE, RIVER, Door, console_door, enter
from triage.domain.operations.tokens import AccessScope
from triage.services.operations.tokens import TokenService
from web.console.way_in import COOKIE, DEVICE

ADA = PEOPLE[AccessScope.ADMIN]


def cookies_of(answer: httpx2.Response) -> SimpleCookie:
    """The cookies that an answer sets, with their flags."""
    return SimpleCookie("\r\n".join(answer.headers.get_list("set-cookie")))


async def test_a_person_signs_in(door: Door) -> None:
    """Address and password open the page that was asked for; whatever is wrong is told in one sentence."""
    stranger = await door.browser()
    asked = await stranger.get("/cases/1?x=1")
    entered = await enter(stranger, "ADA@example.com", next="/accounts")
    page = await stranger.get("/accounts")
    refused = [
        await enter(await door.browser(), *given)
        for given in ((ADA, "wrong"), ("nobody@example.com", RIVER), (ADA, ""), ("", ""))
    ]

    assert asked.headers["location"] == "/sign-in?next=/cases/1%3Fx%3D1"
    assert (entered.status_code, entered.headers["location"]) == (303, "/accounts")
    assert (page.status_code, "Ada" in page.text) == (200, True)
    assert {one.status_code for one in refused} == {401}
    assert refused[0].text.replace(ADA, "") == refused[1].text.replace("nobody@example.com", "")
    assert "Address and password do not fit" in refused[0].text
    assert all(COOKIE not in one.cookies for one in refused)


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_the_flags_of_cookies(tmp_path: Path, scheme: str) -> None:
    """No script reads them, other sites do not send them with forms, and behind HTTPS nothing else does; browsers stay with HTTPS then."""
    async with console_door(tmp_path, settings={"PUBLIC_URL": f"{scheme}://triage.example"}) as door:
        entered = await enter(await door.browser(), ADA)
    cookies = cookies_of(entered)
    session = cookies[f"__Host-{COOKIE}" if scheme == "https" else COOKIE]

    assert (session["httponly"], session["samesite"], session["path"], session["domain"]) == (True, "lax", "/", "")
    assert session["max-age"] == "", "it ends with the browser"
    assert (cookies[DEVICE]["httponly"], cookies[DEVICE]["path"]) == (True, "/sign-in")
    assert {bool(one["secure"]) for one in cookies.values()} == {scheme == "https"}
    assert ("strict-transport-security" in entered.headers) == (scheme == "https")
    assert len(session.value) == 43


async def test_secure_behind_a_proxy_that_says_so(door: Door) -> None:
    """Without PUBLIC_URL a trusted proxy's word that people come by HTTPS makes cookies secure."""
    entered = await enter(await door.browser(headers={"x-forwarded-proto": "https"}), ADA)

    assert cookies_of(entered)[COOKIE]["secure"] is True


async def test_what_is_no_session(door: Door) -> None:
    """Made-up, altered and emptied cookies, an access token or a password in their place: all lead to the sign-in."""
    ada = await door.browser(AccessScope.ADMIN)
    real = ada.cookies[COOKIE]
    token, _ = await TokenService(
        store=door.context.store.tokens, deeds=door.context.store.deeds, clock=door.accounts.clock
    ).create("x", AccessScope.ADMIN, 1, by="test")
    digest = door.sql("SELECT digest FROM sessions")[0][0]
    forged = [
        "",
        "x",
        real[:-1],
        real + "x",
        real.swapcase(),
        f"{real}%00",
        f'"{real}x"',
        token,
        RIVER,
        digest,
        "1",
        "a" * 9_000,
    ]
    stranger = await door.browser()
    answers = [await stranger.get("/accounts", headers={"cookie": f"{COOKIE}={value}"}) for value in forged]
    other = await stranger.get("/accounts", headers={"authorization": f"Bearer {token}"})

    assert {one.status_code for one in (*answers, other)} == {303}
    assert (await ada.get("/accounts")).status_code == 200


async def test_signing_out_ends_the_session(door: Door) -> None:
    """A copy of the cookie is worth nothing afterwards; nor is one that has expired, or whose account is disabled."""
    ada, bob = await door.browser(AccessScope.ADMIN), await door.browser(AccessScope.APPROVER)
    copy = {"cookie": f"{COOKIE}={ada.cookies[COOKIE]}"}
    stranger = await door.browser()
    before = await stranger.get("/accounts", headers=copy)
    left = await ada.post("/sign-out", data=ada.form())
    replayed = await stranger.get("/accounts", headers=copy)
    await door.accounts.disable("bob@example.com", by="test")
    disabled = await bob.get("/accounts")
    again = await enter(bob, PEOPLE[AccessScope.APPROVER])
    eve = await door.browser(AccessScope.VIEWER)
    door.expire()

    assert (before.status_code, left.status_code, replayed.status_code) == (200, 303, 303)
    assert COOKIE not in ada.cookies
    assert (disabled.status_code, again.status_code) == (303, 401)
    assert (await eve.get("/accounts")).status_code == 303


async def test_a_session_is_never_taken_over(door: Door) -> None:
    """A cookie that somebody planted before the sign-in is not the session; the session before it ends."""
    victim = await door.browser()
    victim.cookies.set(COOKIE, "planted" * 6 + "x")
    await enter(victim, ADA)
    first = victim.cookies.get(COOKIE, domain="127.0.0.1") or victim.cookies.get(COOKIE)
    eve = await door.browser(AccessScope.VIEWER)
    planted = eve.cookies[COOKIE]
    bob = await door.browser()
    entered = await bob.post(
        "/sign-in", data={"address": "bob@example.com", "password": RIVER}, headers={"cookie": f"{COOKIE}={planted}"}
    )

    assert first != "planted" * 6 + "x"
    assert entered.cookies[COOKIE] != planted
    assert (await eve.get("/accounts")).status_code == 303, "who shared the old cookie is signed out"


ELSEWHERE = (
    *("//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)"),
    *("/\tevil.example", "/%0d%0aset-cookie:x=y\r\nx: y", "http:evil.example", "//evil.example/%2f..", "evil.example"),
    *("/sign-out", "///evil.example", "/ /evil.example\n", "@evil.example", "/é", "//["),
)


async def test_nobody_is_led_elsewhere(door: Door) -> None:
    """A link to the sign-in leads to pages of ours alone, wherever it says."""
    stranger = await door.browser()
    for place in ELSEWHERE:
        shown = await stranger.get("/sign-in", params={"next": place})
        entered = await enter(stranger, ADA, next=place)

        assert (entered.status_code, entered.headers["location"]) == (303, "/"), place
        assert "evil.example" not in shown.text
        assert "x" not in entered.cookies


async def test_guessing_is_slow(door: Door) -> None:
    """After five failures even the right password waits, told in seconds, but for a browser that was signed in before."""
    known = await door.browser(AccessScope.ADMIN)
    stranger = await door.browser()
    answers = [await enter(stranger, ADA, f"wrong {number}") for number in range(8)]
    right = await enter(stranger, ADA)
    elsewhere = await enter(await door.browser(headers={"x-forwarded-for": "203.0.113.9"}), ADA)
    hers = await enter(known, ADA)
    forged = await stranger.post(
        "/sign-in",
        data={"address": ADA, "password": RIVER},
        headers={"cookie": f"{DEVICE}={known.cookies[DEVICE][::-1]}"},
    )

    assert [one.status_code for one in (*answers[:5], answers[-1])] == [401] * 5 + [429]
    assert (right.status_code, "seconds." in right.text) == (429, True)
    assert (elsewhere.status_code, hers.status_code, forged.status_code) == (303, 303, 429)


async def test_an_access_token_is_a_way_in(door: Door) -> None:
    """It gives its scope and person, not its text, and the session ends when it is revoked."""
    tokens = TokenService(store=door.context.store.tokens, deeds=door.context.store.deeds, clock=door.accounts.clock)
    text, token = await tokens.create("board", AccessScope.APPROVER, 1, by="test", person="carol@example.com")
    browser = await door.browser()
    entered = await browser.post("/sign-in", data={"token": text})
    page = await browser.get("/accounts")
    refused = await browser.post("/accounts", data=browser.form(address="x@example.com", role="admin"))
    await tokens.revoke(token.id, by="ada")

    assert (entered.status_code, page.status_code, refused.status_code) == (303, 200, 403)
    assert text not in str(entered.headers)
    assert "carol@example.com" in page.text
    assert (await browser.get("/accounts")).status_code == 303
    assert (await browser.post("/sign-in", data={"token": text})).status_code == 401
