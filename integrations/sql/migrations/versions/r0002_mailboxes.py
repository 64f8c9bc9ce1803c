"""Where we stand in each IMAP mailbox."""

from alembic import op
from sqlalchemy import BigInteger, Column, DateTime, Integer, Text

revision = "0002"
down_revision = "0001"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "mailboxes",
        Column("name", Text, primary_key=True, nullable=False),
        Column("account", Text, nullable=False),
        Column("validity", BigInteger, nullable=False),
        Column("uid", BigInteger, nullable=False),
        Column("base", BigInteger, nullable=False),
        Column("floor", MOMENT, nullable=False),
        Column("owed", MOMENT, nullable=True),
        Column("complete_at", MOMENT, nullable=False),
        Column("phase", Text, nullable=False),
        Column("trouble", Text, nullable=False),
        Column("missing", Integer, nullable=False),
        Column("changed_at", MOMENT, nullable=False),
    )
