"""Makes, lists, revokes and checks access tokens of the HTTP API."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from triage.domain.operations.errors import TokenInvalid, TokenNotFound
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.domain.ports import Clock, DeedLog, TokenStore
from triage.policy.operations.tokens import ALPHABET, HINT, RANDOM, token_text, well_formed, why_invalid
from triage.services.accounts.account_letters import AccountLetters

SELDOM: Final = timedelta(hours=1)
"""How exactly the last use is recorded: a write for each request would cost more than the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenService:
    """Called by `triage token` and by the HTTP API. All methods raise `StoreDown`."""

    store: TokenStore
    deeds: DeedLog
    clock: Clock
    letters: AccountLetters | None = None
    """None: no mail server is configured."""

    async def create(
        self, name: str, scope: AccessScope, days: int, *, by: str, person: str = ""
    ) -> tuple[str, ApiToken]:
        """Create a token that is valid for this many days; return its text, which is not stored, and the stored record."""
        text = token_text("".join(secrets.choice(ALPHABET) for _ in range(RANDOM)))
        now = self.clock.now()
        until = now + timedelta(days=days)
        token = ApiToken(
            name=name, scope=scope, person=person, hint=text[:HINT], made_by=by, made_at=now, expires_at=until
        )
        made = await self.store.add(token, _digest(text))
        await self._tell(made, "token_made", "a new access token in your name", by)
        return text, made

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return all tokens, revoked and expired ones included."""
        return await self.store.tokens()

    async def revoke(self, token: int, *, by: str) -> ApiToken:
        """Revoke a token: the next request with it is refused. Raises `TokenNotFound`."""
        now = self.clock.now()
        revoked = await self.store.revoke(token, now)
        if revoked is None:
            raise TokenNotFound(token)
        if revoked.revoked_at == now:  # an earlier time: it was revoked before, and that has been told
            await self._tell(revoked, "token_revoked", "an access token in your name is revoked", by)
        return revoked

    async def _tell(self, token: ApiToken, kind: str, change: str, by: str) -> None:
        person = f", of {token.person}" if token.person else ""
        await self.deeds.record(kind, by, f"{token.id} {token.name}, {token.scope}{person}")
        if self.letters:
            await self.letters.tell(token.person, f"{change}, {token.name} ({token.scope})", by)

    async def usable(self) -> bool:
        """Whether anybody can use the API at all."""
        return await self.store.usable(self.clock.now())

    async def holder(self, text: str) -> ApiToken:
        """Return the token of this text, and record its use. Raises `TokenInvalid` if it is unknown, revoked or expired."""
        if not well_formed(text):
            raise TokenInvalid("it is no token of Triage")
        token, now = await self.store.find(_digest(text)), self.clock.now()
        if token is None:
            raise TokenInvalid("nobody knows it")
        if why := why_invalid(token, now):
            raise TokenInvalid(why)
        if token.used_at is None or now - token.used_at >= SELDOM:
            await self.store.used(token.id, now)
        return token


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
