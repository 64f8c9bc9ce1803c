"""The port `SessionStore`: signed-in browsers, by the hash of their cookie."""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import names_of, noun_of, values_of
from integrations.sql.database.types import UtcDateTime
from integrations.sql.operations.accounts import account_of
from integrations.sql.operations.tables import accounts, api_tokens, sessions
from integrations.sql.operations.tokens import token_of
from triage.domain.operations.accounts import Account, Session, SignedIn
from triage.domain.operations.tokens import ApiToken

_NOW: Final = bindparam("now", type_=UtcDateTime)
_ADD: Final = insert(sessions).returning(*sessions.c)
_FIND: Final = (
    select(
        *(sessions.c[name] for name in names_of(Session)),
        *(accounts.c[name].label(f"account_{name}") for name in names_of(Account)),
        *(api_tokens.c[name].label(f"token_{name}") for name in names_of(ApiToken)),
    )
    .outerjoin_from(sessions, accounts, sessions.c.account == accounts.c.id)
    .outerjoin(api_tokens, sessions.c.token == api_tokens.c.id)
    .where(sessions.c.digest == bindparam("of"))
)
_ONE: Final = update(sessions).where(sessions.c.id == bindparam("of"))
_SEEN: Final = _ONE.values(seen_at=_NOW)
_ENDED: Final = func.coalesce(sessions.c.ended_at, _NOW)
_END: Final = _ONE.values(ended_at=_ENDED)
_END_ALL: Final = (
    update(sessions)
    .where(sessions.c.account == bindparam("of"), sessions.c.id != bindparam("but"))
    .values(ended_at=_ENDED)
)
_OPEN: Final = (
    select(sessions)
    .where(sessions.c.account.is_not(None), sessions.c.ended_at.is_(None), sessions.c.expires_at > _NOW)
    .order_by(sessions.c.id.desc())
)
_FORGET: Final = delete(sessions).where(sessions.c.expires_at < _NOW)


class SqlSessions(StorePart):
    """The port `SessionStore`: one row per sign-in."""

    async def add(self, session: Session, digest: str) -> Session:
        row = values_of(session, "id") | {"digest": digest}
        return noun_of(Session, await self._database.write(lambda c: c.execute(_ADD, row).one()))

    async def find(self, digest: str) -> SignedIn | None:
        """The session with this hash and whose it is, by one statement."""
        row = await self._database.read(lambda c: c.execute(_FIND, {"of": digest}).first())
        if row is None:
            return None
        return SignedIn(
            session=noun_of(Session, row),
            account=account_of(row, "account_") if row.account else None,
            token=token_of(row, "token_") if row.token else None,
        )

    async def seen(self, session: int, at: datetime) -> None:
        """Record its last use."""
        await self._database.write(lambda c: c.execute(_SEEN, {"of": session, "now": at}))

    async def end(self, session: int, at: datetime) -> None:
        await self._database.write(lambda c: c.execute(_END, {"of": session, "now": at}))

    async def end_all(self, account: int, at: datetime, but: int = 0) -> None:
        await self._database.write(lambda c: c.execute(_END_ALL, {"of": account, "now": at, "but": but}))

    async def open_at(self, now: datetime) -> tuple[Session, ...]:
        return await self._database.read(
            lambda c: tuple(noun_of(Session, row) for row in c.execute(_OPEN, {"now": now}))
        )

    async def forget(self, before: datetime) -> None:
        """Remove those that expired long ago."""
        await self._database.write(lambda c: c.execute(_FORGET, {"now": before}))
