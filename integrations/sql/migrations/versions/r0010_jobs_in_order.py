"""What is due is taken in the order it came, and a case that waits for another one is woken by it."""

from alembic import op
from sqlalchemy import Column, Integer, text

revision = "0010"
down_revision = "0009"

OPEN = text("due IS NOT NULL")
BEHIND = text("behind IS NOT NULL")


def upgrade() -> None:
    """Add the column and the indexes."""
    op.add_column("jobs", Column("behind", Integer))
    op.create_index("ix_jobs_open", "jobs", ["case_id", "due"], sqlite_where=OPEN, postgresql_where=OPEN)
    op.create_index("ix_jobs_behind", "jobs", ["behind"], sqlite_where=BEHIND, postgresql_where=BEHIND)
