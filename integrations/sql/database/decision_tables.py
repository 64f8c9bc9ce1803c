"""The tables of what people decide, and of the letters that wait for them or leave."""

from typing import Final

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text, UniqueConstraint, select, text

from integrations.sql.database.schema import case_of_row, metadata, number_of_row, partial
from integrations.sql.database.types import IndexedText, JsonDataclass, SafeText, UtcDateTime
from triage.domain.letters import Letter

approvals: Final = Table(
    "approvals",
    metadata,
    number_of_row(),
    case_of_row(),
    Column("tool", Text, nullable=False),
    Column("arguments", SafeText, nullable=False),
    Column("arguments_hash", Text, nullable=False),
    Column("reason", SafeText, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("decided_by", SafeText, nullable=False, default=""),
    Column("parked_at", UtcDateTime, nullable=False),
    Column("decided_at", UtcDateTime),
    Column("ticket", IndexedText, nullable=False, default="", server_default=text("''")),
    Column("field", Text, nullable=False, default="", server_default=text("''")),
    Column("was", SafeText, nullable=False, default="", server_default=text("''")),
    Column("becomes", SafeText, nullable=False, default="", server_default=text("''")),
    Column("sender", SafeText, nullable=False, default="", server_default=text("''")),
    Column("trust", Text, nullable=False, default="", server_default=text("''")),
    Column("superseded_by", Integer, nullable=False, default=0, server_default="0", index=True),
    Column("effect", Text, nullable=False, default="", server_default=text("''")),
    Column("edited", SafeText, nullable=False, default="", server_default=text("''")),
    Column("instruction", SafeText, nullable=False, default="", server_default=text("''")),
    # Identities of those who have accepted, one a line.
    Column("votes", SafeText, nullable=False, default="", server_default=text("''")),
    Column("rework", Integer, nullable=False, default=0, server_default="0"),
    Column("bound", Text, nullable=False, default="", server_default=text("''")),
    # NULL: it waits for ever.
    Column("expires_at", UtcDateTime),
    # Written by earlier versions only.
    Column("reminded_at", UtcDateTime),
    UniqueConstraint("case_id", "tool", "arguments_hash"),
    # Serves the question whether a ticket was merged into another one.
    partial("ix_approvals_merged", "ticket", where="tool = 'merge'"),
)

_successors: Final = approvals.alias("successors")
APPROVALS_OF_A_CASE: Final = select(
    approvals,
    select(_successors.c.state)
    .where(_successors.c.id == approvals.c.superseded_by)
    .scalar_subquery()
    .label("successor"),
).order_by(approvals.c.id)
"""Each with the state of the approval that replaced it."""


# One row, while a person has paused all writing.
pauses: Final = Table(
    "pauses",
    metadata,
    Column("name", Text, primary_key=True),
    Column("paused_by", SafeText, nullable=False),
    Column("why", SafeText, nullable=False),
    Column("since", UtcDateTime, nullable=False),
)


corrections: Final = Table(
    "corrections",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    Column("disposition", Text, nullable=False),
    Column("ticket", IndexedText, nullable=False, default=""),
    Column("made_by", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("was", SafeText, nullable=False, default=""),
    Column("sender", IndexedText, nullable=False, index=True),
    Column("trust", Text, nullable=False),
    Column("sketch", Text, nullable=False, default=""),
    Column("apart", IndexedText, nullable=False, default="", server_default=text("''")),
)


# From when on letters of a kind are sent, such as comments: what was said before is no news.
letter_beginnings: Final = Table(
    "letter_beginnings",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)


# The letter itself never changes; the columns beside it say what becomes of it.
letters: Final = Table(
    "letters",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("data", JsonDataclass(Letter), nullable=False),
    Column("person", IndexedText, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("queued_at", UtcDateTime, nullable=False),
    Column("due_at", UtcDateTime),
    Column("started_at", UtcDateTime, index=True),
    Column("attempts", Integer, nullable=False),
    Column("decided_by", SafeText, nullable=False),
    Column("note", SafeText, nullable=False),
    Index("ix_letters_person", "person", "queued_at"),
    partial("ix_letters_due", "due_at", where="due_at IS NOT NULL"),
)
