"""Builds the login with tokens of MAIL_OAUTH."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from cli.wiring.store import opened_store
from integrations.imap.login import Granted
from integrations.sql.store import SqlStore
from integrations.system_clock import SystemClock
from triage.config.mail_oauth import oauth_client
from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid
from triage.services.mail_oauth.tokens import ApplicationTokens, MailTokens

if TYPE_CHECKING:
    from integrations.mail_oauth.provider import OAuthProvider
    from integrations.mail_oauth.seal import FernetSeal


def granted(settings: Settings, mailbox: str, account: str, store: SqlStore | None = None) -> Granted:
    """Return the login of an account; without `store` one is opened whenever a token is needed."""
    source = _Source(settings, store)
    return Granted(mailbox, partial(source.token, mailbox, account))


def provider_of(settings: Settings) -> "OAuthProvider":
    """Return the provider of MAIL_OAUTH. Raises `SettingsInvalid` without one."""
    from integrations.mail_oauth.provider import OAuthProvider

    client = oauth_client(settings)
    if client is None:
        raise SettingsInvalid(("MAIL_OAUTH: missing; it is microsoft, google, or the address of another provider",))
    return OAuthProvider(client)


def seal_of(settings: Settings) -> "FernetSeal":
    """Return the cipher that encrypts tokens in the store, with the key of the settings or of a file."""
    from integrations.mail_oauth.seal import FernetSeal

    return FernetSeal(settings.triage_secret.get_secret_value().encode(), settings.mail_oauth_key_file)


@asynccontextmanager
async def store_of(settings: Settings, store: SqlStore | None) -> AsyncIterator[SqlStore]:
    """Yield the store that is open, or open one."""
    if store is not None:
        yield store
        return
    async with opened_store(settings) as opened:
        yield opened


class _Source:
    """Asks for the token of one account; what it opens is closed again, since a login happens once an hour."""

    def __init__(self, settings: Settings, store: SqlStore | None) -> None:
        self._settings, self._store = settings, store
        self._own: ApplicationTokens | None = None
        """The application's tokens, which this process keeps."""

    async def token(self, mailbox: str, account: str, stale: str) -> str:
        provider = provider_of(self._settings)
        try:
            if self._settings.mail_oauth_app_only:
                self._own = self._own or ApplicationTokens(provider=provider, clock=SystemClock())
                self._own.provider = provider
                return await self._own.access(mailbox, account, stale)
            async with store_of(self._settings, self._store) as store:
                tokens = MailTokens(
                    grants=store.mail_grants, provider=provider, seal=seal_of(self._settings), clock=store.clock
                )
                return await tokens.access(mailbox, account, stale)
        finally:
            await provider.close()
