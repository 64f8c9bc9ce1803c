"""How somebody lets Triage into a mailbox, against a provider over HTTP."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from integrations.mail_oauth.landing import listening
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from tests.servers.web.mail_oauth import CLIENT, SCOPES, MailProvider
from triage.domain.mailboxes import DeviceCode, OAuthGrant, SignInWays
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.errors import GrantRefused
from triage.services.mail_oauth.sign_in import MailSignIn
from triage.services.mail_oauth.tokens import MailTokens

BOT = "Bot@Example.com"
EXPIRED = {"error": "expired_token"}


async def test_by_device(
    sign_in: MailSignIn, tokens: MailTokens, at: MailProvider, store: SqlStore, tmp_path: Path
) -> None:
    """A code is shown, asked for at the provider's pace, and the grant is kept so that no token can be read in the database."""
    at.errors = [{"error": "authorization_pending"}, {"error": "slow_down"}]
    shown: list[DeviceCode] = []
    began = sign_in.clock.now()
    grant = await sign_in.by_device(BOT, shown.append)
    access = await tokens.access("support", BOT)
    (change,) = await store.deeds.deeds(AuditFilter(), 9)
    await store.close()
    with sqlite3.connect(tmp_path / "triage.db") as connection:
        dumped = "\n".join(connection.iterdump())
    connection.close()

    assert (change.kind, change.by, change.detail) == ("mailbox_signed_in", "ada", BOT.lower())
    assert [(one.user_code, one.address) for one in shown] == [("WDJB-MJHT", f"{at.issuer}/activate")]
    assert (sign_in.clock.now() - began).total_seconds() == 5 + 5 + 10
    assert (grant.account, grant.scope) == ("bot@example.com", SCOPES)
    assert access == at.given[0]
    assert "bot@example.com" in dumped
    assert not [secret for secret in (access, at.good, bytes(access, "ascii").hex()) if secret in dumped]
    assert (tmp_path / "mail-oauth.key").stat().st_mode & 0o777 == 0o600


async def test_nobody_types_the_code_in(sign_in: MailSignIn, at: MailProvider) -> None:
    """The wait ends with the code's life, or when the provider says so."""
    at.agreed = False
    with pytest.raises(GrantRefused, match="start again"):
        await sign_in.by_device(BOT, lambda _: None)
    at.errors = [EXPIRED]
    with pytest.raises(GrantRefused, match="in time"):
        await sign_in.by_device(BOT, lambda _: None)

    assert await sign_in.grants.grants() == ()


async def test_by_browser(sign_in: MailSignIn, at: MailProvider) -> None:
    """The page asks with PKCE, the browser lands on a port of this machine, and a request for an icon is no answer."""
    pages: list[str] = []
    visits: list[asyncio.Task[list[int]]] = []

    def browse(page: str) -> None:
        pages.append(page)
        visits.append(asyncio.create_task(visited(f"{listener.redirect}/favicon.ico", at.sign_in(page))))

    async with listening("127.0.0.1") as listener:
        grant = await sign_in.by_browser(BOT, listener, browse)
        answers = await visits[0]

    assert answers == [404, 200]
    assert "code_challenge_method=S256" in pages[0]
    assert "login_hint=Bot%40Example.com" in pages[0]
    assert at.asked[0]["redirect_uri"] == listener.redirect
    assert await sign_in.grants.find("bot@example.com") == grant


async def visited(*urls: str) -> list[int]:
    """Open pages as a browser does."""
    async with httpx2.AsyncClient(trust_env=False) as browser:
        return [(await browser.get(url)).status_code for url in urls]


async def test_a_pasted_address(sign_in: MailSignIn, at: MailProvider) -> None:
    """A browser on another machine cannot open the last page; its address is enough, and other lines are no answer."""
    grant = await pasted(sign_in, lambda page: f"hello\n  {at.sign_in(page)}\n")

    assert grant.client == f"{at.issuer} ({CLIENT})"


async def pasted(sign_in: MailSignIn, answer: Callable[[str], str]) -> OAuthGrant:
    """Sign in by what is typed, once the page is shown."""
    end, begin = os.pipe()
    with os.fdopen(end) as terminal, os.fdopen(begin, "w") as keyboard:
        async with listening("localhost", typed=terminal) as landing:
            return await sign_in.by_browser(
                BOT, landing, lambda page: print(answer(page), end="", file=keyboard, flush=True)
            )


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        ({"state": "forged"}, "another sign-in"),
        ({"code": "", "error": "access_denied"}, "access_denied"),
        ({"code": "stolen"}, "invalid_grant"),
    ],
)
async def test_a_browser_that_brings_something_else(
    sign_in: MailSignIn, at: MailProvider, instead: dict[str, str], why: str
) -> None:
    """Another sign-in's state, a refusal, a code of somebody else: nothing is kept."""
    with pytest.raises(GrantRefused, match=why):
        await pasted(sign_in, lambda page: f"{at.sign_in(page, **instead)}\n")

    assert await sign_in.grants.grants() == ()


async def test_nobody_comes_back(sign_in: MailSignIn, tmp_path: Path) -> None:
    """Nobody opens the page, and nobody can type either: the wait ends."""
    with (tmp_path / "nothing").open("w+") as nothing:
        async with listening("localhost", seconds=0.01, typed=nothing) as landing:
            with pytest.raises(GrantRefused, match="start again"):
                await sign_in.by_browser(BOT, landing, lambda _: None)


async def test_without_refresh_token(sign_in: MailSignIn, at: MailProvider) -> None:
    """It would end within the hour, so it is not taken, and the error says what to do."""
    at.gives_refresh = False
    with pytest.raises(GrantRefused, match="offline"):
        await sign_in.by_device(BOT, lambda _: None)


async def test_ways_and_forgetting(sign_in: MailSignIn, at: MailProvider, clock: HeldClock) -> None:
    """The provider's metadata tell the ways, at either of the usual places; a sign-out is told once."""
    at.only_rfc8414, at.metadata = True, {"device_authorization_endpoint": None}

    assert await sign_in.ways() == SignInWays(device=False, browser=True)
    assert not await sign_in.forget(BOT)
    assert clock.now() == sign_in.clock.now()
