"""The reports on one ticket are found by an index."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Serve reads of one ticket's effects."""
    op.create_index("ix_effects_target", "effects", ["target", "kind"])
