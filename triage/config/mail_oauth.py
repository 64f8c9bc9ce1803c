"""The application that asks for tokens of mail accounts: provider, id, scopes, by the variables MAIL_OAUTH…."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.config.shapes.base import keeps_secrets
from triage.config.variables import Variables

MICROSOFT: Final = "microsoft"
GOOGLE: Final = "google"
TENANT: Final = "organizations"
"""Microsoft's word for any work account."""
MICROSOFT_SCOPES: Final = (
    "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access"
)
MICROSOFT_APP_SCOPE: Final = "https://outlook.office365.com/.default"
GOOGLE_SCOPE: Final = "https://mail.google.com/"
NO_RIGHTS: Final = frozenset({"offline_access", "openid", "email", "profile"})
"""Scopes that providers do not repeat in what they grant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthClient:
    """One registered application."""

    issuer: str
    """Where the provider's metadata stand."""
    client_id: str
    client_secret: str = field(default="", repr=False)
    scopes: str
    extra: Mapping[str, str] = field(default_factory=dict)
    """What else the page of agreement is asked with."""
    browser_only: bool = False
    """Its device code grants nothing for mail."""
    app_only: bool = False
    """The application asks for itself."""
    landing: str = "127.0.0.1"
    """How the provider calls this machine; Microsoft takes any port with `localhost` alone."""


def oauth_client(settings: Variables) -> OAuthClient | None:
    provider = settings.mail_oauth
    if not provider:
        return None
    secret, scopes = settings.mail_oauth_client_secret.get_secret_value(), settings.mail_oauth_scopes
    application, app_only = settings.mail_oauth_client_id, settings.mail_oauth_app_only
    if provider == MICROSOFT:
        return OAuthClient(
            issuer=f"https://login.microsoftonline.com/{settings.mail_oauth_tenant or TENANT}/v2.0",
            client_id=application,
            client_secret=secret,
            scopes=scopes or (MICROSOFT_APP_SCOPE if app_only else MICROSOFT_SCOPES),
            app_only=app_only,
            landing="localhost",
        )
    if provider == GOOGLE:
        return OAuthClient(
            issuer="https://accounts.google.com",
            client_id=application,
            client_secret=secret,
            scopes=scopes or GOOGLE_SCOPE,
            extra={"access_type": "offline", "prompt": "consent"},
            browser_only=True,
        )
    return OAuthClient(issuer=provider, client_id=application, client_secret=secret, scopes=scopes, app_only=app_only)


def not_granted(wanted: str, granted: str) -> tuple[str, ...]:
    """Return the scopes that were asked for and not granted; none where the provider does not say what it granted."""
    if not granted:
        return ()
    has = frozenset(_rights(granted))
    return tuple(one for one in wanted.split() if one.lower() not in NO_RIGHTS and not _rights(one) <= has)


def _rights(scopes: str) -> frozenset[str]:
    """Return the last parts of scopes: Microsoft names its resource in some answers in another way than we asked."""
    return frozenset(one.rstrip("/").rpartition("/")[2].lower() for one in scopes.split())


def half_set_oauth(settings: Variables) -> Iterator[str]:
    """Yield a problem for each variable of MAIL_OAUTH that is missing or fits no other one."""
    provider = settings.mail_oauth
    if not provider:
        if settings.mail_oauth_client_id:
            yield "MAIL_OAUTH: missing; it is microsoft, google, or the address of the provider of MAIL_OAUTH_CLIENT_ID"
        return
    if provider not in {MICROSOFT, GOOGLE}:
        if not keeps_secrets(provider):
            yield "MAIL_OAUTH: must be microsoft, google, or https:// and the provider's name"
        if not settings.mail_oauth_scopes:
            yield "MAIL_OAUTH_SCOPES: missing; the provider's manual says which ones open a mailbox over IMAP"
    if not settings.mail_oauth_client_id:
        yield "MAIL_OAUTH_CLIENT_ID: missing; register Triage as an application at the provider"
    yield from _half_set_secret(settings)


def _half_set_secret(settings: Variables) -> Iterator[str]:
    provider, alone = settings.mail_oauth, settings.mail_oauth_app_only
    if alone and provider == GOOGLE:
        yield "MAIL_OAUTH_APP_ONLY: Google gives applications no mailboxes; leave it out and sign in"
    if (alone or provider == GOOGLE) and not settings.mail_oauth_client_secret:
        why = "Google's desktop applications have one, too" if provider == GOOGLE else "the application asks for itself"
        yield f"MAIL_OAUTH_CLIENT_SECRET: missing; {why}"
    if alone and provider == MICROSOFT and not settings.mail_oauth_tenant:
        yield "MAIL_OAUTH_TENANT: missing; an application asks its own tenant"
