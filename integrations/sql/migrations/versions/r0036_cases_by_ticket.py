"""The cases of one ticket are found without reading all: the page of a case lists them."""

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Index the tickets."""
    op.create_index("ix_cases_ticket", "cases", ["ticket", "case_id"])
