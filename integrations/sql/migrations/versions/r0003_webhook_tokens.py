"""Tokens of webhooks that have brought their mail."""

from alembic import op
from sqlalchemy import Column, DateTime, Text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "webhook_seen",
        Column("source", Text, primary_key=True, nullable=False),
        Column("token", Text, primary_key=True, nullable=False),
        Column("sha256", Text, nullable=False),
        Column("seen_at", DateTime(timezone=True), nullable=False, index=True),
    )
