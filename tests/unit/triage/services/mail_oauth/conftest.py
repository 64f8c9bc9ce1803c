"""A provider over HTTP, a store with nothing in it, and the key in a file."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from integrations.mail_oauth.provider import OAuthProvider
from integrations.mail_oauth.seal import FernetSeal
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from tests.servers.web.mail_oauth import CLIENT, SCOPES, MailProvider, mail_provider
from triage.config.mail_oauth import OAuthClient
from triage.services.mail_oauth.sign_in import MailSignIn
from triage.services.mail_oauth.tokens import MailTokens


@pytest.fixture
def at() -> Iterator[MailProvider]:
    """The provider as it is."""
    with mail_provider() as state:
        yield state


@pytest.fixture
async def provider(at: MailProvider) -> AsyncIterator[OAuthProvider]:
    """The provider as we see it."""
    seen = OAuthProvider(OAuthClient(issuer=at.issuer, client_id=CLIENT, scopes=SCOPES))
    yield seen
    await seen.close()


@pytest.fixture
def seal(tmp_path: Path) -> FernetSeal:
    """A key in a file."""
    return FernetSeal(b"", tmp_path / "mail-oauth.key")


@pytest.fixture
def sign_in(store: SqlStore, provider: OAuthProvider, seal: FernetSeal, clock: HeldClock) -> MailSignIn:
    """The sign-in."""
    return MailSignIn(grants=store.mail_grants, provider=provider, seal=seal, clock=clock, deeds=store.deeds, by="ada")


@pytest.fixture
def tokens(store: SqlStore, provider: OAuthProvider, seal: FernetSeal, clock: HeldClock) -> MailTokens:
    """The tokens."""
    return MailTokens(grants=store.mail_grants, provider=provider, seal=seal, clock=clock)
