"""The tables of the support hub."""

from typing import Final

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from integrations.sql.database.schema import case_of_row, metadata, number_of_row, partial
from integrations.sql.database.types import IndexedText, JsonDataclass, SafeText, UtcDateTime
from triage.domain.support.dialogues import Dialogue

dialogues: Final = Table(
    "dialogues",
    metadata,
    number_of_row(),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("data", JsonDataclass(Dialogue), nullable=False),
    Column("status", Text, nullable=False),
    # Until when a person answers; NULL: nobody has to.
    Column("respond_by", UtcDateTime),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
    Index("ix_dialogues_status", "status", "changed_at"),
    partial("ix_dialogues_respond_by", "respond_by", where="respond_by IS NOT NULL"),
)

dialogue_messages: Final = Table(
    "dialogue_messages",
    metadata,
    number_of_row(),
    Column("dialogue_id", Integer, nullable=False, index=True),
    case_of_row(index=True),
    Column("role", Text, nullable=False),
    Column("text", SafeText, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("case_id", "role"),
)
