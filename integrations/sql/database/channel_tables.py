"""The tables of the ways to people."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, Text, text

from integrations.sql.database.schema import metadata, partial
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
    Column("links", SafeText, nullable=False, server_default=text("''")),
    Index("ix_notices_told", "kind", "told_at"),
    partial("ix_notices_due", "due", where="due IS NOT NULL"),
    partial("ix_notices_stands", "stands", where="stands"),
)

ticket_notes: Final = Table(
    "ticket_notes",
    metadata,
    Column("key", IndexedText, primary_key=True),
    Column("ticket", IndexedText, nullable=False),
    Column("body", SafeText, nullable=False),
    Column("shown", Text, nullable=False),
    Column("final", Boolean, nullable=False),
    Column("comment", IndexedText, nullable=False),
    Column("written", SafeText, nullable=False),
    Column("tries", Integer, nullable=False),
    # When it may be written; NULL: it says what it shall, or cannot.
    Column("due", UtcDateTime),
    Column("made_at", UtcDateTime, nullable=False),
    partial("ix_ticket_notes_due", "due", where="due IS NOT NULL"),
    partial("ix_ticket_notes_final", "final", where="NOT final"),
)

heard_commands: Final = Table(
    "heard_commands",
    metadata,
    Column("comment", IndexedText, primary_key=True),
    Column("ticket", IndexedText, nullable=False),
    Column("person", IndexedText, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    # NULL: it is carried out.
    Column("leased_until", UtcDateTime),
    Column("told", SafeText, nullable=False),
)

# How far the changes of each project's tickets were searched for commands.
command_positions: Final = Table(
    "command_positions",
    metadata,
    Column("project", IndexedText, primary_key=True),
    Column("change", BigInteger, nullable=False),
)
