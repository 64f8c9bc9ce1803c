"""Programs are told how cases end."""

from alembic import op
from sqlalchemy import Column, DateTime, ForeignKey, Integer, Text, text

revision = "0027"
down_revision = "0026"

MOMENT = DateTime(timezone=True)
WAITS = text("state = 'waiting'")


def upgrade() -> None:
    """Nobody is told yet."""
    op.create_table(
        "webhooks_out",
        Column("id", Integer, primary_key=True),
        Column("url", Text, nullable=False),
        Column("secret", Text, nullable=False),
        Column("made_by", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("ended_at", MOMENT),
        Column("trouble", Text, nullable=False),
    )
    op.create_table(
        "webhook_deliveries",
        Column("id", Integer, primary_key=True),
        Column("webhook", Integer, ForeignKey("webhooks_out.id"), nullable=False),
        Column("case_id", Integer, ForeignKey("mails.id"), nullable=False),
        Column("payload", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("due_at", MOMENT, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("trouble", Text, nullable=False),
    )
    op.create_index(
        "ix_webhook_deliveries_due_at",
        "webhook_deliveries",
        ["due_at"],
        sqlite_where=WAITS,
        postgresql_where=WAITS,
    )
    op.create_index("ix_webhook_deliveries_webhook", "webhook_deliveries", ["webhook", "id"])
