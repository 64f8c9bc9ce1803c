"""The tables as they were on the day of the oldest database that is migrated; names of keys and indexes follow the convention in `schema.py`."""

from typing import Any, Final

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
)

revision = "0015"
down_revision = None

MOMENT: Final = DateTime(timezone=True)


def _number() -> Column[Any]:
    return Column("id", Integer, primary_key=True)


def _case(**more: Any) -> Column[Any]:
    return Column("case_id", Integer, ForeignKey("mails.id"), nullable=False, **more)


def _key(name: str, kind: type[Integer | Text] = Text) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False, nullable=False)


def _has(name: str, kind: Any = Text, **more: Any) -> Column[Any]:
    return Column(name, kind, nullable=False, **more)


def _may_have(name: str, kind: Any = Text, **more: Any) -> Column[Any]:
    return Column(name, kind, nullable=True, **more)


def upgrade() -> None:
    """Make them all."""
    _arrivals()
    _traces()
    _journal()
    _agents()
    _ledger()
    _tickets()


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=text(where), postgresql_where=text(where))


def _arrivals() -> None:
    """What comes in, from where, and who works on it."""
    op.create_table(
        "mails",
        _number(),
        _has("source"),
        _has("source_id"),
        _has("received_at", MOMENT),
        _has("accepted_at", MOMENT),
        _has("size", Integer),
        _has("sha256"),
        UniqueConstraint("source", "source_id"),
        sqlite_autoincrement=True,
    )
    op.create_table("raw_mails", _case(primary_key=True, autoincrement=False), _has("raw", LargeBinary))
    if op.get_context().dialect.name == "postgresql":  # what is large in a mail is compressed already
        op.execute("ALTER TABLE raw_mails ALTER COLUMN raw SET STORAGE EXTERNAL")
    op.create_table(
        "cases",
        _case(primary_key=True, autoincrement=False),
        _has("lane", index=True),
        _may_have("outcome"),
        _may_have("ticket"),
        _has("sender"),
        _has("subject"),
        _has("reason"),
        _has("data"),
    )
    op.create_index("ix_cases_outcome", "cases", ["outcome", "case_id"])
    op.create_table(
        "jobs",
        _case(primary_key=True, autoincrement=False),
        _has("state"),
        _may_have("due", MOMENT, index=True),
        _has("epoch", Integer),
        _has("attempts", Integer),
        _has("worker"),
        _has("trouble"),
        _may_have("behind", Integer),
        _may_have("waiting_since", MOMENT),
    )
    _partial_index("ix_jobs_open", "jobs", ["case_id", "due"], "due IS NOT NULL")
    _partial_index("ix_jobs_behind", "jobs", ["behind"], "behind IS NOT NULL")
    op.create_table(
        "mailboxes",
        _key("name"),
        _has("account"),
        _has("validity", BigInteger),
        _has("uid", BigInteger),
        _has("base", BigInteger),
        _has("floor", MOMENT),
        _may_have("owed", MOMENT),
        _has("complete_at", MOMENT),
        _has("phase"),
        _has("trouble"),
        _has("missing", Integer),
        _has("changed_at", MOMENT),
    )
    op.create_table("webhook_seen", _key("source"), _key("token"), _has("sha256"), _has("seen_at", MOMENT, index=True))


def _traces() -> None:
    """By what a mail is known again: double deliveries, threads, floods."""
    op.create_table(
        "traces",
        _case(primary_key=True, autoincrement=False),
        _has("at", MOMENT),
        _has("content"),
        _has("message_id"),
        _has("dated", Boolean),
        _has("sender"),
        _has("thread"),
        _has("storm"),
        _has("topic"),
        _may_have("twin", Integer),
        _has("brake"),
        _may_have("told_by", Integer),
        _may_have("told_at", MOMENT),
        _may_have("answers"),
        _may_have("believed", Integer),
        _may_have("rival", Integer),
        *(_has(name, server_default="") for name in ("newcomers", "scope", "sketch", "subject")),
    )
    for name in ("content", "sender", "thread", "storm", "topic", "brake", "newcomers"):
        op.create_index(f"ix_traces_{name}", "traces", [name, "at"])
    _partial_index("ix_traces_told_by", "traces", ["told_by"], "told_by IS NOT NULL")
    _partial_index("ix_traces_sketch", "traces", ["scope", "at"], "sketch <> ''")
    op.create_table(
        "thread_ids",
        _key("message_id"),
        _case(primary_key=True, autoincrement=False),
        _has("content"),
        _may_have("ticket"),
        _may_have("people"),
    )
    op.create_table("mentions", _key("message_id"), _case(primary_key=True, autoincrement=False))


def _journal() -> None:
    op.create_table(
        "steps",
        _number(),
        _case(index=True),
        _has("at", MOMENT),
        _has("name"),
        _has("ms", Double),
        _has("note"),
    )
    op.create_table(
        "email_events",
        _number(),
        _case(index=True),
        _has("at", MOMENT),
        _has("name"),
        _has("facts"),
    )


def _agents() -> None:
    op.create_table(
        "agent_runs",
        _case(primary_key=True, autoincrement=False),
        _key("run", Integer),
        _has("profile"),
        _has("status"),
        _has("opening"),
        _has("tool_calls_log"),
        _has("final_message"),
        _has("iterations", Integer),
        _has("model"),
        _has("usage"),
        _has("error"),
        _has("started_at", MOMENT),
        _may_have("ended_at", MOMENT),
    )
    op.create_table(
        "llm_calls",
        _case(primary_key=True, autoincrement=False),
        _key("run", Integer),
        _key("number", Integer),
        _has("at", MOMENT),
        _has("call_type"),
        _has("model"),
        _has("answer"),
        _has("input_tokens", Integer),
        _has("output_tokens", Integer),
        _may_have("cost_usd", Double),
        _has("ms", Double),
    )
    op.create_table(
        "tool_results",
        _case(primary_key=True, autoincrement=False),
        _key("run", Integer),
        _key("call"),
        _has("at", MOMENT),
        _has("tool"),
        _has("arguments"),
        _has("result"),
    )


def _ledger() -> None:
    op.create_table(
        "effects",
        _number(),
        _case(index=True),
        _has("key", unique=True),
        _has("kind"),
        _has("target"),
        _has("label"),
        _has("body_hash"),
        _has("above", Integer),
        _has("state"),
        _has("result"),
        _has("note"),
        _has("posts", Integer),
        _has("intended_at", MOMENT),
        _may_have("settled_at", MOMENT),
    )
    op.create_index("ix_effects_body_hash", "effects", ["body_hash"])
    op.create_index("ix_effects_label", "effects", ["label"])
    op.create_table(
        "approvals",
        _number(),
        _case(),
        _has("tool"),
        _has("arguments"),
        _has("arguments_hash"),
        _has("reason"),
        _has("state", index=True),
        _has("decided_by"),
        _has("parked_at", MOMENT),
        _may_have("decided_at", MOMENT),
        *(_has(name, server_default="") for name in ("ticket", "field", "was", "becomes", "sender", "trust")),
        _has("superseded_by", Integer, server_default="0", index=True),
        UniqueConstraint("case_id", "tool", "arguments_hash"),
    )
    op.create_table("ticket_numbers", _key("project"), _has("highest", Integer))
    op.create_table("secrets", _key("name"), _has("value", LargeBinary))


def _tickets() -> None:
    """The copy of the project's tickets, and its words in the database's own full-text index."""
    op.create_table(
        "tickets",
        _number(),
        _has("key"),
        _has("project", index=True),
        _may_have("updated", MOMENT),
        _may_have("data"),
        _may_have("doubted_at", MOMENT, index=True),
        _may_have("assignee"),
        _may_have("category"),
        UniqueConstraint("key"),
    )
    op.create_index("ix_tickets_load", "tickets", ["project", "category", "assignee"])
    if op.get_context().dialect.name == "postgresql":
        op.execute("CREATE TABLE ticket_words (rowid INTEGER PRIMARY KEY, words TSVECTOR NOT NULL)")
        op.execute("CREATE INDEX ix_ticket_words_words ON ticket_words USING gin (words)")
    else:
        op.execute("CREATE VIRTUAL TABLE ticket_words USING fts5 (summary, description, tokenize = 'porter unicode61')")
    op.create_table("ticket_coverage", _key("project"), _has("lowest", Integer), _has("as_of", MOMENT))
