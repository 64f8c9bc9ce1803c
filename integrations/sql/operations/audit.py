"""The port `AuditLog`: runs, model answers, events, and what they cost."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Executable, bindparam, case, func, select

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, case_name, case_number, noun_of
from integrations.sql.database.schema import agent_runs, email_events, llm_calls, mails, tool_results
from integrations.sql.database.types import UtcDateTime
from integrations.sql.operations.facts import day_of
from integrations.sql.operations.mcp_log import IS_SESSION, call_of
from triage.domain.operations.audit import AuditFilter, CallAudit, CaseEvent, DayCount, RunAudit, Spent
from triage.domain.operations.mcp import McpCall

PLAYBOOK: Final = "playbook"
"""Name of the rules in the journal, where they stand in for a model."""
_BOTH: Final = llm_calls.join(agent_runs, agent_runs.c.run == llm_calls.c.run)
_TOKENS: Final = llm_calls.c.input_tokens + llm_calls.c.output_tokens
_UNPRICED: Final = func.sum(case((llm_calls.c.cost_usd.is_(None) & (_TOKENS > 0), 1), else_=0))
ASKED: Final = (llm_calls.c.model != PLAYBOOK) | (llm_calls.c.cost_usd > 0)
"""Answers of models, without those of the rules."""
_COST: Final = func.coalesce(func.sum(llm_calls.c.cost_usd), 0.0)
_SINCE: Final = bindparam("since", type_=UtcDateTime)
_SPENT: Final = select(_COST.label("cost"), func.coalesce(_UNPRICED, 0).label("unpriced")).where(
    llm_calls.c.at >= _SINCE
)
_LAST: Final = select(func.max(email_events.c.id))
_AFTER: Final = (
    select(email_events)
    .where(email_events.c.id > bindparam("after"), email_events.c.at < bindparam("until", type_=UtcDateTime))
    .order_by(email_events.c.id)
    .limit(bindparam("most"))
)


class SqlAudit(StorePart):
    """The port `AuditLog`: each method is one read-only transaction."""

    async def runs(self, where: AuditFilter, limit: int) -> tuple[RunAudit, ...]:
        wanted = select(agent_runs).where(*_of_runs(where), *between(agent_runs.c.started_at, where))
        return tuple(
            noun_of(RunAudit, row, case=case_of(row))
            for row in await self._rows(wanted.order_by(agent_runs.c.started_at.desc()).limit(limit))
        )

    async def calls(self, where: AuditFilter, limit: int) -> tuple[CallAudit, ...]:
        wanted = select(llm_calls, agent_runs.c.case_id).select_from(_BOTH)
        wanted = wanted.where(*_of_runs(where), *between(llm_calls.c.at, where))
        return tuple(_call(row) for row in await self._rows(wanted.order_by(llm_calls.c.at.desc()).limit(limit)))

    async def events(self, where: AuditFilter, limit: int) -> tuple[CaseEvent, ...]:
        if where.profile:
            return ()
        wanted = select(email_events).where(*between(email_events.c.at, where))
        if where.case:
            wanted = wanted.where(email_events.c.case_id == case_number(where.case))
        elif where.since:
            wanted = wanted.where(email_events.c.id > last_before(email_events.c.id, email_events.c.at, where.since))
        return tuple(_event(row) for row in await self._rows(wanted.order_by(email_events.c.id.desc()).limit(limit)))

    async def events_after(self, number: int, until: datetime, limit: int) -> tuple[CaseEvent, ...]:
        values = {"after": number, "until": until, "most": limit}
        rows = await self._database.read(lambda c: c.execute(_AFTER, values).all())
        return tuple(_event(row) for row in rows)

    async def last_event(self) -> int:
        return await self._database.read(lambda c: c.scalar(_LAST)) or 0

    async def spending(self, where: AuditFilter) -> tuple[Spent, ...]:
        day = day_of(llm_calls.c.at, postgres=self._database.postgres).label("day")
        keys = (day, agent_runs.c.profile, llm_calls.c.model)
        wanted = (
            select(
                *keys,
                func.count().label("calls"),
                func.sum(llm_calls.c.input_tokens).label("input_tokens"),
                func.sum(llm_calls.c.output_tokens).label("output_tokens"),
                _COST.label("cost_usd"),
                _UNPRICED.label("unpriced"),
            )
            .select_from(_BOTH)
            .where(ASKED, *_of_runs(where), *between(llm_calls.c.at, where))
            .group_by(*keys)
            .order_by(day.desc(), agent_runs.c.profile, llm_calls.c.model)
        )
        return tuple(
            Spent(**{**row._mapping, "day": date.fromisoformat(row.day)})  # noqa: SLF001 - public in SQLAlchemy
            for row in await self._rows(wanted)
        )

    async def spent(self, since: datetime) -> tuple[float, int]:
        row = await self._database.read(lambda c: c.execute(_SPENT, {"since": since}).one())
        return float(row.cost), int(row.unpriced)

    async def mails_by_day(self, since: datetime) -> tuple[DayCount, ...]:
        day = day_of(mails.c.accepted_at, postgres=self._database.postgres).label("day")
        wanted = select(day, func.count().label("n")).where(
            mails.c.id > last_before(mails.c.id, mails.c.accepted_at, since)
        )
        rows = await self._rows(wanted.group_by(day).order_by(day.desc()))
        return tuple(DayCount(day=date.fromisoformat(row.day), mails=row.n) for row in rows)

    async def mcp_calls(self, where: AuditFilter, limit: int) -> tuple[McpCall, ...]:
        if where.case:
            return ()
        wanted = select(tool_results, agent_runs.c.profile, agent_runs.c.model).join(
            agent_runs, agent_runs.c.run == tool_results.c.run
        )
        wanted = wanted.where(IS_SESSION, *_of_runs(where), *between(tool_results.c.at, where))
        rows = await self._rows(wanted.order_by(tool_results.c.at.desc(), tool_results.c.call.desc()).limit(limit))
        return tuple(map(call_of, rows))

    async def _rows(self, statement: Executable) -> list[AnyRow]:
        return await self._database.read(lambda c: list(c.execute(statement).all()))


def _of_runs(where: AuditFilter) -> Iterator[ColumnElement[bool]]:
    if where.case:
        yield agent_runs.c.case_id == case_number(where.case)
    if where.profile:
        yield agent_runs.c.profile == where.profile


def between(at: Column[Any], where: AuditFilter) -> Iterator[ColumnElement[bool]]:
    """Yield what the filter asks of a time."""
    if where.since:
        yield at >= where.since
    if where.until:
        yield at < where.until


def last_before(number: Column[Any], at: Column[Any], since: datetime) -> ColumnElement[int]:
    """Number of the newest row before this time: rows are in the order of time, so only newer ones are read to find it."""
    newest = select(number).where(at < since).order_by(number.desc()).limit(1)
    return func.coalesce(newest.scalar_subquery(), 0)


def case_of(row: AnyRow) -> str:
    """Name of the row's case; empty if it has none."""
    return "" if row.case_id is None else case_name(row.case_id)


def _call(row: AnyRow) -> CallAudit:
    return noun_of(CallAudit, row, case=case_of(row))


def _event(row: AnyRow) -> CaseEvent:
    return noun_of(CaseEvent, row, case=case_of(row))
