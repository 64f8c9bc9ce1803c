"""The words of a forgotten person in a ticket are not copied again."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0030"
down_revision = "0027"


def upgrade() -> None:
    """None are withheld yet."""
    op.add_column("tickets", Column("withheld", Text))
