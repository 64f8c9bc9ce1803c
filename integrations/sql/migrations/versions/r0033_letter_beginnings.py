"""From when on comments are sent has a table of its own: it stood among the positions of commands, under a reserved name."""

from datetime import UTC, datetime

from alembic import op
from sqlalchemy import BigInteger, Column, DateTime, Text, column, delete, insert, select, table

revision = "0033"
down_revision = "0032"

POSITIONS = table("command_positions", column("project", Text), column("change", BigInteger))
BEGINNINGS = table("letter_beginnings", column("kind", Text), column("at", DateTime(timezone=True)))
OLD = POSITIONS.c.project == "comments are sent since"


def upgrade() -> None:
    """Move the row."""
    op.create_table(
        "letter_beginnings",
        Column("kind", Text, primary_key=True),
        Column("at", DateTime(timezone=True), nullable=False),
    )
    second = op.get_bind().execute(select(POSITIONS.c.change).where(OLD)).scalar()
    if second is not None:
        op.execute(insert(BEGINNINGS).values(kind="comment", at=datetime.fromtimestamp(second, UTC)))
        op.execute(delete(POSITIONS).where(OLD))
