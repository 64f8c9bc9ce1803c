"""The port `TokenProvider` over HTTP: endpoints by discovery, device code, code with PKCE, refresh, client credentials."""

from collections.abc import Mapping
from typing import Any, Final

from integrations.oidc.wire import ProviderHttp, endpoint_in, page_of
from triage.config.mail_oauth import OAuthClient
from triage.domain.mailboxes import DeviceCode, SignInWays, Tokens
from triage.domain.operations.errors import GrantPending, GrantRefused, IdentityProviderDown

WELL_KNOWN: Final = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
OK: Final = 200
BUSY: Final = 429
HOUR: Final = 3600.0
"""Seconds that an access token counts as good for if the provider does not say (RFC 6749, 5.1)."""
INTERVAL: Final = 5.0
GONE: Final = frozenset({"invalid_grant", "interaction_required", "consent_required", "login_required"})
"""Errors of a refresh that only a new sign-in cures."""
CURES: Final = {
    "invalid_client": "check MAIL_OAUTH_CLIENT_ID and MAIL_OAUTH_CLIENT_SECRET (secrets of applications expire), "
    "and at Microsoft that public client flows are allowed",
    "unauthorized_client": "allow this way of signing in for the application, or in MAIL_OAUTH_TENANT name its own tenant",
    "invalid_scope": "add the permissions for mail to the application, or correct MAIL_OAUTH_SCOPES",
    "access_denied": "somebody refused: sign in again and agree, or ask an administrator to",
    "expired_token": "nobody has typed the code in in time: start again",
}


class OAuthProvider:
    """The port `TokenProvider`: one application at one provider."""

    def __init__(self, client: OAuthClient) -> None:
        self._client = client
        self._http = ProviderHttp()
        self._known: dict[str, Any] | None = None

    @property
    def client(self) -> str:
        return f"{self._client.issuer} ({self._client.client_id})"

    async def close(self) -> None:
        await self._http.close()

    async def ways(self) -> SignInWays:
        """Return which endpoints the provider has, and which of them serve mail."""
        known = await self._metadata()
        device = "device_authorization_endpoint" in known and not self._client.browser_only
        return SignInWays(device=device, browser="authorization_endpoint" in known)

    async def device(self) -> DeviceCode:
        """Ask for a code."""
        form = {"client_id": self._client.client_id, "scope": self._client.scopes}
        answer = await self._asked("device_authorization_endpoint", form)
        try:
            return DeviceCode(
                code=str(answer["device_code"]),
                user_code=str(answer["user_code"]),
                address=str(answer.get("verification_uri") or answer["verification_url"]),  # Google's name
                lives=float(answer["expires_in"]),
                interval=max(float(answer.get("interval", INTERVAL)), 1.0),
            )
        except (KeyError, TypeError, ValueError):
            raise IdentityProviderDown("it gives no code that people can type in") from None

    async def by_device(self, code: DeviceCode) -> Tokens:
        """Ask whether somebody has agreed."""
        kind = "urn:ietf:params:oauth:grant-type:device_code"
        return await self._tokens({"grant_type": kind, "device_code": code.code})

    async def address(self, redirect: str, state: str, challenge: str, account: str) -> str:
        """Return the page's URL."""
        asked = {
            "response_type": "code",
            "client_id": self._client.client_id,
            "redirect_uri": redirect,
            "scope": self._client.scopes,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "login_hint": account,
            **self._client.extra,
        }
        return page_of(await self._endpoint("authorization_endpoint"), asked)

    async def by_code(self, code: str, verifier: str, redirect: str) -> Tokens:
        """Exchange the code."""
        return await self._tokens(
            {"grant_type": "authorization_code", "code": code, "code_verifier": verifier, "redirect_uri": redirect}
        )

    async def refreshed(self, refresh: str) -> Tokens:
        """Ask for new tokens with the scope that was granted."""
        return await self._tokens({"grant_type": "refresh_token", "refresh_token": refresh}, renewing=True)

    async def of_application(self) -> Tokens:
        """Ask as the application (RFC 6749, 4.4)."""
        return await self._tokens({"grant_type": "client_credentials", "scope": self._client.scopes})

    async def _tokens(self, form: dict[str, str], *, renewing: bool = False) -> Tokens:
        more = {"client_id": self._client.client_id}
        if self._client.client_secret:
            more["client_secret"] = self._client.client_secret
        answer = await self._asked("token_endpoint", form | more, renewing=renewing)
        try:
            access, lives = str(answer["access_token"]), float(answer.get("expires_in", HOUR))
        except (KeyError, TypeError, ValueError):
            raise IdentityProviderDown("it answers without a token") from None
        if not access.isascii() or not access.isprintable() or " " in access:  # fields of XOAUTH2 end with ^A
            raise IdentityProviderDown("its token has characters that no mail server takes")
        scope = str(answer.get("scope") or "")
        return Tokens(access=access, refresh=str(answer.get("refresh_token") or ""), scope=scope, lives=lives)

    async def _asked(self, endpoint: str, form: dict[str, str], *, renewing: bool = False) -> dict[str, Any]:
        status, answer = await self._http.post(await self._endpoint(endpoint), form, None)
        if status == BUSY:
            raise IdentityProviderDown("it asks us to slow down")
        if status != OK or "error" in answer:
            raise _refusal(answer, status, renewing=renewing)
        return answer

    async def _endpoint(self, name: str) -> str:
        return endpoint_in(await self._metadata(), name, self._client.issuer)

    async def _metadata(self) -> dict[str, Any]:
        """Return the provider's metadata, by OpenID Connect Discovery or RFC 8414."""
        if self._known is None:
            place = self._client.issuer.rstrip("/")
            try:
                self._known = await self._http.get(place + WELL_KNOWN[0])
            except IdentityProviderDown as first:
                try:
                    self._known = await self._http.get(place + WELL_KNOWN[1])
                except IdentityProviderDown:
                    raise first from None
        return self._known


def _refusal(answer: Mapping[str, Any], status: int, *, renewing: bool) -> GrantRefused | GrantPending:
    """Return our error for the provider's: its words, without what follows in them, and the cure."""
    error = str(answer.get("error") or status)[:60]
    if error in {"authorization_pending", "slow_down"}:
        return GrantPending(slower=error == "slow_down")
    words = " ".join(str(answer.get("error_description") or "").split())[:200]
    text = f"the provider says {error}{f' ({words})' if words else ''}"
    if renewing and error in GONE:
        return GrantRefused(
            f"{text}: its consent is withdrawn or too old, or the password was changed; sign in again", lasting=True
        )
    return GrantRefused(f"{text}: {CURES[error]}" if error in CURES else text)
