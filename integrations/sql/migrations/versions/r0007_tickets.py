"""The project's tickets as we last saw them, and their words in the database's own full-text index."""

from alembic import op
from sqlalchemy import Column, DateTime, Integer, Text, UniqueConstraint

revision = "0007"
down_revision = "0006"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Make both."""
    op.create_table(
        "tickets",
        Column("id", Integer, primary_key=True),
        Column("key", Text, nullable=False),
        Column("project", Text, nullable=False),
        Column("updated", MOMENT, nullable=True),
        Column("data", Text, nullable=True),
        Column("doubted_at", MOMENT, nullable=True),
        UniqueConstraint("key"),
    )
    op.create_index("ix_tickets_project", "tickets", ["project"])
    op.create_index("ix_tickets_doubted_at", "tickets", ["doubted_at"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE TABLE ticket_words (rowid INTEGER PRIMARY KEY, words TSVECTOR NOT NULL)")
        op.execute("CREATE INDEX ix_ticket_words_words ON ticket_words USING gin (words)")
    else:
        op.execute("CREATE VIRTUAL TABLE ticket_words USING fts5 (summary, description, tokenize = 'porter unicode61')")
