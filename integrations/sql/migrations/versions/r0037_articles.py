"""The knowledge base: articles, how their sources were read, and a count of their changes."""

from alembic import op
from sqlalchemy import BigInteger, Column, Text

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "articles",
        Column("id", Text, primary_key=True),
        Column("source", Text, nullable=False, index=True),
        Column("version", Text, nullable=False),
        Column("revision", Text, nullable=False),
        Column("data", Text, nullable=False),
    )
    op.create_table(
        "article_sources",
        Column("source", Text, primary_key=True),
        Column("data", Text, nullable=False),
    )
    op.create_table(
        "article_changes",
        Column("name", Text, primary_key=True),
        Column("last", BigInteger, nullable=False),
    )
