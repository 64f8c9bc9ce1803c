"""The port `Insights`: counts by day over the narrow rows of ended cases."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, case, func, select, union

from integrations.sql.database.decision_tables import approvals, corrections
from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, approval_of
from integrations.sql.database.schema import traces
from integrations.sql.database.ticket_tables import tickets
from integrations.sql.operations.facts import day_of
from integrations.sql.operations.tables import case_facts
from triage.domain.approvals import AMEND, Approval, ApprovalState
from triage.domain.operations.insights import Count, EndedCases, Facet, PersonLoad
from triage.domain.traces import Group

DECIDED: Final = (ApprovalState.ACCEPTED, ApprovalState.REJECTED, ApprovalState.ANSWERED, ApprovalState.EXPIRED)
_N: Final = func.count().label("n")
_ENDED: Final = (
    select(
        case_facts.c.day, case_facts.c.project, case_facts.c.seconds, *(case_facts.c[facet.value] for facet in Facet)
    )
    .where(case_facts.c.day.between(bindparam("first"), bindparam("last")))
    .order_by(case_facts.c.day, case_facts.c.project)
)
"""One pass over the rows: to group them by each facet, a database would sort them as often."""
_AMENDED: Final = (
    select(approvals)
    .where(approvals.c.tool == AMEND, approvals.c.state == ApprovalState.ACCEPTED)
    .order_by(approvals.c.id)
)
_CORRECTED: Final = (
    select(case_facts.c.day, case_facts.c.project, _N)
    .where(
        case_facts.c.case_id.in_(
            union(select(corrections.c.case_id), _AMENDED.with_only_columns(approvals.c.case_id).order_by(None))
        )
    )
    .group_by(case_facts.c.day, case_facts.c.project)
    .order_by(case_facts.c.day, case_facts.c.project)
)
"""Begins with the corrections, which are few, and takes each case once."""
_OPEN: Final = tickets.c.category.in_(["new", "indeterminate"]) & tickets.c.assignee.is_not(None)
_LOADS: Final = (
    select(
        func.max(tickets.c.id).label("newest"),
        func.sum(case((tickets.c.category == "new", 1), else_=0)).label("waiting"),
        func.sum(case((tickets.c.category == "indeterminate", 1), else_=0)).label("in_progress"),
    )
    .where(_OPEN)
    .group_by(tickets.c.assignee)
    .order_by(_N.desc(), tickets.c.assignee)
)


class SqlInsights(StorePart):
    """The port `Insights`: each method is one read-only transaction."""

    async def ended(self, first: date, last: date) -> tuple[EndedCases, ...]:
        """Ended cases of these days, counted as they are read."""

        def read(connection: Connection) -> tuple[EndedCases, ...]:
            rows = connection.execute(_ENDED, {"first": str(first), "last": str(last)})
            return tuple(_ended(group) for _, group in groupby(rows, key=itemgetter(0, 1)))

        return await self._database.read(read)

    async def corrected(self) -> tuple[Count, ...]:
        """Cases that a person has corrected, by the day of their mail, earliest first."""
        rows = await self._rows(_CORRECTED)
        return tuple(Count(date.fromisoformat(row.day), row.project, "", row.n) for row in rows)

    async def amended(self) -> tuple[Approval, ...]:
        return tuple(approval_of(row) for row in await self._rows(_AMENDED))

    async def decided(self, first: date) -> tuple[Count, ...]:
        edited = (approvals.c.state == ApprovalState.ACCEPTED) & (approvals.c.edited != "")
        how = case((edited, "edited"), else_=approvals.c.state).label("key")
        day = day_of(approvals.c.decided_at, postgres=self._database.postgres).label("day")
        wanted = (
            select(day, how, _N)
            .where(
                approvals.c.state.in_(DECIDED), approvals.c.tool != AMEND, approvals.c.decided_at >= _midnight(first)
            )
            .group_by(day, how)
        )
        return tuple(Count(date.fromisoformat(row.day), "", row.key, row.n) for row in await self._rows(wanted))

    async def held(self, first: date) -> tuple[Count, ...]:
        """Mails that a rate limit held, found by the index of each group."""
        day = day_of(traces.c.at, postgres=self._database.postgres).label("day")
        wanted = (
            select(day, traces.c.brake.label("key"), _N)
            .where(traces.c.brake.in_([group.value for group in Group]), traces.c.at >= _midnight(first))
            .group_by(day, traces.c.brake)
        )
        return tuple(Count(date.fromisoformat(row.day), "", row.key, row.n) for row in await self._rows(wanted))

    async def loads(self, limit: int) -> tuple[PersonLoad, ...]:
        """Open tickets of the busiest people, counted in the copy of Jira's tickets."""

        def read(connection: Connection) -> tuple[PersonLoad, ...]:
            rows = connection.execute(_LOADS.limit(limit)).all()
            newest = select(tickets.c.id, tickets.c.data).where(tickets.c.id.in_([row.newest for row in rows]))
            people = {row.id: row.data.assignee for row in connection.execute(newest) if row.data}
            return tuple(_load(row, people.get(row.newest)) for row in rows)

        return await self._database.read(read)

    async def _rows(self, statement: Select[Any] | Any, **values: object) -> Sequence[AnyRow]:
        return await self._database.read(lambda c: c.execute(statement, values).all())


def _ended(rows: Iterable[AnyRow]) -> EndedCases:
    """Count the rows of one day and project, column by column."""
    days, projects, seconds, *columns = zip(*rows, strict=True)
    return EndedCases(
        day=date.fromisoformat(days[0]),
        project=projects[0],
        counts={facet: Counter(filter(None, values)) for facet, values in zip(Facet, columns, strict=True)},
        seconds=tuple(one for one in seconds if one is not None),
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _load(row: AnyRow, person: Any) -> PersonLoad:
    name = str(person.name or person.id) if person else ""
    return PersonLoad(name or "unknown", int(row.waiting), int(row.in_progress))
