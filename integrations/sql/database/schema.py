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
from triage.domain.letters import Letter
from triage.domain.tickets import Ticket


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


def _number() -> Column[Any]:
    """The row's own id."""
    return Column("id", Integer, primary_key=True)


def _case(**more: Any) -> Column[Any]:
    """The case that a row belongs to."""
    return Column("case_id", Integer, ForeignKey("mails.id"), nullable=False, **more)


mails: Final = Table(
    "mails",
    metadata,
    _number(),
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
    _case(primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
)

cases: Final = Table(
    "cases",
    metadata,
    _case(primary_key=True, autoincrement=False),
    Column("lane", IndexedText, nullable=False, index=True, default=""),
    Column("outcome", Text),
    Column("ticket", SafeText),
    Column("sender", SafeText, nullable=False, default=""),
    Column("subject", SafeText, nullable=False, default=""),
    Column("reason", SafeText, nullable=False, default=""),
    Column("data", JsonDataclass(Case, of_today), nullable=False),
    # Serves lists of one outcome, latest first, and counts without reading the cases.
    Index("ix_cases_outcome", "outcome", "case_id"),
)

jobs: Final = Table(
    "jobs",
    metadata,
    _case(primary_key=True, autoincrement=False),
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
    # Serves the search for due jobs in order of arrival, without reading finished ones.
    Index(
        "ix_jobs_open", "case_id", "due", sqlite_where=text("due IS NOT NULL"), postgresql_where=text("due IS NOT NULL")
    ),
    Index(
        "ix_jobs_behind", "behind", sqlite_where=text("behind IS NOT NULL"), postgresql_where=text("behind IS NOT NULL")
    ),
)

steps: Final = Table(
    "steps",
    metadata,
    _number(),
    _case(index=True),
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
    _number(),
    _case(index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("name", Text, nullable=False),
    Column("facts", JsonDataclass(dict[str, Any]), nullable=False),
)

effects: Final = Table(
    "effects",
    metadata,
    _number(),
    _case(index=True),
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

approvals: Final = Table(
    "approvals",
    metadata,
    _number(),
    _case(),
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
    # NULL: it waits for ever. Once a reminder is sent, `reminded_at` has its time.
    Column("expires_at", UtcDateTime),
    Column("reminded_at", UtcDateTime),
    UniqueConstraint("case_id", "tool", "arguments_hash"),
)

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
    _number(),
    _case(index=True),
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

# The letter itself never changes; the columns beside it say what becomes of it.
letters: Final = Table(
    "letters",
    metadata,
    _number(),
    _case(index=True),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("data", JsonDataclass(Letter), nullable=False),
    Column("person", IndexedText, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("queued_at", UtcDateTime, nullable=False),
    Column("due_at", UtcDateTime),
    Column("started_at", UtcDateTime, index=True),
    Column("attempts", Integer, nullable=False),
    Column("decided_by", SafeText, nullable=False),
    Column("note", SafeText, nullable=False),
    Index("ix_letters_person", "person", "queued_at"),
    Index(
        "ix_letters_due", "due_at", sqlite_where=text("due_at IS NOT NULL"), postgresql_where=text("due_at IS NOT NULL")
    ),
)

thread_ids: Final = Table(
    "thread_ids",
    metadata,
    Column("message_id", IndexedText, primary_key=True),
    _case(primary_key=True, autoincrement=False),
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
    _case(primary_key=True, autoincrement=False),
)

traces: Final = Table(
    "traces",
    metadata,
    _case(primary_key=True, autoincrement=False),
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
    # The group whose rate limit holds it, and the case whose comment reports it.
    Column("brake", Text, nullable=False, default=""),
    Column("told_by", Integer),
    Column("told_at", UtcDateTime),
    Index(
        "ix_traces_told_by",
        "told_by",
        sqlite_where=text("told_by IS NOT NULL"),
        postgresql_where=text("told_by IS NOT NULL"),
    ),
    *(
        Index(f"ix_traces_{name}", name, "at")
        for name in ("content", "sender", "thread", "storm", "newcomers", "topic", "brake")
    ),
    Index("ix_traces_sketch", "scope", "at", sqlite_where=text("sketch <> ''"), postgresql_where=text("sketch <> ''")),
)

ticket_numbers: Final = Table(
    "ticket_numbers",
    metadata,
    Column("project", Text, primary_key=True),
    Column("highest", Integer, nullable=False),
)

# The search index over them is a file of each host: see `integrations/search_index`.
tickets: Final = Table(
    "tickets",
    metadata,
    _number(),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("project", Text, nullable=False, index=True),
    Column("number", Integer, nullable=False, server_default=text("0")),
    Column("updated", UtcDateTime),
    # NULL: only announced so far, or gone.
    Column("data", JsonDataclass(Ticket)),
    Column("doubted_at", UtcDateTime, index=True),
    # From the project's row in `ticket_changes`; NULL for a ticket that was only announced.
    Column("change", BigInteger),
    # Copied from `data`, so that workloads are counted without decoding tickets.
    Column("assignee", IndexedText),
    Column("category", Text),
    Index("ix_tickets_load", "project", "category", "assignee"),
    Index("ix_tickets_change", "project", "change"),
    Index("ix_tickets_number", "project", "number"),
)

# One row per project, locked by each writer until its commit, so that changes become visible in their order.
ticket_changes: Final = Table(
    "ticket_changes",
    metadata,
    Column("project", Text, primary_key=True),
    Column("last", BigInteger, nullable=False),
)

ticket_coverage: Final = Table(
    "ticket_coverage",
    metadata,
    Column("project", Text, primary_key=True),
    Column("lowest", Integer, nullable=False),
    Column("as_of", UtcDateTime, nullable=False),
    Column("checked", Integer),
    Column("reconciled", UtcDateTime),
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
