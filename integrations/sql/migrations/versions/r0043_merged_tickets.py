"""Whether a person has merged a ticket into another one is found by its key."""

from alembic import op
from sqlalchemy import text

revision = "0043"
down_revision = "0042"

MERGED = text("tool = 'merge'")


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_approvals_merged", "approvals", ["ticket"], sqlite_where=MERGED, postgresql_where=MERGED)
