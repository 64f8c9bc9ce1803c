"""The tables. A mail, its case and its job share one number, so nearly every other table refers to `case_id`."""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from integrations.sql.database.old_cases import of_today
from integrations.sql.database.types import IndexedText, JsonDataclass, SafeText, UtcDateTime
from triage.domain.cases import Case
from triage.domain.conversation import Messages, ToolRun, Turn, Usage


class JobState(StrEnum):
    """State of a job."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


# Batch migrations of SQLite can only drop constraints that have a name.
metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def number_of_row() -> Column[Any]:
    """The row's own id."""
    return Column("id", Integer, primary_key=True)


def case_of_row(**more: Any) -> Column[Any]:
    return Column("case_id", Integer, ForeignKey("mails.id"), nullable=False, **more)


def partial(name: str, *columns: str, where: str) -> Index:
    """An index of some rows. Migrations make it in both databases; to repeat here what PostgreSQL shall do imports its dialect."""
    return Index(name, *columns, sqlite_where=text(where))


mails: Final = Table(
    "mails",
    metadata,
    number_of_row(),
    Column("source", IndexedText, nullable=False),
    Column("source_id", IndexedText, nullable=False),
    Column("received_at", UtcDateTime, nullable=False),
    Column("accepted_at", UtcDateTime, nullable=False),
    Column("size", Integer, nullable=False),
    Column("sha256", Text, nullable=False),
    UniqueConstraint("source", "source_id"),
    # A number is never used again, even after old mails are removed: effect keys contain it.
    sqlite_autoincrement=True,
)

raw_mails: Final = Table(
    "raw_mails",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
)

cases: Final = Table(
    "cases",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    # The thread key. Its name is older than the word: a column that is renamed is lost to the previous version (decision 341).
    Column("lane", IndexedText, nullable=False, index=True, default=""),
    Column("outcome", Text),
    Column("ticket", SafeText),
    Column("sender", SafeText, nullable=False, default=""),
    Column("subject", SafeText, nullable=False, default=""),
    Column("reason", SafeText, nullable=False, default=""),
    Column("data", JsonDataclass(Case, of_today), nullable=False),
    # What searches read; empty until the mail is parsed.
    Column("words", SafeText, nullable=False, default="", server_default=text("''")),
    # Serves lists of one outcome, latest first, and counts without reading the cases.
    Index("ix_cases_outcome", "outcome", "case_id"),
    # Serves the cases of one ticket, latest first.
    Index("ix_cases_ticket", "ticket", "case_id"),
    # Serves every other list and all searches of SQLite, which would read `data` on its way to `words`. PostgreSQL keeps long
    # values out of the row and refuses long texts in an index, so there the migration keeps it empty.
    Index("ix_cases_words", "case_id", "lane", "outcome", "ticket", "words"),
)

_OPEN: Final = "due IS NOT NULL"

jobs: Final = Table(
    "jobs",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False, default=JobState.READY),
    # When a worker may take the job; of a leased one, the end of the lease. NULL: no worker takes it.
    Column("due", UtcDateTime, index=True),
    Column("epoch", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("worker", SafeText, nullable=False, default=""),
    Column("trouble", SafeText, nullable=False, default=""),
    # The case it waits for, and since when it has waited for any case.
    Column("behind", Integer),
    Column("waiting_since", UtcDateTime),
    # A person decided since a worker took the job: it is due again once that worker is done.
    Column("again", Boolean, nullable=False, default=False, server_default=false()),
    # The fair order: the turn, numbers of sender and mailbox, whether it was the sender's first, and a program's mail.
    Column("turn", Double, nullable=False, default=0.0, server_default=text("0")),
    Column("sender", BigInteger, nullable=False, default=0, server_default=text("0")),
    Column("mailbox", BigInteger, nullable=False, default=0, server_default=text("0")),
    Column("opens", Boolean, nullable=False, default=False, server_default=false()),
    Column("automated", Boolean, nullable=False, default=False, server_default=false()),
    # Serves lists of what is open, in order of arrival.
    partial("ix_jobs_open", "case_id", "due", where=_OPEN),
    # Serves the search for due jobs in their order, without reading finished ones.
    partial("ix_jobs_turn", "turn", "case_id", "due", where=_OPEN),
    # Serve the last turn of a sender, the cases of a sender that are not read yet, and the last turn of senders' first mails.
    partial("ix_jobs_sender", "sender", "mailbox", "turn", where=_OPEN),
    partial("ix_jobs_mailbox", "mailbox", "turn", where=f"{_OPEN} AND opens"),
    partial("ix_jobs_behind", "behind", where="behind IS NOT NULL"),
)

steps: Final = Table(
    "steps",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("name", Text, nullable=False),
    Column("ms", Double, nullable=False),
    Column("note", SafeText, nullable=False),
)

agent_runs: Final = Table(
    "agent_runs",
    metadata,
    # `case-17/1`. Turns and results refer to it; a run may be about something other than a case.
    Column("run", IndexedText, primary_key=True),
    Column("case_id", Integer, ForeignKey("mails.id"), index=True),
    Column("profile", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("opening", JsonDataclass(Messages), nullable=False),
    Column("tool_calls_log", JsonDataclass(tuple[ToolRun, ...]), nullable=False, default=()),
    Column("final_message", SafeText, nullable=False, default=""),
    Column("iterations", Integer, nullable=False, default=0),
    Column("model", SafeText, nullable=False, default=""),
    Column("usage", JsonDataclass(Usage), nullable=False, default=Usage()),
    Column("error", SafeText, nullable=False, default=""),
    # Serves the audit of some days.
    Column("started_at", UtcDateTime, nullable=False, index=True),
    Column("ended_at", UtcDateTime),
)

llm_calls: Final = Table(
    "llm_calls",
    metadata,
    Column("run", IndexedText, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("call_type", Text, nullable=False, default="agent"),
    Column("model", SafeText, nullable=False),
    Column("answer", JsonDataclass(Turn), nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost_usd", Double),
    Column("ms", Double, nullable=False),
    # Serves the audit of some days, and the sum of a month without the answers themselves.
    Index("ix_llm_calls_at", "at", "cost_usd", "input_tokens", "output_tokens"),
)

tool_results: Final = Table(
    "tool_results",
    metadata,
    Column("run", IndexedText, primary_key=True),
    Column("call", IndexedText, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("tool", SafeText, nullable=False),
    Column("arguments", SafeText, nullable=False),
    Column("result", SafeText, nullable=False),
)

email_events: Final = Table(
    "email_events",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("name", Text, nullable=False),
    Column("facts", JsonDataclass(dict[str, Any]), nullable=False),
)

effects: Final = Table(
    "effects",
    metadata,
    number_of_row(),
    case_of_row(index=True),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("target", SafeText, nullable=False),
    Column("label", Text, nullable=False, index=True),
    Column("body_hash", Text, nullable=False, index=True),
    Column("above", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("result", SafeText, nullable=False),
    Column("note", SafeText, nullable=False),
    Column("posts", Integer, nullable=False),
    Column("intended_at", UtcDateTime, nullable=False),
    Column("settled_at", UtcDateTime),
    # Serves the reports on one ticket.
    Index("ix_effects_target", "target", "kind"),
)

thread_ids: Final = Table(
    "thread_ids",
    metadata,
    Column("message_id", IndexedText, primary_key=True),
    case_of_row(primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
    Column("ticket", SafeText),
    # Hashes of sender and recipients; NULL for mails that an older version linked.
    Column("people", JsonDataclass(tuple[str, ...])),
)

# The Message-IDs that a mail has and answers, stored as soon as it is parsed.
mentions: Final = Table(
    "mentions",
    metadata,
    Column("message_id", IndexedText, primary_key=True),
    case_of_row(primary_key=True, autoincrement=False),
)

traces: Final = Table(
    "traces",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("content", Text, nullable=False),
    Column("message_id", IndexedText, nullable=False),
    Column("dated", Boolean, nullable=False),
    Column("sender", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("storm", Text, nullable=False),
    # The same key, if the sender was never seen before; else empty.
    Column("newcomers", Text, nullable=False, default="", server_default=text("''")),
    # Only for the first mail of a group of alike ones: whose mails are compared with it, and its sketch.
    Column("scope", Text, nullable=False, default="", server_default=text("''")),
    Column("sketch", Text, nullable=False, default="", server_default=text("''")),
    # The subject without numbers and word order.
    Column("subject", Text, nullable=False, default="", server_default=text("''")),
    Column("topic", Text, nullable=False),
    # The mails it answers, equal for copies of one mail; NULL in rows of an older version.
    Column("answers", Text),
    # Rank of the sender's trust; NULL in rows of an older version.
    Column("believed", Integer),
    # The first case with the same mail.
    Column("twin", Integer),
    # The case with a copy of the same mail from a better or worse proven sender.
    Column("rival", Integer),
    # The group whose rate limit holds it, and the case whose comment reports it; an old name, too.
    Column("brake", Text, nullable=False, default=""),
    # The ticket that it is held for; empty while the group has none.
    Column("brake_ticket", Text, nullable=False, default="", server_default=text("''")),
    Column("told_by", Integer),
    Column("told_at", UtcDateTime),
    partial("ix_traces_told_by", "told_by", where="told_by IS NOT NULL"),
    *(
        Index(f"ix_traces_{name}", name, "at")
        for name in ("content", "sender", "thread", "storm", "newcomers", "topic", "brake")
    ),
    partial("ix_traces_sketch", "scope", "at", where="sketch <> ''"),
)

secrets: Final = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

webhook_seen: Final = Table(
    "webhook_seen",
    metadata,
    Column("source", IndexedText, primary_key=True),
    Column("token", IndexedText, primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False, index=True),
)

# UIDs are unsigned 32-bit numbers, which do not fit Integer.
mailboxes: Final = Table(
    "mailboxes",
    metadata,
    Column("name", IndexedText, primary_key=True),
    Column("account", SafeText, nullable=False),
    Column("validity", BigInteger, nullable=False),
    Column("uid", BigInteger, nullable=False),
    Column("base", BigInteger, nullable=False),
    Column("floor", UtcDateTime, nullable=False),
    Column("owed", UtcDateTime, key="backfill"),
    Column("complete_at", UtcDateTime, nullable=False),
    Column("phase", Text, nullable=False),
    Column("trouble", SafeText, nullable=False),
    Column("missing", Integer, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
)
