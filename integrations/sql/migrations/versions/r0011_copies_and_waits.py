"""Copies of one mail are told apart by how far their senders are believed; a case knows since when it waits for others."""

from alembic import op
from sqlalchemy import Column, DateTime, Integer, Text

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the columns; of what was traced before nothing is known."""
    op.add_column("traces", Column("answers", Text))
    op.add_column("traces", Column("believed", Integer))
    op.add_column("traces", Column("rival", Integer))
    op.add_column("jobs", Column("waiting_since", DateTime(timezone=True)))
