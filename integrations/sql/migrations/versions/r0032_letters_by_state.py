"""Letters are counted by their state without reading them, at each scrape of the metrics."""

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Index the states."""
    op.create_index("ix_letters_state", "letters", ["state"])
