"""The port `Mailboxes`: the sync cursor of each mailbox."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from sqlalchemy import Column, Connection, Row, Select, select

from integrations.sql.database.engine import StorePart
from integrations.sql.database.schema import mailboxes, mails
from integrations.sql.database.types import indexable
from triage.domain.mailboxes import Phase, SyncCursor

AT_ONCE: Final = 500
"""Values in one query; databases limit their number."""


class SqlMailboxes(StorePart):
    """The port `Mailboxes`: one row per mailbox, and queries about the mails of its source."""

    async def cursor(self, name: str) -> SyncCursor | None:
        statement = select(mailboxes).where(mailboxes.c.name == name)
        row = await self._database.read(lambda c: c.execute(statement).first())
        return None if row is None else _standing(row)

    async def keep(self, standing: SyncCursor) -> None:
        values = asdict(standing)
        statement = self._database.insert(mailboxes).values(values)
        statement = statement.on_conflict_do_update(index_elements=["name"], set_=values)
        await self._database.write(lambda c: c.execute(statement))

    async def cursors(self) -> tuple[SyncCursor, ...]:
        statement = select(mailboxes).order_by(mailboxes.c.name)
        return await self._database.read(lambda c: tuple(_standing(row) for row in c.execute(statement)))

    async def accepted(self, source: str, ids: Sequence[str]) -> frozenset[str]:
        return await self._among(source, mails.c.source_id, ids)

    async def same(self, source: str, digests: Sequence[str]) -> frozenset[str]:
        return await self._among(source, mails.c.sha256, digests)

    async def _among(self, source: str, column: Column[str], values: Sequence[str]) -> frozenset[str]:
        found: set[str] = set()
        for some in _slices(values):
            statement = select(column).where(mails.c.source == indexable(source), column.in_(some))
            found.update(await self._database.read(partial(_column_of, statement)))
        return frozenset(found)


def _column_of(statement: Select[str], connection: Connection) -> Sequence[str]:
    return connection.scalars(statement).all()


def _slices(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))


def _standing(row: Row[Any]) -> SyncCursor:
    read = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for it
    values = {column.key: read[column] for column in mailboxes.c}
    return SyncCursor(**{**values, "phase": Phase(values["phase"])})
