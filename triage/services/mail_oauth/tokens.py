"""Gives the access token of a mail account, and renews it in one process at a time before it ends."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Final

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import OAuthGrant, Tokens
from triage.domain.operations.errors import GrantRefused, IdentityProviderDown
from triage.domain.ports import Clock, MailGrants, TokenProvider, TokenSeal

EARLY: Final = timedelta(minutes=5)
"""An access token that ends sooner is renewed; a login and the wait for a slow server fit into this time."""
TURN: Final = timedelta(seconds=90)
"""Time to renew; after it another process may try. Longer than the provider's two requests may take."""
PATIENCE: Final = 60.0
"""Seconds to wait for the process that renews the token."""
LOOK: Final = 0.5
"""Seconds between two checks of its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailTokens:
    """Access tokens of accounts that a person has signed in."""

    grants: MailGrants
    provider: TokenProvider
    seal: TokenSeal
    clock: Clock

    async def access(self, mailbox: str, account: str, stale: str = "") -> str:
        """Return an access token other than `stale` that is good for some minutes."""
        account, turn = account.lower(), token_hex(8)
        end = self.clock.now() + timedelta(seconds=PATIENCE)
        while self.clock.now() <= end:
            tokens = self._good(mailbox, account, await self.grants.find(account), stale)
            if tokens is None:
                # A cancelled caller must not lose a refresh token that has replaced the stored one.
                tokens = await asyncio.shield(asyncio.ensure_future(self._renewed(mailbox, account, turn, stale)))
            if tokens is not None:
                return tokens.access
            await self.clock.sleep(LOOK)
        raise MailboxDown(mailbox, f"another process has been renewing the token for {PATIENCE:.0f} s")

    def _good(self, mailbox: str, account: str, grant: OAuthGrant | None, stale: str) -> Tokens | None:
        """Return the tokens as they are stored, None if they have to be renewed. Raises `MailboxDenied`."""
        if grant is None:
            raise MailboxDenied(mailbox, f"nobody has signed in for {account}: {cure(account)}")
        if grant.trouble:
            raise MailboxDenied(mailbox, f"{grant.trouble}: {cure(account)}")
        if grant.client != self.provider.client:
            raise MailboxDenied(mailbox, f"{account} was signed in at {grant.client}, not here: {cure(account)}")
        tokens = self._opened(mailbox, grant)
        return tokens if grant.expires_at - self.clock.now() > EARLY and tokens.access != stale else None

    async def _renewed(self, mailbox: str, account: str, turn: str, stale: str) -> Tokens | None:
        """Take the turn and renew; None if it is another process's turn, or was taken away meanwhile."""
        now = self.clock.now()
        grant = await self.grants.take_turn(account, turn, now, now + TURN)
        if grant is None:
            return None
        kept: OAuthGrant | None = None
        try:
            # Another process may have renewed it between our look and our turn.
            if tokens := self._good(mailbox, account, grant, stale):
                return tokens
            try:
                tokens = await self._refreshed(mailbox, grant)
            except GrantRefused as e:
                if e.lasting:
                    kept = replace(grant, trouble=e.why)
                raise MailboxDenied(mailbox, f"{e.why}: {cure(account)}" if e.lasting else e.why) from e
            kept = self._sealed(grant, tokens)
        finally:
            ended = await self.grants.end_turn(account, turn, kept)
        return tokens if ended else None

    async def _refreshed(self, mailbox: str, grant: OAuthGrant) -> Tokens:
        """Ask the provider. A provider that gives a new refresh token may take the old one no more."""
        old = self._opened(mailbox, grant)
        try:
            new = await self.provider.refreshed(old.refresh)
        except IdentityProviderDown as e:
            raise MailboxDown(mailbox, f"no new token: {e.detail}") from e
        return replace(new, refresh=new.refresh or old.refresh, scope=new.scope or grant.scope)

    def _sealed(self, grant: OAuthGrant, tokens: Tokens) -> OAuthGrant:
        now = self.clock.now()
        return replace(
            grant,
            sealed=self.seal.seal(text_of(tokens)),
            scope=tokens.scope,
            expires_at=now + timedelta(seconds=tokens.lives),
            renewed_at=now,
        )

    def _opened(self, mailbox: str, grant: OAuthGrant) -> Tokens:
        try:
            kept = json.loads(self.seal.opened(grant.sealed))
        except GrantRefused as e:
            raise MailboxDenied(mailbox, f"{e.why}: {cure(grant.account)}") from e
        return Tokens(access=kept["access"], refresh=kept["refresh"], scope=grant.scope, lives=0.0)


@dataclass(slots=True, kw_only=True)
class ApplicationTokens:
    """The tokens of the application itself, which an administrator lets into mailboxes; each process keeps its own."""

    provider: TokenProvider
    clock: Clock
    _kept: Tokens | None = None
    _until: datetime | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def access(self, mailbox: str, account: str, stale: str = "") -> str:
        """Return the application's token, the same for all accounts."""
        del account
        async with self._lock:
            good = self._kept and self._until and self._until - self.clock.now() > EARLY
            if self._kept is None or not good or self._kept.access == stale:
                try:
                    self._kept = await self.provider.of_application()
                except IdentityProviderDown as e:
                    raise MailboxDown(mailbox, f"no token: {e.detail}") from e
                except GrantRefused as e:
                    raise MailboxDenied(mailbox, e.why) from e
                self._until = self.clock.now() + timedelta(seconds=self._kept.lives)
            return self._kept.access


def text_of(tokens: Tokens) -> str:
    return json.dumps({"access": tokens.access, "refresh": tokens.refresh})


def cure(account: str) -> str:
    """Return the command that signs in again."""
    return f"triage mailbox login {account}"
