"""PostgreSQL does not try to compress raw mails: what is large in them is compressed already, and the door waits for it."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """From now on; mails that are there stay as they are."""
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER TABLE raw_mails ALTER COLUMN raw SET STORAGE EXTERNAL")
