"""An approval can be edited, answered, accepted by several people, and expires; a person can pause all writing."""

from typing import Final

from alembic import op
from sqlalchemy import Column, DateTime, Integer, Text

revision = "0024"
down_revision = "0023"

TEXTS: Final = ("effect", "edited", "instruction", "votes", "bound")
MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """What waits already waits for ever, for one person."""
    for name in TEXTS:
        op.add_column("approvals", Column(name, Text, nullable=False, server_default=""))
    op.add_column("approvals", Column("rework", Integer, nullable=False, server_default="0"))
    op.add_column("approvals", Column("expires_at", MOMENT))
    op.add_column("approvals", Column("reminded_at", MOMENT))
    op.create_table(
        "pauses",
        Column("name", Text, primary_key=True),
        Column("paused_by", Text, nullable=False),
        Column("why", Text, nullable=False),
        Column("since", MOMENT, nullable=False),
    )
