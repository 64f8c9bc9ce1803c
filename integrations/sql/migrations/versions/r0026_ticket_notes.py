"""Proposals stand on their tickets as comments, commands in comments are carried out once, and one says whose a mail is not."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, Text, text

revision = "0026"
down_revision = "0025"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nothing has been written or heard yet."""
    op.create_table(
        "ticket_notes",
        Column("key", Text, primary_key=True),
        Column("ticket", Text, nullable=False),
        Column("body", Text, nullable=False),
        Column("shown", Text, nullable=False),
        Column("final", Boolean, nullable=False),
        Column("comment", Text, nullable=False),
        Column("written", Text, nullable=False),
        Column("tries", Integer, nullable=False),
        Column("due", MOMENT),
        Column("made_at", MOMENT, nullable=False),
    )
    due, standing = text("due IS NOT NULL"), text("NOT final")
    op.create_index("ix_ticket_notes_due", "ticket_notes", ["due"], sqlite_where=due, postgresql_where=due)
    op.create_index(
        "ix_ticket_notes_final", "ticket_notes", ["final"], sqlite_where=standing, postgresql_where=standing
    )
    op.create_table(
        "heard_commands",
        Column("comment", Text, primary_key=True),
        Column("ticket", Text, nullable=False),
        Column("person", Text, nullable=False),
        Column("at", MOMENT, nullable=False),
        Column("leased_until", MOMENT),
        Column("told", Text, nullable=False),
    )
    op.create_table(
        "command_positions",
        Column("project", Text, primary_key=True),
        Column("change", BigInteger, nullable=False),
    )
    op.add_column("notices", Column("links", Text, nullable=False, server_default=text("''")))
    op.add_column("corrections", Column("apart", Text, nullable=False, server_default=text("''")))
