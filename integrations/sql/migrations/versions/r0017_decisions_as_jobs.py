"""A decision about a case that a worker has makes its job due again."""

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Nobody has decided meanwhile."""
    op.add_column("jobs", Column("again", Boolean, nullable=False, server_default=false()))
