"""Opens the sign-in of mail accounts."""

import getpass
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from cli.wiring.mail_oauth.tokens import provider_of, seal_of, store_of
from cli.wiring.store import set_up_log
from integrations.mail_oauth.landing import listening
from triage.config.mail_oauth import oauth_client
from triage.config.mailboxes import MailboxSpec
from triage.config.settings import Settings
from triage.domain.mailboxes import OAuthGrant
from triage.services.mail_oauth.sign_in import Landing, MailSignIn


@asynccontextmanager
async def open_sign_in(settings: Settings) -> AsyncIterator[MailSignIn]:
    """Open it with the store of the settings. Raises `SettingsInvalid` without MAIL_OAUTH, and `StoreDown`."""
    provider = provider_of(settings)
    set_up_log(settings, service=False)
    try:
        async with store_of(settings, None) as store:
            yield MailSignIn(
                grants=store.mail_grants,
                provider=provider,
                seal=seal_of(settings),
                clock=store.clock,
                deeds=store.deeds,
                by=getpass.getuser(),
            )
    finally:
        await provider.close()


def landing_of(settings: Settings, port: int) -> AbstractAsyncContextManager[Landing]:
    """Listen where the browser of this machine comes back to, and to the terminal, where its address may be pasted."""
    client = oauth_client(settings)
    return listening(client.landing if client else "127.0.0.1", port, typed=sys.stdin)


async def stored_grants(settings: Settings) -> tuple[OAuthGrant, ...]:
    """Return the grants of all accounts. Raises `StoreDown`."""
    async with store_of(settings, None) as store:
        return await store.mail_grants.grants()


async def has_tokens(settings: Settings, account: str) -> bool:
    """Tell whether the account has tokens of this application that nobody has withdrawn. Raises `StoreDown`."""
    provider = provider_of(settings)
    await provider.close()
    async with store_of(settings, None) as store:
        grant = await store.mail_grants.find(account.lower())
    return grant is not None and not grant.trouble and grant.client == provider.client


def accounts_of(settings: Settings, specs: Sequence[MailboxSpec]) -> Mapping[str, str]:
    """Return the accounts that are opened with tokens, by their own names and by those of their mailboxes."""
    accounts = {name: spec.user.lower() for spec in specs if spec.oauth for name in (spec.user.lower(), spec.name)}
    smtp = settings.smtp_user.lower()
    if settings.smtp_host and smtp and sends_by_token(settings):
        accounts[smtp] = smtp
    return accounts


def sends_by_token(settings: Settings) -> bool:
    """Tell whether letters are handed over with a token of MAIL_OAUTH."""
    return bool(settings.mail_oauth) and not settings.smtp_password and not settings.smtp_token_command
