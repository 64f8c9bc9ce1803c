"""Builds what the console's sign-in asks: accounts, sessions, and the identity provider."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.wiring.intake import IntakeContext
from cli.wiring.store import command_store
from integrations.sql.store import SqlStore
from integrations.system_clock import SystemClock
from triage.config.environment.web import role_rules
from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid, StoreDown
from triage.domain.extras import missing
from triage.services.accounts.account_letters import AccountLetters
from triage.services.accounts.accounts import AccountService
from triage.services.operations.tokens import TokenService

if TYPE_CHECKING:
    from integrations.oidc.provider import OidcProvider
    from triage.services.accounts.first_run import FirstRun
    from triage.services.accounts.provider_sign_in import ProviderSignIn
    from triage.services.accounts.sessions import SessionService
    from web.console.way_in import WayIn


@asynccontextmanager
async def open_accounts(settings: Settings) -> AsyncIterator[AccountService]:
    async with command_store(settings) as store:
        yield accounts_of(settings, store)


def accounts_of(settings: Settings, store: SqlStore) -> AccountService:
    """Return the service of accounts; loads argon2."""
    from integrations.argon2_hash import Argon2

    return AccountService(
        accounts=store.accounts,
        sessions=store.sessions,
        passwords=Argon2(),
        deeds=store.deeds,
        clock=store.clock,
        letters=account_letters_of(settings, store),
    )


def account_letters_of(settings: Settings, store: SqlStore) -> AccountLetters | None:
    """Return what tells people of changes; None without SMTP_HOST."""
    if not settings.smtp_host:
        return None
    from cli.wiring.letters import outbox_of, sender_address

    return AccountLetters(outbox=outbox_of(settings, store=store), sender=sender_address(settings), clock=store.clock)


def sessions_of(
    settings: Settings, store: SqlStore, accounts: AccountService, tokens: TokenService, secret: bytes
) -> "SessionService":
    """Return the service of sign-ins."""
    from triage.services.accounts.login_limits import LoginLimits
    from triage.services.accounts.sessions import SessionService

    return SessionService(
        sessions=store.sessions,
        store=store.accounts,
        accounts=accounts,
        tokens=tokens,
        limits=LoginLimits(),
        clock=store.clock,
        lifetime=timedelta(hours=settings.console_session_hours),
        idle=timedelta(minutes=settings.console_idle_minutes),
        roles=role_rules(settings.oidc_roles),
        key=secret,
    )


def provider_of(context: IntakeContext, later: AsyncExitStack, secret: bytes) -> "ProviderSignIn | None":
    """Return the way through the identity provider; None without OIDC_ISSUER. Raises `SettingsInvalid`."""
    settings = context.settings
    if not settings.oidc_issuer:
        return None
    from triage.services.accounts.provider_sign_in import ProviderSignIn

    provider = oidc_provider(settings)
    later.push_async_callback(provider.close)
    name = urlsplit(settings.oidc_issuer).hostname or settings.oidc_issuer
    return ProviderSignIn(provider=provider, name=name, clock=context.store.clock, key=secret)


def oidc_provider(settings: Settings) -> "OidcProvider":
    """Return the identity provider of OIDC_ISSUER. Raises `SettingsInvalid`."""
    try:
        from integrations.oidc.provider import OidcProvider
    except ModuleNotFoundError:
        raise SettingsInvalid((f"OIDC_ISSUER: {missing('oidc')}",)) from None
    return OidcProvider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret.get_secret_value(),
        f"{settings.public_url.rstrip('/')}/oidc/callback",
        SystemClock(),
        scopes=settings.oidc_scopes,
        groups=settings.oidc_groups_claim,
        trust_addresses=settings.oidc_trust_addresses,
    )


def way_in_of(
    context: IntakeContext, tokens: TokenService, secret: bytes, first: "FirstRun | None", later: AsyncExitStack
) -> "WayIn":
    """Return what the console's sign-in asks. Raises `SettingsInvalid`."""
    from triage.services.accounts.first_run import FirstRun
    from web.console.way_in import WayIn

    settings = context.settings
    accounts = accounts_of(settings, context.store)
    return WayIn(
        accounts=accounts,
        sessions=sessions_of(settings, context.store, accounts, tokens, secret),
        first=first or FirstRun(),
        provider=provider_of(context, later, secret),
        public_url=settings.public_url,
    )


async def first_token(context: IntakeContext, first: "FirstRun") -> str:
    """Return a token for the first account; empty if there is one, no console, or a store that does not answer."""
    try:
        none = context.settings.console and not await context.store.accounts.accounts()
    except StoreDown:
        return ""  # mail is taken once it answers; whoever wants the token starts again
    return first.offer() if none else ""
