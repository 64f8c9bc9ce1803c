"""Which mails have or answer which Message-IDs, so that a mail that comes after its answers finds their ticket."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint, Text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table; what was read before stays as it is."""
    op.create_table(
        "mentions",
        Column("message_id", Text, nullable=False),
        Column("case_id", Integer, ForeignKey("mails.id"), nullable=False),
        PrimaryKeyConstraint("message_id", "case_id"),
    )
