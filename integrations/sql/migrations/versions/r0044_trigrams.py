"""PostgreSQL finds parts of words by their trigrams, where it has the extension."""

from alembic import op

from integrations.sql.case_lists.trigrams import make_index

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Make the index, if it can be made."""
    make_index(op.get_bind())
