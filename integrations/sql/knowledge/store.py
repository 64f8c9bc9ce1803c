"""The ports `ArticleStore` and `SourceReadings`: the stored copy of all articles, and how their sources were read."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, BindParameter, Column, Connection, Table, Text, bindparam, delete, select

from integrations.sql.database.engine import StorePart
from integrations.sql.database.schema import metadata
from integrations.sql.database.types import IndexedText, JsonDataclass
from triage.domain.support.articles import Article
from triage.domain.support.readings import SourceReading

articles: Final = Table(
    "articles",
    metadata,
    Column("id", IndexedText, primary_key=True),
    Column("source", IndexedText, nullable=False, index=True),
    # Copied from `data`, so that articles that have not changed are told without decoding them.
    Column("version", Text, nullable=False),
    Column("revision", Text, nullable=False),
    Column("data", JsonDataclass(Article), nullable=False),
)

article_sources: Final = Table(
    "article_sources",
    metadata,
    Column("source", IndexedText, primary_key=True),
    Column("data", JsonDataclass(SourceReading), nullable=False),
)

# One row, which each change of any article counts up.
article_changes: Final = Table(
    "article_changes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("last", BigInteger, nullable=False),
)

AT_ONCE: Final = 100
"""Articles in one transaction, so that a mail's own need not wait long."""
NAME: Final = "articles"

_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_KNOWN: Final = select(articles.c.id, articles.c.version, articles.c.revision).where(articles.c.id.in_(_IDS))
_FORGET: Final = delete(articles).where(articles.c.id.in_(_IDS))
_ALL: Final = select(articles.c.data).order_by(articles.c.id)
_OF: Final = _ALL.where(articles.c.source == bindparam("source"))
_ONE: Final = select(articles.c.data).where(articles.c.id == bindparam("article"))
_LAST: Final = select(article_changes.c.last).where(article_changes.c.name == NAME)
_READINGS: Final = select(article_sources.c.data).order_by(article_sources.c.source)


class SqlArticles(StorePart):
    """The ports `ArticleStore` and `SourceReadings`: one row per article."""

    async def keep(self, found: Sequence[Article]) -> int:
        kept = 0
        for start in range(0, len(found), AT_ONCE):
            some = found[start : start + AT_ONCE]
            kept += await self._database.write(lambda c, some=some: self._keep(c, some))  # type: ignore[misc] # bound per round
        return kept

    async def forget(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), AT_ONCE):
            some = list(ids[start : start + AT_ONCE])
            await self._database.write(lambda c, some=some: self._forget(c, some))  # type: ignore[misc] # as above

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        statement, asked = (_OF, {"source": source}) if source else (_ALL, {})
        return await self._database.read(lambda c: tuple(c.scalars(statement, asked)))

    async def article(self, article: str) -> Article | None:
        return await self._database.read(lambda c: c.scalar(_ONE, {"article": article}))

    async def change(self) -> int:
        """Number of the latest change; 0 if there is none."""
        return await self._database.read(lambda c: c.scalar(_LAST) or 0)

    async def record(self, reading: SourceReading) -> None:
        statement = self._database.insert(article_sources).values(source=reading.source, data=reading)
        upsert = statement.on_conflict_do_update(index_elements=["source"], set_={"data": statement.excluded.data})
        await self._database.write(lambda c: c.execute(upsert).close())

    async def readings(self) -> tuple[SourceReading, ...]:
        return await self._database.read(lambda c: tuple(c.scalars(_READINGS)))

    async def forget_source(self, source: str) -> int:
        def forgotten(connection: Connection) -> int:
            connection.execute(delete(article_sources).where(article_sources.c.source == source))
            gone = connection.execute(delete(articles).where(articles.c.source == source)).rowcount
            if gone:
                self._count(connection)
            return gone

        return await self._database.write(forgotten)

    def _keep(self, connection: Connection, found: Sequence[Article]) -> int:
        known = {row.id: row for row in connection.execute(_KNOWN, {"ids": [one.id for one in found]})}
        rows = [one for one in found if one.id not in known or known[one.id].version != one.version]
        read = [one for one in found if one.id in known and known[one.id].revision != one.revision]
        for one in (*rows, *(each for each in read if each not in rows)):
            row = {"source": one.source, "version": one.version, "revision": one.revision, "data": one}
            statement = self._database.insert(articles).values(id=one.id, **row)
            connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=row))
        if rows:
            self._count(connection)
        return len(rows)

    def _forget(self, connection: Connection, ids: Sequence[str]) -> None:
        if connection.execute(_FORGET, {"ids": ids}).rowcount:
            self._count(connection)

    def _count(self, connection: Connection) -> None:
        """Count a change; the row's lock makes writers wait for each other until the commit."""
        statement = self._database.insert(article_changes).values(name=NAME, last=1)
        more = {"last": article_changes.c.last + 1}
        connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=more))
