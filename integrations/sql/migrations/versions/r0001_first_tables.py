"""The first tables. Names of keys and indexes follow the naming convention in `schema.py`."""

from typing import Any

from alembic import op
from sqlalchemy import Column, DateTime, Double, ForeignKey, Integer, LargeBinary, Text, UniqueConstraint

revision = "0001"
down_revision = None

MOMENT = DateTime(timezone=True)


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
    _what_came_in()
    _journal()
    _agents()
    _ledger()


def _what_came_in() -> None:
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
    op.create_table(
        "jobs",
        _case(primary_key=True, autoincrement=False),
        _has("state"),
        _may_have("due", MOMENT, index=True),
        _has("epoch", Integer),
        _has("attempts", Integer),
        _has("worker"),
        _has("trouble"),
    )


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
        UniqueConstraint("case_id", "tool", "arguments_hash"),
    )
    op.create_table(
        "thread_ids",
        _key("message_id"),
        _case(primary_key=True, autoincrement=False),
        _has("content"),
        _may_have("ticket"),
    )
    op.create_table("ticket_numbers", _key("project"), _has("highest", Integer))
    op.create_table("secrets", _key("name"), _has("value", LargeBinary))
