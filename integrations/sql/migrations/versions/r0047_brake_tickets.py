"""Mails that a rate limit holds are reported in the ticket that each is held for."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """What is held already has its ticket in its case."""
    op.add_column("traces", Column("brake_ticket", Text, nullable=False, server_default=""))
    op.execute(
        "UPDATE traces SET brake_ticket = coalesce("
        "(SELECT ticket FROM cases WHERE cases.case_id = traces.case_id), '') WHERE brake <> ''"
    )
