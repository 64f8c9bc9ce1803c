"""The port `McpLog`: sessions of MCP clients stand among the runs of agents, their calls among the tool results."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, bindparam, insert, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow
from integrations.sql.database.schema import agent_runs, tool_results
from integrations.sql.database.types import UtcDateTime
from triage.domain.conversation import RunStatus
from triage.domain.operations.mcp import McpCall

_RUN: Final[BindParameter[Any]] = bindparam("of_run")
_BEGIN: Final = insert(agent_runs)
_KEEP: Final = insert(tool_results)
_COUNT: Final = (
    update(agent_runs)
    .where(agent_runs.c.run == _RUN)
    .values(iterations=agent_runs.c.iterations + 1, ended_at=bindparam("now", type_=UtcDateTime))
)
PREFIX: Final = "mcp:"
IS_SESSION: Final[ColumnElement[bool]] = agent_runs.c.case_id.is_(None) & agent_runs.c.profile.startswith(PREFIX)
"""Runs that are sessions of MCP clients."""


class SqlMcpLog(StorePart):
    """The port `McpLog`: a row for each session and each call."""

    async def begin(self, run: str, server: str, client: str, at: datetime) -> None:
        """Record a session; its client stands where a run has its model."""
        row = {"run": run, "profile": server, "status": RunStatus.COMPLETED, "opening": (), "model": client}
        await self._database.write(lambda c: c.execute(_BEGIN, {**row, "started_at": at}))

    async def keep(self, call: McpCall) -> None:
        row = {"run": call.run, "call": f"{call.number:05}", "at": call.at, "tool": call.tool}
        row |= {"arguments": call.arguments, "result": call.outcome}

        def kept(connection: Any) -> None:
            connection.execute(_KEEP, row)
            connection.execute(_COUNT, {"of_run": call.run, "now": call.at})

        await self._database.write(kept)


def call_of(row: AnyRow) -> McpCall:
    """Return the call of a row with `profile` and `model` of its session."""
    return McpCall(
        run=row.run,
        number=int(row.call),
        at=row.at,
        server=row.profile.removeprefix(PREFIX),
        client=row.model,
        tool=row.tool,
        arguments=row.arguments,
        outcome=row.result,
    )
