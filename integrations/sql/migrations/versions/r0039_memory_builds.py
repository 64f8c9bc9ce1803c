"""Builds of the team's memory, and the mails that they have read."""

from alembic import op
from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, Text

revision = "0039"
down_revision = "0037"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Make both tables; no mail has been read."""
    op.create_table(
        "memory_builds",
        Column("id", Integer, primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("kind", "made_by", "stage")),
        *(Column(name, Integer, nullable=False) for name in ("done", "total")),
        *(Column(name, Text, nullable=False) for name in ("figures", "trouble")),
        *(Column(name, MOMENT, nullable=False) for name in ("started_at", "beat_at")),
        Column("ended_at", MOMENT),
    )
    op.create_table(
        "memory_mails",
        Column("case_id", Integer, ForeignKey("mails.id"), primary_key=True, autoincrement=False),
        Column("sender", Text, nullable=False),
        Column("day", Text, nullable=False),
        Column("written", Boolean, nullable=False, index=True),
        Column("observations", Text, nullable=False),
        Column("kept", Integer, nullable=False),
    )
    op.create_index("ix_memory_mails_sender", "memory_mails", ["sender", "day"])
