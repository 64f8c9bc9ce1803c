"""Files that hang on a ticket are found by their hash, whichever case brought them."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_effects_body_hash", "effects", ["body_hash"])
