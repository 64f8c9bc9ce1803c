"""Conversations of the support hub, and their messages."""

from alembic import op
from sqlalchemy import (
    Column,
    DateTime,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    text,
)

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "dialogues",
        Column("id", Integer, nullable=False),
        Column("key", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("status", Text, nullable=False),
        Column("respond_by", DateTime(timezone=True)),
        Column("opened_at", DateTime(timezone=True), nullable=False),
        Column("changed_at", DateTime(timezone=True), nullable=False),
        PrimaryKeyConstraint("id", name="pk_dialogues"),
        UniqueConstraint("key", name="uq_dialogues_key"),
    )
    op.create_index("ix_dialogues_status", "dialogues", ["status", "changed_at"])
    open_ones = text("respond_by IS NOT NULL")
    op.create_index(
        "ix_dialogues_respond_by", "dialogues", ["respond_by"], sqlite_where=open_ones, postgresql_where=open_ones
    )
    op.create_table(
        "dialogue_messages",
        Column("id", Integer, nullable=False),
        Column("dialogue_id", Integer, nullable=False),
        Column("case_id", Integer, nullable=False),
        Column("role", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("at", DateTime(timezone=True), nullable=False),
        PrimaryKeyConstraint("id", name="pk_dialogue_messages"),
        ForeignKeyConstraint(["case_id"], ["mails.id"], name="fk_dialogue_messages_case_id_mails"),
        UniqueConstraint("case_id", "role", name="uq_dialogue_messages_case_id_role"),
    )
    op.create_index("ix_dialogue_messages_dialogue_id", "dialogue_messages", ["dialogue_id"])
    op.create_index("ix_dialogue_messages_case_id", "dialogue_messages", ["case_id"])
