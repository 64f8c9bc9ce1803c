"""The audit of some days and the cost of a month are read without reading all answers ever given."""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Index the times."""
    op.create_index("ix_llm_calls_at", "llm_calls", ["at", "cost_usd", "input_tokens", "output_tokens"])
    op.create_index("ix_agent_runs_started_at", "agent_runs", ["started_at"])
