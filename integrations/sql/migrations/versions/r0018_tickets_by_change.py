"""Tickets in the order of their changes, for the search index of each host; the full-text tables go."""

from alembic import op
from sqlalchemy import BigInteger, Column, DateTime, Integer, Text

revision = "0018"
down_revision = "0017"

MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Number the stored tickets; nothing is known to be covered, so the history is read anew, gaps included."""
    op.add_column("tickets", Column("number", Integer, nullable=False, server_default="0"))
    op.add_column("tickets", Column("change", BigInteger, nullable=True))
    op.create_index("ix_tickets_change", "tickets", ["project", "change"])
    op.create_index("ix_tickets_number", "tickets", ["project", "number"])
    op.create_table(
        "ticket_changes",
        Column("project", Text, primary_key=True),
        Column("last", BigInteger, nullable=False),
    )
    op.execute("UPDATE tickets SET number = CAST(substr(key, length(project) + 2) AS INTEGER)")
    op.execute("UPDATE tickets SET change = id WHERE data IS NOT NULL")
    op.execute(
        "INSERT INTO ticket_changes (project, last) "
        "SELECT project, max(change) FROM tickets WHERE change IS NOT NULL GROUP BY project"
    )
    op.execute("DELETE FROM ticket_coverage")
    op.add_column("ticket_coverage", Column("checked", Integer, nullable=True))
    op.add_column("ticket_coverage", Column("reconciled", MOMENT, nullable=True))
    op.execute("DROP TABLE ticket_words")
