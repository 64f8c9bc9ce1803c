"""Workers say which Jira project they write to, so that two with different settings notice each other."""

from alembic import op
from sqlalchemy import Column, DateTime, Text

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    """Each worker says it again within a minute."""
    op.create_table(
        "tracker_claims",
        Column("name", Text, primary_key=True),
        Column("tracker", Text, nullable=False),
        Column("seen_at", DateTime(timezone=True), nullable=False),
    )
