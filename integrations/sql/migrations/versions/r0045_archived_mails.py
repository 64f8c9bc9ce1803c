"""Raw mails may be moved to an archive outside the database."""

from alembic import op
from sqlalchemy import Column, DateTime, ForeignKey, Integer, Text, text

revision = "0045"
down_revision = "0044"

LEFT = text("state <> 'kept'")


def upgrade() -> None:
    """Nothing is there yet."""
    op.create_table(
        "archived_mails",
        Column("case_id", Integer, ForeignKey("mails.id"), primary_key=True, autoincrement=False),
        Column("key", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("at", DateTime(timezone=True), nullable=False),
    )
    op.create_index(
        "ix_archived_mails_state", "archived_mails", ["state", "at"], sqlite_where=LEFT, postgresql_where=LEFT
    )
