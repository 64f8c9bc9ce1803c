"""The tables of the support hub."""

from dataclasses import replace
from typing import Final

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from integrations.sql.database.rows import AnyRow, case_name
from integrations.sql.database.schema import case_of_row, metadata, number_of_row, partial
from integrations.sql.database.types import IndexedText, JsonDataclass, SafeText, UtcDateTime
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

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


def dialogue_of(row: AnyRow) -> Dialogue:
    """Return the conversation of a row; when a person has answered is the row's own."""
    known: Dialogue = row.data
    return replace(known, id=row.id, respond_by=row.respond_by, opened_at=row.opened_at, changed_at=row.changed_at)


def message_of(row: AnyRow) -> DialogueMessage:
    return DialogueMessage(role=Author(row.role), text=Untrusted(row.text), case=case_name(row.case_id), at=row.at)
