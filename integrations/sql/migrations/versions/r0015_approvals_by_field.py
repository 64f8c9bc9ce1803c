"""An approval is for one field of one ticket, tells from what to what, and gives way to a later one."""

from typing import Final

from alembic import op
from sqlalchemy import Column, Integer, Text

revision = "0015"
down_revision = "0014"

TEXTS: Final = ("ticket", "field", "was", "becomes", "sender", "trust")


def upgrade() -> None:
    """What waits already keeps its arguments and tells no more than it did."""
    for name in TEXTS:
        op.add_column("approvals", Column(name, Text, nullable=False, server_default=""))
    op.add_column("approvals", Column("superseded_by", Integer, nullable=False, server_default="0"))
    op.create_index("ix_approvals_superseded_by", "approvals", ["superseded_by"])
