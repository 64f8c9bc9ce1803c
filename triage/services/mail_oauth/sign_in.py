"""Signs a mail account in once: by a code typed in on any machine, or in the browser of this one."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from triage.domain.mailboxes import DeviceCode, Landed, OAuthGrant, SignInWays, Tokens
from triage.domain.operations.errors import GrantPending, GrantRefused
from triage.domain.ports import Clock, DeedLog, MailGrants, TokenProvider, TokenSeal
from triage.services.mail_oauth.tokens import text_of

SLOWER: Final = 5.0
"""Seconds that `slow_down` adds to the interval (RFC 8628, 3.5)."""

NO_REFRESH: Final = (
    "it gave no refresh token, so that mail would stop within the hour: the application needs offline access "
    "(Google: remove it at https://myaccount.google.com/connections, then sign in again)"
)


class Landing(Protocol):
    """The redirect address of the provider. Raises `GrantRefused` if no browser arrives."""

    redirect: str

    async def landed(self) -> Landed:
        """Wait for the browser; return the parameters of the redirect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSignIn:
    """The sign-in of accounts at one provider. Its methods raise `IdentityProviderDown`, `GrantRefused` and `StoreDown`."""

    grants: MailGrants
    provider: TokenProvider
    seal: TokenSeal
    clock: Clock
    deeds: DeedLog
    by: str
    """Who runs the command."""

    async def ways(self) -> SignInWays:
        """Return how people can sign in."""
        return await self.provider.ways()

    async def by_device(self, account: str, show: Callable[[DeviceCode], None]) -> OAuthGrant:
        """Show a code, wait until a person enters it and consents, and store the grant."""
        self.seal.seal("")  # a missing key is found before anybody signs in
        code = await self.provider.device()
        show(code)
        end, interval = self.clock.now() + timedelta(seconds=code.lives), code.interval
        while self.clock.now() < end:
            await self.clock.sleep(interval)
            try:
                return await self._kept(account, await self.provider.by_device(code))
            except GrantPending as e:
                interval += SLOWER if e.slower else 0.0
        raise GrantRefused("nobody has typed the code in in time: start again")

    async def by_browser(self, account: str, landing: Landing, show: Callable[[str], None]) -> OAuthGrant:
        """Show a page, wait until the browser comes back from it, and keep the grant."""
        self.seal.seal("")
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        show(await self.provider.address(landing.redirect, state, challenge, account))
        landed = await landing.landed()
        if not hmac.compare_digest(landed.state.encode(), state.encode()):
            raise GrantRefused("the browser came back from another sign-in: start again")
        if landed.error or not landed.code:
            raise GrantRefused(f"the provider says {landed.error or 'nothing'}: agree to what it asks, or ask who may")
        return await self._kept(account, await self.provider.by_code(landed.code, verifier, landing.redirect))

    async def forget(self, account: str) -> bool:
        """Remove the tokens of an account; return whether there were any."""
        gone = await self.grants.remove(account.lower())
        if gone:
            await self.deeds.record("mailbox_signed_out", self.by, account.lower())
        return gone

    async def _kept(self, account: str, tokens: Tokens) -> OAuthGrant:
        if not tokens.refresh:
            raise GrantRefused(NO_REFRESH)
        now = self.clock.now()
        grant = OAuthGrant(
            account=account.lower(),
            client=self.provider.client,
            sealed=self.seal.seal(text_of(tokens)),
            scope=tokens.scope,
            expires_at=now + timedelta(seconds=tokens.lives),
            granted_at=now,
            renewed_at=now,
        )
        await self.grants.keep(grant)
        await self.deeds.record("mailbox_signed_in", self.by, grant.account)
        return grant
