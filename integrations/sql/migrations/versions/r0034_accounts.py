"""People sign in to the console."""

from alembic import op
from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, Text, UniqueConstraint

revision = "0034"
down_revision = "0033"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nobody has an account yet: `triage serve` prints a token for the first one."""
    op.create_table(
        "accounts",
        Column("id", Integer, primary_key=True),
        Column("address", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("scope", Text, nullable=False),
        Column("password", Text, nullable=False),
        Column("issuer", Text, nullable=False),
        Column("subject", Text, nullable=False),
        Column("managed", Boolean, nullable=False),
        Column("made_by", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("disabled_at", MOMENT),
        Column("signed_in_at", MOMENT),
        UniqueConstraint("address", name="uq_accounts_address"),
    )
    op.create_table(
        "sessions",
        Column("id", Integer, primary_key=True),
        Column("digest", Text, nullable=False),
        Column("account", Integer, ForeignKey("accounts.id")),
        Column("token", Integer, ForeignKey("api_tokens.id")),
        Column("peer", Text, nullable=False),
        Column("agent", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("seen_at", MOMENT, nullable=False),
        Column("expires_at", MOMENT, nullable=False),
        Column("ended_at", MOMENT),
        UniqueConstraint("digest", name="uq_sessions_digest"),
    )
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_index("ix_sessions_account", "sessions", ["account"])
