"""The tables of the knowledge base."""

from typing import Final

from sqlalchemy import BigInteger, Column, Table, Text

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
