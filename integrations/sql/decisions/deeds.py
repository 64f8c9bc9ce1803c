"""The port `DeedLog`: what Triage and people did, as the tables of writes, decisions, letters and changes have it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Select, Table, insert, select

from integrations.sql.database.decision_tables import approvals, corrections, letters
from integrations.sql.database.engine import TimedPart
from integrations.sql.database.rows import AnyRow, case_name, case_number
from integrations.sql.database.schema import effects
from integrations.sql.operations.audit import between, case_of
from integrations.sql.operations.tables import changes
from triage.domain.operations.audit import AuditFilter, Deed


@dataclass(frozen=True, slots=True)
class _Source:
    """A table with deeds."""

    table: Table
    at: Column[Any]
    """When it was done; NULL: not yet."""
    newest: Column[Any]
    deed: Callable[[AnyRow], Deed]
    by: Column[Any] | None = None
    """The person; empty: Triage itself. None: no person does such things."""

    def wanted(self, where: AuditFilter, limit: int, *, people: bool) -> Select[Any]:
        """Return the question for the newest rows."""
        found = select(self.table).where(self.at.is_not(None), *between(self.at, where))
        if people and self.by is not None:
            found = found.where(self.by != "")
        if where.case:
            found = found.where(self.table.c.case_id == case_number(where.case))
        return found.order_by(self.newest.desc()).limit(limit)


class SqlDeeds(TimedPart):
    """The port `DeedLog`: each method is one transaction."""

    async def deeds(self, where: AuditFilter, limit: int, *, people: bool = False) -> tuple[Deed, ...]:
        """What was done, newest first."""
        if where.profile:
            return ()

        def read(connection: Connection) -> list[Deed]:
            sources = [one for one in _SOURCES if one.by is not None or not people]
            return [
                one.deed(row) for one in sources for row in connection.execute(one.wanted(where, limit, people=people))
            ]

        found = await self._database.read(read)
        return tuple(sorted(found, key=lambda one: one.at, reverse=True)[:limit])

    async def record(self, kind: str, by: str, detail: str, case: str = "") -> None:
        number = case_number(case) if case else None
        row = {"at": self._clock.now(), "case_id": number, "kind": kind, "made_by": by, "detail": detail}
        await self._database.write(lambda c: c.execute(insert(changes), row))


def _write(row: AnyRow) -> Deed:
    made = row.result if row.kind == "create" and row.state == "done" else ""
    return Deed(
        at=row.settled_at,
        case=case_name(row.case_id),
        kind=row.kind,
        state=row.state,
        ticket=row.target or made,
        detail=row.note,
    )


def _decision(row: AnyRow) -> Deed:
    return Deed(
        at=row.decided_at,
        case=case_name(row.case_id),
        by=row.decided_by,
        kind="approval",
        state=row.state,
        ticket=row.ticket,
        detail=f"{row.field or row.tool}: {row.was} → {row.becomes}" if row.becomes else row.tool,
    )


def _correction(row: AnyRow) -> Deed:
    return Deed(
        at=row.made_at,
        case=case_name(row.case_id),
        by=row.made_by,
        kind="correction",
        state=row.disposition,
        ticket=row.ticket,
        detail=f"it was {row.was}" if row.was else "",
    )


def _letter(row: AnyRow) -> Deed:
    return Deed(
        at=row.started_at,
        case=case_name(row.case_id),
        by=row.decided_by,
        kind="letter",
        state=row.state,
        detail=f"{row.data.kind} to {row.person}",
    )


def _change(row: AnyRow) -> Deed:
    return Deed(at=row.at, case=case_of(row), by=row.made_by, kind=row.kind, detail=row.detail)


# Writes and letters are many, and in the order of time; few approvals are, and they are decided in any order.
_SOURCES: Final = (
    _Source(effects, effects.c.settled_at, effects.c.id, _write),
    _Source(letters, letters.c.started_at, letters.c.id, _letter, letters.c.decided_by),
    _Source(approvals, approvals.c.decided_at, approvals.c.decided_at, _decision, approvals.c.decided_by),
    _Source(corrections, corrections.c.made_at, corrections.c.id, _correction, corrections.c.made_by),
    _Source(changes, changes.c.at, changes.c.at, _change, changes.c.made_by),
)
