"""What people say becomes of a mail is stored, and later mails are judged by it."""

from alembic import op
from sqlalchemy import Column, DateTime, ForeignKey, Integer, Text

revision = "0020"
down_revision = "0019"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nobody has corrected anything yet."""
    op.create_table(
        "corrections",
        Column("id", Integer, primary_key=True),
        Column("case_id", Integer, ForeignKey("mails.id"), nullable=False),
        Column("disposition", Text, nullable=False),
        Column("ticket", Text, nullable=False),
        Column("made_by", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("was", Text, nullable=False),
        Column("sender", Text, nullable=False),
        Column("trust", Text, nullable=False),
        Column("sketch", Text, nullable=False),
    )
    op.create_index("ix_corrections_case_id", "corrections", ["case_id"])
    op.create_index("ix_corrections_sender", "corrections", ["sender"])
