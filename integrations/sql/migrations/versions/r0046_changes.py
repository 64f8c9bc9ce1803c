"""The audit knows changes of access and of the installation."""

from alembic import op
from sqlalchemy import Column, DateTime, ForeignKey, Integer, Text

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """What was changed before is in the log alone."""
    op.create_table(
        "changes",
        Column("id", Integer, primary_key=True),
        Column("at", DateTime(timezone=True), nullable=False),
        Column("case_id", Integer, ForeignKey("mails.id")),
        Column("kind", Text, nullable=False),
        Column("made_by", Text, nullable=False),
        Column("detail", Text, nullable=False),
    )
    op.create_index("ix_changes_at", "changes", ["at"])
    op.create_index("ix_changes_case_id", "changes", ["case_id"])
