"""The way to a provider and back belongs to one browser, and ends after ten minutes."""

import base64
import json
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import pytest

from integrations.oidc.provider import OidcProvider
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import HeldClock
from tests.servers.web.oidc import CLIENT, SECRET, Provider, provider
from triage.domain.operations.errors import IdentityRefused
from triage.services.accounts.provider_sign_in import ProviderSignIn


@pytest.fixture
async def way(clock: HeldClock) -> AsyncIterator[tuple[ProviderSignIn, Provider]]:
    """The service over a provider."""
    with provider() as at:
        adapter = OidcProvider(at.issuer, CLIENT, SECRET, "https://triage.example/oidc/callback", SystemClock())
        yield ProviderSignIn(provider=adapter, name="id", clock=clock, key=b"k" * 32), at
        await adapter.close()


async def test_the_browser_that_began(way: tuple[ProviderSignIn, Provider], clock: HeldClock) -> None:
    """It comes back with its own cookie and state within ten minutes; nothing else gets as far as the provider."""
    service, at = way
    url, cookie = await service.begin("/cases/7")
    _, other = await service.begin("/")
    back = parse_qs(urlsplit(at.sign_in(url)).query)
    state, code = back["state"][0], back["code"][0]
    text = base64.urlsafe_b64encode(json.dumps({"state": state}).encode()).decode()
    for forged in (other, "", ".", cookie[:-1], f"x{cookie}", f"{text}.", f"{text}.{cookie.partition('.')[2]}", "é.ü"):
        with pytest.raises(IdentityRefused, match="begin again"):
            await service.finish(forged, state, code)
    for foreign in ("", "é", f"{state}x"):
        with pytest.raises(IdentityRefused, match="another sign-in"):
            await service.finish(cookie, foreign, code)
    assert "/token" not in at.asked
    who, then = await service.finish(cookie, state, code)
    await clock.sleep(601)
    with pytest.raises(IdentityRefused, match="too long ago"):
        await service.finish(cookie, state, code)

    assert (who.subject, then) == ("u-17", "/cases/7")


async def test_what_the_cookie_tells(way: tuple[ProviderSignIn, Provider]) -> None:
    """The URL at the provider has a challenge and never the verifier, and each sign-in has a state and nonce of its own."""
    service, _ = way
    (first, cookie), (second, _) = await service.begin("/"), await service.begin("/")
    begun = json.loads(base64.urlsafe_b64decode(cookie.partition(".")[0]))

    assert begun["verifier"] not in first
    assert {parse_qs(urlsplit(first).query)[name][0] for name in ("state", "nonce")} == {begun["state"], begun["nonce"]}
    assert not {begun["state"], begun["nonce"]} & {value for row in parse_qs(second).values() for value in row}
