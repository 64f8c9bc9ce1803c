"""Floods of mails: counted, held by a brake, and told of, each mail once; one worker at a time holds and tells."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select, update

from integrations.sql.rows import AnyRow, case_name
from integrations.sql.schema import cases, jobs, traces
from integrations.sql.traces import lock
from triage.domain.traces import Crowd, Digest, Flood, Group, Held
from triage.domain.untrusted import Untrusted

MOST_SUBJECTS: Final = 20
LOOKED_AT: Final = 200
"""The latest mails of a digest, whose subjects are told."""

_BOTH: Final = traces.join(cases, cases.c.case_id == traces.c.case_id).join(jobs, jobs.c.case_id == traces.c.case_id)


def counts(connection: Connection, case: int, window: timedelta) -> dict[Group, int]:
    """Mails before this one, by group."""
    mine = _mine(connection, case)
    if mine is None:
        return {}
    return {group: _count(connection, _before(mine, group, window)) for group in Group if getattr(mine, group)}


def crowd(connection: Connection, case: int, group: Group, window: timedelta) -> Crowd:
    """Where those before this one ended."""
    mine = _mine(connection, case)
    if mine is None:
        return Crowd()
    before = _before(mine, group, window)
    order = (traces.c.at, traces.c.case_id)
    ended: Select[Any] = select(cases.c.ticket).select_from(_BOTH).where(before, cases.c.outcome.is_not(None))
    working = select(cases.c.case_id).select_from(_BOTH).where(before, cases.c.outcome.is_(None))
    busy = connection.scalar(working.where(jobs.c.due.is_not(None)).order_by(*order).limit(1))
    return Crowd(
        ticket=connection.scalar(ended.where(cases.c.ticket.is_not(None)).order_by(*order).limit(1)),
        busy=None if busy is None else case_name(busy),
    )


def hold(  # noqa: PLR0917 - what a digest is made of
    connection: Connection,
    case: int,
    group: Group,
    now: datetime,
    window: timedelta,
    every: int,
    apart: timedelta,
    at_once: int,
) -> Held:
    """Hold this mail, and say whether it is time to tell. Asked again it says the same."""
    lock(connection)
    mine = _mine(connection, case)
    if mine is None:
        return Held()
    connection.execute(update(traces).where(traces.c.case_id == case).values(brake=group))
    if mine.told_by is None:
        untold, last = _untold(mine, group, window), _last(connection, mine, group, window)
        soon = last is not None and (_count(connection, untold) < every or now - last < apart)
        if soon and not _new_matter(connection, mine, group, window, at_once):
            earlier = _count(connection, and_(untold, traces.c.case_id < case))
            return Held(collects=not earlier)
    return Held(digest=_told(connection, mine, group, now, window))


def _new_matter(connection: Connection, mine: AnyRow, group: Group, window: timedelta, at_once: int) -> bool:
    """No earlier mail of its group is like it under such a subject, and not too many were told of at once."""
    same = and_(traces.c.storm == mine.storm, traces.c.subject == mine.subject)
    if not at_once or _count(connection, and_(_before(mine, group, window), same)):
        return False
    told = select(func.count(traces.c.told_by.distinct())).where(_held(mine, group, window))
    return (connection.scalar(told) or 0) < at_once


def digest(connection: Connection, case: int, group: Group, now: datetime, window: timedelta) -> Digest | None:
    """Tell of all that is untold, unless somebody has told of this one. Asked again it says the same."""
    lock(connection)
    mine = _mine(connection, case)
    return None if mine is None else _told(connection, mine, group, now, window)


def _told(connection: Connection, mine: AnyRow, group: Group, now: datetime, window: timedelta) -> Digest | None:
    """Those that this case tells of, from now on."""
    if mine.told_by not in {None, mine.case_id}:
        return None
    last = _last(connection, mine, group, window)
    if mine.told_by is None:
        untold = update(traces).where(_untold(mine, group, window))
        connection.execute(untold.values(told_by=mine.case_id, told_at=now))
    span = select(func.count().label("n"), func.min(traces.c.at).label("since"), func.max(traces.c.at).label("until"))
    ours = traces.c.told_by == mine.case_id
    row = connection.execute(span.where(ours)).one()
    newest = (
        select(cases.c.subject).select_from(_BOTH).where(ours).order_by(traces.c.at.desc(), traces.c.case_id.desc())
    )
    subjects = [Untrusted(one) for one in connection.scalars(newest.limit(LOOKED_AT))]
    different = tuple(dict.fromkeys(reversed(subjects)))[-MOST_SUBJECTS:]
    return Digest(
        count=row.n,
        since=row.since,
        until=row.until,
        first=last is None,
        newest=next(iter(subjects), Untrusted("")),
        subjects=different,
    )


# --- for people -----------------------------------------------------------------------------------


def floods(connection: Connection, limit: int) -> tuple[Flood, ...]:
    """What brakes have held, the latest first."""
    found = [flood for group in Group for flood in _floods(connection, group, traces.c.brake == group, limit)]
    return tuple(sorted(found, key=lambda flood: flood.until, reverse=True)[:limit])


def flood_of(connection: Connection, case: int) -> Flood | None:
    """What the brake has held that holds this case, in its ticket."""
    mine = _mine(connection, case)
    if mine is None or not mine.brake:
        return None
    group = Group(mine.brake)
    ticket = connection.scalar(select(cases.c.ticket).where(cases.c.case_id == case))
    same = and_(traces.c.brake == group, traces.c[group] == getattr(mine, group), cases.c.ticket == ticket)
    return next(_floods(connection, group, same, 1), None)


def _floods(connection: Connection, group: Group, which: ColumnElement[bool], limit: int) -> Iterator[Flood]:
    latest = func.max(traces.c.case_id)
    due = func.min(jobs.c.due).filter(traces.c.told_by.is_(None), cases.c.outcome.is_not(None))
    rows = connection.execute(
        select(
            cases.c.ticket,
            func.count().label("held"),
            func.count(traces.c.told_by).label("told"),
            func.min(traces.c.at).label("since"),
            func.max(traces.c.at).label("until"),
            latest.label("latest"),
            due.label("due"),
        )
        .select_from(_BOTH)
        .where(which)
        .group_by(traces.c[group], cases.c.ticket)
        .order_by(latest.desc())
        .limit(limit)
    ).all()
    for row in rows:
        subject = connection.scalar(select(cases.c.subject).where(cases.c.case_id == row.latest))
        yield Flood(
            group=group,
            ticket=row.ticket or "",
            held=row.held,
            told=row.told,
            since=row.since,
            until=row.until,
            newest=Untrusted(subject or ""),
            case=case_name(row.latest),
            due=row.due,
        )


# --- which mails ----------------------------------------------------------------------------------


def _mine(connection: Connection, case: int) -> AnyRow | None:
    return connection.execute(select(traces).where(traces.c.case_id == case)).first()


def _before(mine: AnyRow, group: Group, window: timedelta) -> ColumnElement[bool]:
    """Mails of the same group within the window, in the order of their claims; doubles do not count."""
    earlier = or_(traces.c.at < mine.at, and_(traces.c.at == mine.at, traces.c.case_id < mine.case_id))
    same = and_(traces.c[group] == getattr(mine, group), traces.c.at > mine.at - window, traces.c.twin.is_(None))
    return and_(same, earlier)


def _held(mine: AnyRow, group: Group, window: timedelta) -> ColumnElement[bool]:
    """Mails that the same brake holds, within the window or later."""
    return and_(traces.c[group] == getattr(mine, group), traces.c.brake == group, traces.c.at > mine.at - window)


def _untold(mine: AnyRow, group: Group, window: timedelta) -> ColumnElement[bool]:
    return and_(_held(mine, group, window), traces.c.told_by.is_(None))


def _last(connection: Connection, mine: AnyRow, group: Group, window: timedelta) -> datetime | None:
    """When another one was told of last."""
    told = select(func.max(traces.c.told_at)).where(_held(mine, group, window), traces.c.told_by != mine.case_id)
    last: datetime | None = connection.scalar(told)
    return last


def _count(connection: Connection, where: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(traces).where(where)) or 0
