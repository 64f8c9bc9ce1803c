"""The adapter of identity providers against a provider over real HTTP that lies in one part at a time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from integrations.oidc.provider import OidcProvider
from integrations.system_clock import SystemClock
from tests.servers.web.oidc import ADA, CLIENT, SECRET, Provider, provider
from triage.domain.operations.accounts import ProvenIdentity
from triage.domain.operations.errors import IdentityProviderDown, IdentityRefused
from triage.services.accounts.provider_sign_in import ProviderSignIn

CALLBACK = "https://triage.example/oidc/callback"


@asynccontextmanager
async def ways(at: Provider, secret: str = SECRET, **more: Any) -> AsyncIterator[ProviderSignIn]:
    """The way through this provider, as the console has it."""
    adapter = OidcProvider(at.issuer, CLIENT, secret, CALLBACK, SystemClock(), **more)
    try:
        yield ProviderSignIn(provider=adapter, name="id", clock=SystemClock(), key=b"k" * 32)
    finally:
        await adapter.close()


async def through(way: ProviderSignIn, at: Provider) -> tuple[ProvenIdentity, str]:
    """There and back as a browser goes."""
    url, cookie = await way.begin("/cases/7")
    back = parse_qs(urlsplit(at.sign_in(url)).query)
    return await way.finish(cookie, back["state"][0], back["code"][0])


async def test_there_and_back() -> None:
    """Whoever signs in is known by issuer and subject, with verified address in lower case, name and groups."""
    with provider() as at:
        async with ways(at) as way:
            who, then = await through(way, at)
            await through(way, at)

    assert then == "/cases/7"
    assert who == ProvenIdentity(
        issuer=at.issuer, subject="u-17", address="ada@example.com", name="Ada Moreau", groups=frozenset({"ops"})
    )
    assert at.asked.count("/keys") == 1, "keys are kept"
    assert "/userinfo" not in at.asked


@pytest.mark.parametrize(
    "lies",
    [
        {"iss": "https://other.example"},
        {"aud": "another program"},
        {"aud": [CLIENT, "another program"]},
        {"azp": "another program"},
        {"nonce": "replayed"},
        {"nonce": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": 9_999_999_999, "exp": 9_999_999_999},
        {"sub": None},
        {"sub": ""},
    ],
)
async def test_an_id_token_that_does_not_fit(lies: dict[str, Any]) -> None:
    """Another issuer, audience or nonce, an expired or future one, and one about nobody let nobody in."""
    with provider() as at:
        at.lies = lies
        async with ways(at) as way:
            with pytest.raises(IdentityRefused):
                await through(way, at)


@pytest.mark.parametrize("algorithm", ["none", "HS256", "PS512", "RS512"])
async def test_algorithms(algorithm: str) -> None:
    """A token without a signature, or signed by what everybody knows, is none; asymmetric ones are taken."""
    with provider() as at:
        at.algorithm = algorithm
        async with ways(at) as way:
            if algorithm in {"none", "HS256"}:
                with pytest.raises(IdentityRefused, match="not valid"):
                    await through(way, at)
            else:
                assert (await through(way, at))[0].subject == "u-17"


@pytest.mark.parametrize(
    ("said", "trust", "address"),
    [
        (True, False, "ada@example.com"),
        ("true", False, "ada@example.com"),
        (False, True, ""),
        ("false", True, ""),
        (1, False, ""),
        (None, False, ""),
        (None, True, "ada@example.com"),
    ],
)
async def test_an_unverified_address_is_none(said: object, trust: bool, address: str) -> None:  # noqa: FBT001 - a table
    """The provider vouches for an address, or the admin said that its silence does; a `no` is a no."""
    with provider() as at:
        at.person = {**ADA, "email_verified": said}
        at.lies = {"email_verified": said}
        async with ways(at, trust_addresses=trust) as way:
            assert (await through(way, at))[0].address == address


async def test_a_thin_token() -> None:
    """What the ID token leaves out is asked at the userinfo endpoint, which must tell of the same person."""
    with provider() as at:
        at.thin = True
        async with ways(at) as way:
            who, _ = await through(way, at)
            at.lies = {"sub": "u-18"}
            with pytest.raises(IdentityRefused, match="somebody else"):
                await through(way, at)

    assert (who.address, who.groups) == ("ada@example.com", frozenset({"ops"}))


async def test_codes() -> None:
    """A code counts once, with our secret, and for the browser that asked for it."""
    with provider() as at:
        async with ways(at) as way:
            url, cookie = await way.begin("/")
            back = parse_qs(urlsplit(at.sign_in(url)).query)
            await way.finish(cookie, back["state"][0], back["code"][0])
            with pytest.raises(IdentityRefused, match="invalid_grant"):
                await way.finish(cookie, back["state"][0], back["code"][0])
        async with ways(at, secret="wrong") as way:
            with pytest.raises(IdentityRefused, match="invalid_client"):
                await through(way, at)


async def test_another_way_to_log_in() -> None:
    """A provider that wants the secret in the form gets it there."""
    with provider() as at:
        at.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
        async with ways(at) as way:
            assert (await through(way, at))[0].subject == "u-17"


async def test_keys_change() -> None:
    """A key that is not known is looked for once; one that is not published signs nothing."""
    with provider() as at:
        async with ways(at) as way:
            await through(way, at)
            at.rotate()
            await through(way, at)
            url, cookie = await way.begin("/")
            back = parse_qs(urlsplit(at.sign_in(url)).query)
            at.published = [at.key]
            at.rotate()
            with pytest.raises(IdentityRefused, match="does not publish"):
                await way.finish(cookie, back["state"][0], back["code"][0])

    assert at.asked.count("/keys") == 3


@pytest.mark.parametrize(
    "metadata",
    [{"issuer": "https://other.example"}, {"token_endpoint": "ftp://x"}, {"jwks_uri": None}, {"jwks_uri": "{issuer}/"}],
)
async def test_metadata_that_do_not_fit(metadata: dict[str, Any]) -> None:
    """Metadata of another issuer, or without a safe address, are trouble of the provider."""
    with provider() as at:
        at.metadata = {
            name: value.replace("{issuer}", at.issuer) if value else value for name, value in metadata.items()
        }
        async with ways(at) as way:
            with pytest.raises(IdentityProviderDown):
                await through(way, at)


async def test_a_provider_that_is_down() -> None:
    """Its trouble is told as its trouble, whatever it is, and passes."""
    with provider() as at:
        async with ways(at) as way:
            at.down = True
            with pytest.raises(IdentityProviderDown, match="503"):
                await way.begin("/")
            at.down = False
            assert (await through(way, at))[0].subject == "u-17"
        async with ways(Provider(issuer="http://127.0.0.1:9")) as way:
            with pytest.raises(IdentityProviderDown):
                await way.begin("/")
