"""The port `TokenStore`: access tokens of the HTTP API."""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, insert, select, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, noun_of, values_of
from integrations.sql.database.types import UtcDateTime
from integrations.sql.operations.tables import api_tokens
from triage.domain.operations.tokens import AccessScope, ApiToken

_ADD: Final = insert(api_tokens).returning(*api_tokens.c)
_ALL: Final = select(api_tokens).order_by(api_tokens.c.id)
_FIND: Final = select(api_tokens).where(api_tokens.c.digest == bindparam("of"))
_NOW: Final = bindparam("now", type_=UtcDateTime)
_USABLE: Final = (
    select(api_tokens.c.id).where(api_tokens.c.revoked_at.is_(None), api_tokens.c.expires_at > _NOW).limit(1)
)
_OF: Final = api_tokens.c.id == bindparam("of")
_REVOKE: Final = (
    update(api_tokens)
    .where(_OF)
    .values(revoked_at=func.coalesce(api_tokens.c.revoked_at, _NOW))
    .returning(*api_tokens.c)
)
_USED: Final = update(api_tokens).where(_OF).values(used_at=_NOW)


class SqlTokens(StorePart):
    """The port `TokenStore`: one row per token."""

    async def add(self, token: ApiToken, digest: str) -> ApiToken:
        row = values_of(token, "id") | {"digest": digest}
        return token_of(await self._database.write(lambda c: c.execute(_ADD, row).one()))

    async def find(self, digest: str) -> ApiToken | None:
        row = await self._database.read(lambda c: c.execute(_FIND, {"of": digest}).first())
        return token_of(row) if row else None

    async def tokens(self) -> tuple[ApiToken, ...]:
        """All tokens, oldest first."""
        return await self._database.read(lambda c: tuple(token_of(row) for row in c.execute(_ALL)))

    async def usable(self, now: datetime) -> bool:
        return await self._database.read(lambda c: c.scalar(_USABLE, {"now": now})) is not None

    async def revoke(self, token: int, at: datetime) -> ApiToken | None:
        row = await self._database.write(lambda c: c.execute(_REVOKE, {"of": token, "now": at}).first())
        return token_of(row) if row else None

    async def used(self, token: int, at: datetime) -> None:
        """Record its last use."""
        await self._database.write(lambda c: c.execute(_USED, {"of": token, "now": at}))


def token_of(row: AnyRow, prefix: str = "") -> ApiToken:
    """A token from its row; its columns may have a prefix."""
    return noun_of(ApiToken, row, prefix, scope=AccessScope(getattr(row, f"{prefix}scope")))
