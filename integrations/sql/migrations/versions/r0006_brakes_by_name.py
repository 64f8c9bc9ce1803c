"""What brakes hold is found without looking at every mail's trace."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_traces_brake", "traces", ["brake", "at"])
