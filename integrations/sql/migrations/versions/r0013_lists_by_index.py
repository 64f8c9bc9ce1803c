"""What lists, counts, digests and the lookup of a lost write ask for is found without a look at every case."""

from alembic import op
from sqlalchemy import text

revision = "0013"
down_revision = "0012"

TOLD = text("told_by IS NOT NULL")


def upgrade() -> None:
    """Make the indexes."""
    op.create_index("ix_cases_outcome", "cases", ["outcome", "case_id"])
    op.create_index("ix_effects_label", "effects", ["label"])
    op.create_index("ix_traces_told_by", "traces", ["told_by"], sqlite_where=TOLD, postgresql_where=TOLD)
