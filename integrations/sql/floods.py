"""Queries for floods: mails that a rate limit held, for people."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, func, select

from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import cases, jobs, traces
from triage.domain.traces import Flood, Group
from triage.domain.untrusted import Untrusted

_BOTH: Final = traces.join(cases, cases.c.case_id == traces.c.case_id).join(jobs, jobs.c.case_id == traces.c.case_id)

_LATEST: Final = func.max(traces.c.case_id)
_FLOODS: Final = select(
    cases.c.ticket,
    func.count().label("held"),
    func.count(traces.c.told_by).label("reported"),
    func.min(traces.c.at).label("since"),
    func.max(traces.c.at).label("until"),
    _LATEST.label("latest"),
    func.min(jobs.c.due).filter(traces.c.told_by.is_(None), cases.c.outcome.is_not(None)).label("due"),
).select_from(_BOTH)


def floods(connection: Connection, limit: int) -> tuple[Flood, ...]:
    """Floods of all groups, latest first."""
    found = [flood for group in Group for flood in _floods(connection, group, traces.c.brake == group, limit)]
    return tuple(sorted(found, key=lambda flood: flood.until, reverse=True)[:limit])


def flood_of(connection: Connection, case: int) -> Flood | None:
    """The flood of the case's group and ticket, None if no rate limit holds the case."""
    mine = connection.execute(select(traces).where(traces.c.case_id == case)).first()
    if mine is None or not mine.brake:
        return None
    group = Group(mine.brake)
    ticket = connection.scalar(select(cases.c.ticket).where(cases.c.case_id == case))
    same = and_(
        traces.c.brake == group, traces.c[group] == getattr(mine, group), cases.c.ticket.is_not_distinct_from(ticket)
    )
    return next(_floods(connection, group, same, 1), None)


def _floods(connection: Connection, group: Group, which: ColumnElement[bool], limit: int) -> Iterator[Flood]:
    latest = _FLOODS.where(which).group_by(traces.c[group], cases.c.ticket).order_by(_LATEST.desc())
    rows = connection.execute(latest.limit(limit)).all()
    for row in rows:
        subject = connection.scalar(select(cases.c.subject).where(cases.c.case_id == row.latest))
        yield Flood(
            group=group,
            ticket=row.ticket or "",
            held=row.held,
            reported=row.reported,
            since=row.since,
            until=row.until,
            newest=Untrusted(subject or ""),
            case=case_name(row.latest),
            due=row.due,
        )
