"""The tables of the ways to people."""

from typing import Final

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text, text

from integrations.sql.database.schema import metadata
from integrations.sql.database.types import IndexedText, SafeText, UtcDateTime

notices: Final = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    # NULL: it has none, or what it was about has ended.
    Column("key", IndexedText, unique=True),
    Column("kind", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("text", SafeText, nullable=False),
    Column("cure", SafeText, nullable=False),
    Column("case_name", Text, nullable=False),
    Column("ticket", SafeText, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    # It is about a state that has not ended.
    Column("stands", Boolean, nullable=False),
    # When it may be sent; NULL: nobody has to hear of it any more.
    Column("due", UtcDateTime),
    Column("leased_until", UtcDateTime),
    Column("told_at", UtcDateTime),
    Index("ix_notices_told", "kind", "told_at"),
    Index("ix_notices_due", "due", sqlite_where=text("due IS NOT NULL"), postgresql_where=text("due IS NOT NULL")),
    Index("ix_notices_stands", "stands", sqlite_where=text("stands"), postgresql_where=text("stands")),
)
