"""What mails leave behind: double deliveries, follow-ups, storms, and who takes part in a thread."""

from alembic import op
from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, Text

revision = "0004"
down_revision = "0003"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Make the table, and a column for the people of a mail; mails before have none."""
    op.create_table(
        "traces",
        Column("case_id", Integer, ForeignKey("mails.id"), primary_key=True, autoincrement=False, nullable=False),
        Column("at", MOMENT, nullable=False),
        Column("content", Text, nullable=False),
        Column("message_id", Text, nullable=False),
        Column("dated", Boolean, nullable=False),
        Column("sender", Text, nullable=False),
        Column("thread", Text, nullable=False),
        Column("storm", Text, nullable=False),
        Column("topic", Text, nullable=False),
        Column("twin", Integer, nullable=True),
        Column("brake", Text, nullable=False),
        Column("told_by", Integer, nullable=True),
        Column("told_at", MOMENT, nullable=True),
    )
    for name in ("content", "sender", "thread", "storm", "topic"):
        op.create_index(f"ix_traces_{name}", "traces", [name, "at"])
    op.add_column("thread_ids", Column("people", Text, nullable=True))
