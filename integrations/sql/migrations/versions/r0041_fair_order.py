"""Jobs are taken in a fair order; what waits keeps its order of arrival, before all that comes later."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Double, false, text

revision = "0041"
down_revision = "0040"

OPEN = text("due IS NOT NULL")
FIRST = text("due IS NOT NULL AND opens")


def upgrade() -> None:
    """Add the columns and their indexes."""
    op.add_column("jobs", Column("turn", Double, nullable=False, server_default=text("0")))
    op.add_column("jobs", Column("sender", BigInteger, nullable=False, server_default=text("0")))
    op.add_column("jobs", Column("mailbox", BigInteger, nullable=False, server_default=text("0")))
    op.add_column("jobs", Column("opens", Boolean, nullable=False, server_default=false()))
    op.add_column("jobs", Column("automated", Boolean, nullable=False, server_default=false()))
    op.create_index("ix_jobs_turn", "jobs", ["turn", "case_id", "due"], sqlite_where=OPEN, postgresql_where=OPEN)
    op.create_index("ix_jobs_sender", "jobs", ["sender", "mailbox", "turn"], sqlite_where=OPEN, postgresql_where=OPEN)
    op.create_index("ix_jobs_mailbox", "jobs", ["mailbox", "turn"], sqlite_where=FIRST, postgresql_where=FIRST)
