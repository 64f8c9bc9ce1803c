"""Searches read one short text of a case; people put cases off and keep views."""

from alembic import op
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    Text,
    UniqueConstraint,
    column,
    false,
    table,
    text,
)

from integrations.sql.database.types import storable
from triage.domain.operations.case_lists import search_text

revision = "0035"
down_revision = "0034"

MOMENT = DateTime(timezone=True)
BATCH = 5000


def upgrade() -> None:
    """Write the words of the cases that are there."""
    op.add_column("cases", Column("words", Text, nullable=False, server_default=text("''")))
    _fill()
    op.create_index(
        "ix_cases_words", "cases", ["case_id", "lane", "outcome", "ticket", "words"], postgresql_where=false()
    )
    op.create_table(
        "snoozes",
        Column("id", Integer, primary_key=True),
        Column("case_id", Integer, ForeignKey("mails.id"), nullable=False, index=True),
        Column("until", MOMENT, nullable=False, index=True),
        Column("made_by", Text, nullable=False),
        Column("made_at", MOMENT, nullable=False),
    )
    op.create_table(
        "saved_views",
        Column("id", Integer, primary_key=True),
        Column("owner", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("query", Text, nullable=False),
        Column("tab", Text, nullable=False),
        Column("shared", Boolean, nullable=False),
        Column("made_at", MOMENT, nullable=False),
        UniqueConstraint("owner", "name"),
    )


def _fill() -> None:
    cases = table("cases", *(column(name) for name in ("case_id", "sender", "subject", "ticket", "reason", "words")))
    bind, last = op.get_bind(), 0
    texts = (cases.c.case_id, cases.c.sender, cases.c.subject, cases.c.ticket, cases.c.reason)
    write = text("UPDATE cases SET words = :words WHERE case_id = :number")
    while rows := bind.execute(
        cases.select().with_only_columns(*texts).where(cases.c.case_id > last).order_by(cases.c.case_id).limit(BATCH)
    ).all():
        bind.execute(
            write,
            [
                {"number": number, "words": storable(search_text(sender, subject, ticket or "", reason))}
                for number, sender, subject, ticket, reason in rows
            ],
        )
        last = rows[-1][0]
