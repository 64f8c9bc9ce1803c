"""The tables of the team's memory: builds, and the mails that they have read."""

from typing import Final

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text

from integrations.sql.database.schema import case_of_row, metadata, number_of_row
from integrations.sql.database.types import IndexedText, SafeText, UtcDateTime

memory_builds: Final = Table(
    "memory_builds",
    metadata,
    number_of_row(),
    Column("kind", Text, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("stage", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    # JSON: name → count.
    Column("figures", SafeText, nullable=False),
    Column("trouble", SafeText, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

memory_mails: Final = Table(
    "memory_mails",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("sender", IndexedText, nullable=False),
    Column("day", Text, nullable=False),
    Column("written", Boolean, nullable=False, index=True),
    # JSON, empty once its notes are written: no second copy of what people wrote.
    Column("observations", SafeText, nullable=False),
    Column("kept", Integer, nullable=False),
    Index("ix_memory_mails_sender", "sender", "day"),
)
