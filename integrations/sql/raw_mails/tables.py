"""The table of raw mails that are in the archive, or may be."""

from typing import Final

from sqlalchemy import Column, Table, Text, text

from integrations.sql.database.schema import case_of_row, metadata, partial
from integrations.sql.database.types import UtcDateTime

LEFT: Final = text("state <> 'kept'")
"""Copies that something is still to be done about; a text, so that PostgreSQL takes the index whatever the values are."""
archived_mails: Final = Table(
    "archived_mails",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    # Serves the search for copies that have to go.
    partial("ix_archived_mails_state", "state", "at", where=LEFT.text),
)
