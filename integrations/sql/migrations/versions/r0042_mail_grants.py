"""Mailboxes are opened with tokens that people granted."""

from alembic import op
from sqlalchemy import Column, DateTime, LargeBinary, Text

revision = "0042"
down_revision = "0041"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nobody has granted anything yet: `triage mailbox login` asks for it."""
    op.create_table(
        "mail_grants",
        Column("account", Text, primary_key=True),
        Column("client", Text, nullable=False),
        Column("sealed", LargeBinary, nullable=False),
        Column("scope", Text, nullable=False),
        Column("expires_at", MOMENT, nullable=False),
        Column("granted_at", MOMENT, nullable=False),
        Column("renewed_at", MOMENT, nullable=False),
        Column("trouble", Text, nullable=False),
        Column("turn", Text, nullable=False),
        Column("turn_until", MOMENT),
    )
