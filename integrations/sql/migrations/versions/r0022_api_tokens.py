"""Programs and pages ask over HTTP, each with a token of its own."""

from alembic import op
from sqlalchemy import Column, DateTime, Integer, Text, UniqueConstraint

revision = "0022"
down_revision = "0021"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Nobody has a token yet, so the API stays closed."""
    op.create_table(
        "api_tokens",
        Column("id", Integer, primary_key=True),
        Column("digest", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("scope", Text, nullable=False),
        Column("person", Text, nullable=False),
        Column("hint", Text, nullable=False),
        Column("made_by", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        Column("expires_at", MOMENT, nullable=False),
        Column("revoked_at", MOMENT),
        Column("used_at", MOMENT),
        UniqueConstraint("digest", name="uq_api_tokens_digest"),
    )
