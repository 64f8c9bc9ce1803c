"""Floods are known by the words of their mails, not by domains."""

from alembic import op
from sqlalchemy import Column, Text, text

revision = "0014"
down_revision = "0013"

FIRST = text("sketch <> ''")
COLUMNS = ("newcomers", "scope", "sketch", "subject")


def upgrade() -> None:
    """Add the columns and indexes; a flood that goes on meanwhile is counted anew."""
    for name in COLUMNS:
        op.add_column("traces", Column(name, Text, nullable=False, server_default=""))
    op.create_index("ix_traces_newcomers", "traces", ["newcomers", "at"])
    op.create_index("ix_traces_sketch", "traces", ["scope", "at"], sqlite_where=FIRST, postgresql_where=FIRST)
