"""How much of a project the ticket index holds, and whose each ticket is."""

from alembic import op
from sqlalchemy import Column, DateTime, Integer, Text

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Nothing is known to be covered, so the index is read anew, which fills the new columns."""
    op.add_column("tickets", Column("assignee", Text, nullable=True))
    op.add_column("tickets", Column("category", Text, nullable=True))
    op.create_index("ix_tickets_load", "tickets", ["project", "category", "assignee"])
    op.create_table(
        "ticket_coverage",
        Column("project", Text, primary_key=True),
        Column("lowest", Integer, nullable=False),
        Column("as_of", DateTime(timezone=True), nullable=False),
    )
