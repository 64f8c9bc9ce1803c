"""Notices to people are stored, so that a restart repeats none."""

from alembic import op
from sqlalchemy import Boolean, Column, DateTime, Integer, Text, text

revision = "0021"
down_revision = "0020"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nobody has been told anything yet."""
    op.create_table(
        "notices",
        Column("id", Integer, primary_key=True),
        Column("key", Text, unique=True),
        Column("kind", Text, nullable=False),
        Column("severity", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("cure", Text, nullable=False),
        Column("case_name", Text, nullable=False),
        Column("ticket", Text, nullable=False),
        Column("at", MOMENT, nullable=False),
        Column("stands", Boolean, nullable=False),
        Column("due", MOMENT),
        Column("leased_until", MOMENT),
        Column("told_at", MOMENT),
    )
    op.create_index("ix_notices_told", "notices", ["kind", "told_at"])
    due, stands = text("due IS NOT NULL"), text("stands")
    op.create_index("ix_notices_due", "notices", ["due"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_notices_stands", "notices", ["stands"], sqlite_where=stands, postgresql_where=stands)
