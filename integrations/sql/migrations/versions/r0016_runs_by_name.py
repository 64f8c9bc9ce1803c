"""An agent run has a name of its own, such as `case-17/1`, since it may be about something else than a case."""

from typing import Any, Final

from alembic import op
from sqlalchemy import Column, DateTime, Double, ForeignKey, Integer, Text

revision = "0016"
down_revision = "0015"

MOMENT: Final = DateTime(timezone=True)
TEXTS: Final = {
    "agent_runs": ("profile", "status", "opening", "tool_calls_log", "final_message", "model", "usage", "error"),
    "llm_calls": ("call_type", "model", "answer"),
    "tool_results": ("tool", "arguments", "result"),
}
NAMED: Final = "'case-' || case_id || '/' || run"
NUMBER: Final = "CAST(substr({table}.run, length('case-' || case_id || '/') + 1) AS INTEGER)"


def upgrade() -> None:
    """Make the three tables anew and carry every row over."""
    rows = {table: _set_aside(table, f"*, {NAMED} AS name") for table in TEXTS}
    op.create_table(
        "agent_runs",
        Column("run", Text, primary_key=True, nullable=False),
        Column("case_id", Integer, ForeignKey("mails.id"), index=True),
        *_of("agent_runs"),
    )
    op.create_table("llm_calls", Column("run", Text, primary_key=True, nullable=False), *_of("llm_calls"))
    op.create_table("tool_results", Column("run", Text, primary_key=True, nullable=False), *_of("tool_results"))
    for table, aside in rows.items():
        columns = [column.name for column in _of(table)] + (["case_id"] if table == "agent_runs" else [])
        _carry(table, ["run", *columns], aside, ["name", *columns])
        op.execute(f"DROP TABLE {aside}")


def _of(table: str) -> list[Column[Any]]:
    """The columns that stay as they were."""
    texts = [Column(name, Text, nullable=False) for name in TEXTS[table]]
    if table == "agent_runs":
        return [
            *texts,
            Column("iterations", Integer, nullable=False),
            Column("started_at", MOMENT, nullable=False),
            Column("ended_at", MOMENT),
        ]
    at = Column("at", MOMENT, nullable=False)
    if table == "tool_results":
        return [Column("call", Text, primary_key=True, nullable=False), at, *texts]
    return [
        Column("number", Integer, primary_key=True, autoincrement=False, nullable=False),
        at,
        *texts,
        Column("input_tokens", Integer, nullable=False),
        Column("output_tokens", Integer, nullable=False),
        Column("cost_usd", Double),
        Column("ms", Double, nullable=False),
    ]


def _set_aside(table: str, what: str, where: str = "1 = 1") -> str:
    """The rows in a table that is gone with the connection; the names of keys are free again for the new table."""
    op.execute(f"CREATE TEMPORARY TABLE old_{table} AS SELECT {what} FROM {table} WHERE {where}")  # noqa: S608 - ours
    op.drop_table(table)
    return f"old_{table}"


def _carry(table: str, into: list[str], source: str, asked: list[str]) -> None:
    op.execute(f"INSERT INTO {table} ({', '.join(into)}) SELECT {', '.join(asked)} FROM {source}")  # noqa: S608 - ours
