"""Letters that Triage writes are rows: queued once, sent once."""

from alembic import op
from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, Text, text

revision = "0023"
down_revision = "0022"

MOMENT = DateTime(timezone=True)
DUE = text("due_at IS NOT NULL")


def upgrade() -> None:
    """Nothing was written yet."""
    op.create_table(
        "letters",
        Column("id", Integer, primary_key=True),
        Column("case_id", Integer, ForeignKey("mails.id"), nullable=False),
        Column("key", Text, nullable=False, unique=True),
        Column("data", Text, nullable=False),
        Column("person", Text, nullable=False),
        Column("automatic", Boolean, nullable=False),
        Column("state", Text, nullable=False),
        Column("queued_at", MOMENT, nullable=False),
        Column("due_at", MOMENT),
        Column("started_at", MOMENT),
        Column("attempts", Integer, nullable=False),
        Column("decided_by", Text, nullable=False),
        Column("note", Text, nullable=False),
    )
    op.create_index("ix_letters_case_id", "letters", ["case_id"])
    op.create_index("ix_letters_started_at", "letters", ["started_at"])
    op.create_index("ix_letters_person", "letters", ["person", "queued_at"])
    op.create_index("ix_letters_due", "letters", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
