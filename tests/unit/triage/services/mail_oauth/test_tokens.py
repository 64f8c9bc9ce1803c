"""Tokens stay fresh without a person: renewed early, once for all processes, and stored before they are used."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from integrations.mail_oauth.provider import OAuthProvider
from integrations.mail_oauth.seal import FernetSeal
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock
from tests.servers.web.mail_oauth import CLIENT, SCOPES, MailProvider
from triage.config.mail_oauth import OAuthClient
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.services.mail_oauth.sign_in import MailSignIn
from triage.services.mail_oauth.tokens import ApplicationTokens, MailTokens

BOT = "bot@example.com"
HOUR = 3600.0


@pytest.fixture(autouse=True)
async def signed_in(sign_in: MailSignIn) -> None:
    """Somebody has signed in."""
    await sign_in.by_device(BOT, lambda _: None)


async def test_renewed_before_its_end(tokens: MailTokens, at: MailProvider, clock: HeldClock) -> None:
    """The same token until five minutes before its end; then a new one, with the refresh token that replaced the last."""
    first = [await tokens.access("support", BOT) for _ in range(2)]
    await clock.sleep(HOUR - 299)
    second = await tokens.access("support", BOT)
    await clock.sleep(HOUR)
    third = await tokens.access("support", "BOT@example.com")

    assert [*first, second, third] == [at.given[0], *at.given]
    assert [form["grant_type"] for form in at.asked[1:]] == ["refresh_token"] * 2


async def test_a_refused_token_is_renewed(tokens: MailTokens, at: MailProvider) -> None:
    """Whoever says that a token was refused gets another one; who holds the new one already is not served twice."""
    old = await tokens.access("support", BOT)
    new = await tokens.access("support", BOT, stale=old)

    assert new != old
    assert await tokens.access("support", BOT, stale=old) == new
    assert len(at.given) == 2


async def test_one_refresh_for_all(
    tokens: MailTokens, at: MailProvider, seal: FernetSeal, clock: HeldClock, tmp_path: Path
) -> None:
    """Ten that need a token at once, over two connections to the database, lead to one refresh: a rotated token works once."""
    await clock.sleep(HOUR)
    other = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", clock)
    provider = OAuthProvider(OAuthClient(issuer=at.issuer, client_id=CLIENT, scopes=SCOPES))
    second = MailTokens(grants=other.mail_grants, provider=provider, seal=seal, clock=Patient())
    first = replace(tokens, clock=Patient())
    try:
        got = await asyncio.gather(*((first, second)[n % 2].access("support", BOT) for n in range(10)))
    finally:
        await provider.close()
        await other.close()

    assert set(got) == {at.given[-1]}
    assert len(at.given) == 2


class Patient(HeldClock):
    """A clock at which waiting takes real time, so that the others get on."""

    def __init__(self) -> None:
        super().__init__()
        self.time = HeldClock().time.replace(year=2036)

    async def sleep(self, seconds: float) -> None:
        """Let the others work."""
        await asyncio.sleep(seconds)


async def test_a_process_that_died_renewing(tokens: MailTokens, at: MailProvider, clock: HeldClock) -> None:
    """Its turn ends by time: the next one waits for it in vain, and then takes over."""
    await clock.sleep(HOUR)
    now = clock.now()
    await tokens.grants.take_turn(BOT, "dead", now, now.replace(minute=now.minute + 2))
    with pytest.raises(MailboxDown, match="another process"):
        await tokens.access("support", BOT)
    token = await tokens.access("support", BOT)

    assert token == at.given[1]


async def test_consent_is_withdrawn(
    tokens: MailTokens, at: MailProvider, clock: HeldClock, sign_in: MailSignIn
) -> None:
    """The error names the command that cures it, the provider is asked no more, and a new sign-in ends it."""
    at.good = ""
    await clock.sleep(HOUR)
    for _ in range(2):
        with pytest.raises(MailboxDenied, match="triage mailbox login bot@") as denied:
            await tokens.access("support", BOT)
        assert "invalid_grant" in str(denied.value)
    asked = len(at.asked)
    await sign_in.by_device(BOT, lambda _: None)

    assert asked == 2
    assert await tokens.access("support", BOT) == at.given[-1]


async def test_trouble_that_passes(tokens: MailTokens, at: MailProvider, clock: HeldClock) -> None:
    """A provider that is down, or an application whose secret has expired, spoils nothing of the grant."""
    await clock.sleep(HOUR)
    at.down = True
    with pytest.raises(MailboxDown, match="503"):
        await tokens.access("support", BOT)
    at.down, at.secret = False, "a new one"
    with pytest.raises(MailboxDenied, match="MAIL_OAUTH_CLIENT_SECRET"):
        await tokens.access("support", BOT)
    at.secret = ""

    assert await tokens.access("support", BOT) == at.given[1]


async def test_another_key_or_application(tokens: MailTokens, provider: OAuthProvider, tmp_path: Path) -> None:
    """Tokens that nobody can read, or that are another application's, and accounts without any: each names the cure."""
    unread = replace(tokens, seal=FernetSeal(b"another", tmp_path / "none"))
    elsewhere = OAuthProvider(OAuthClient(issuer=provider.client, client_id="new", scopes=SCOPES))
    for one, account in ((unread, BOT), (replace(tokens, provider=elsewhere), BOT), (tokens, "a@example.com")):
        with pytest.raises(MailboxDenied, match=f"triage mailbox login {account}"):
            await one.access("support", account)
    await elsewhere.close()


async def test_the_application_itself(at: MailProvider, clock: HeldClock) -> None:
    """It asks by its secret for a token of its own, keeps it until shortly before its end, and says what it lacks."""
    at.secret = "s3"
    client = OAuthClient(issuer=at.issuer, client_id=CLIENT, client_secret="s3", scopes="mail/.default", app_only=True)
    provider = OAuthProvider(client)
    own = ApplicationTokens(provider=provider, clock=clock)
    first = [await own.access("support", account) for account in (BOT, "a@example.com")]
    await clock.sleep(HOUR)
    second = await own.access("support", BOT)
    third = await own.access("support", BOT, stale=second)
    at.secret = "another"
    with pytest.raises(MailboxDenied, match="secrets of applications expire"):
        await own.access("support", BOT, stale=third)
    at.down = True
    with pytest.raises(MailboxDown):
        await own.access("support", BOT, stale=third)
    await provider.close()

    assert [*first, second, third] == [at.given[1], *at.given[1:]]
    assert at.asked[-1]["scope"] == "mail/.default"
