"""The port `MailGrants`: the right of each mail account to be opened with tokens, and whose turn it is to renew it."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, delete, or_, select, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, names_of, noun_of, values_of
from integrations.sql.database.types import UtcDateTime
from integrations.sql.operations.tables import mail_grants
from triage.domain.mailboxes import OAuthGrant

_COLUMNS: Final = tuple(mail_grants.c[name] for name in names_of(OAuthGrant))
_OF: Final = mail_grants.c.account == bindparam("of")
_FIND: Final = select(*_COLUMNS).where(_OF)
_ALL: Final = select(*_COLUMNS).order_by(mail_grants.c.account)
_REMOVE: Final = delete(mail_grants).where(_OF).returning(mail_grants.c.account)
_TAKE: Final = (
    update(mail_grants)
    .where(_OF, or_(mail_grants.c.turn == "", mail_grants.c.turn_until <= bindparam("now", type_=UtcDateTime)))
    .values(turn=bindparam("mine"), turn_until=bindparam("until", type_=UtcDateTime))
    .returning(*_COLUMNS)
)
_NOBODY: Final[dict[str, Any]] = {"turn": "", "turn_until": None}
_END: Final = (
    update(mail_grants)
    .where(_OF, mail_grants.c.turn == bindparam("mine"))
    .values(**_NOBODY)
    .returning(mail_grants.c.account)
)


class SqlMailGrants(StorePart):
    """The port `MailGrants`: one row per account."""

    async def keep(self, grant: OAuthGrant) -> None:
        """Insert or replace the grant; whoever renews the old one finds that his turn is over."""
        values = values_of(grant) | _NOBODY
        statement = self._database.insert(mail_grants).values(values)
        statement = statement.on_conflict_do_update(index_elements=["account"], set_=values)
        await self._database.write(lambda c: c.execute(statement))

    async def find(self, account: str) -> OAuthGrant | None:
        return _grant(await self._database.read(lambda c: c.execute(_FIND, {"of": account}).first()))

    async def grants(self) -> tuple[OAuthGrant, ...]:
        rows = await self._database.read(lambda c: c.execute(_ALL).all())
        return tuple(filter(None, map(_grant, rows)))

    async def remove(self, account: str) -> bool:
        gone = await self._database.write(lambda c: c.execute(_REMOVE, {"of": account}).first())
        return gone is not None

    async def take_turn(self, account: str, turn: str, now: datetime, until: datetime) -> OAuthGrant | None:
        """Take the turn if it is nobody's, or was not ended in time, by one statement."""
        key = {"of": account, "mine": turn, "now": now, "until": until}
        return _grant(await self._database.write(lambda c: c.execute(_TAKE, key).first()))

    async def end_turn(self, account: str, turn: str, renewed: OAuthGrant | None = None) -> bool:
        """End it together with what it renewed, by one statement."""
        statement = _END.values(**values_of(renewed)) if renewed else _END
        key = {"of": account, "mine": turn}
        return await self._database.write(lambda c: c.execute(statement, key).first()) is not None


def _grant(row: AnyRow | None) -> OAuthGrant | None:
    return None if row is None else noun_of(OAuthGrant, row)
