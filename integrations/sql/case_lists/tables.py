"""The tables of what people keep about lists: snoozed cases, saved views."""

from typing import Final

from sqlalchemy import Boolean, Column, Table, Text, UniqueConstraint

from integrations.sql.database.schema import case_of_row, metadata, number_of_row
from integrations.sql.database.types import IndexedText, SafeText, UtcDateTime

# The newest row of a case; each is new, so that the highest number tells whether anything has changed.
snoozes: Final = Table(
    "snoozes",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    # Over at once where somebody took it back.
    Column("until", UtcDateTime, nullable=False, index=True),
    Column("made_by", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
)

saved_views: Final = Table(
    "saved_views",
    metadata,
    number_of_row(),
    Column("owner", IndexedText, nullable=False),
    Column("name", IndexedText, nullable=False),
    Column("query", SafeText, nullable=False),
    Column("tab", Text, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    UniqueConstraint("owner", "name"),
)
