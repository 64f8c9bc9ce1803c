"""Statements of the throttle: counts floods of mails and claims the summaries, under one lock per group."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select, update

from integrations.sql.rows import AnyRow, case_name
from integrations.sql.schema import cases, effects, jobs, traces
from integrations.sql.traces import lock
from triage.domain.cases import EffectState
from triage.domain.traces import SUMMARY, Digest, Flood, Group, GroupState, Subject, Summary, Throttled
from triage.domain.untrusted import Untrusted

SHOWN: Final = 20
"""Subjects that a summary names from the start of a flood, and as many from its end."""

_BOTH: Final = traces.join(cases, cases.c.case_id == traces.c.case_id).join(jobs, jobs.c.case_id == traces.c.case_id)


def counts(connection: Connection, case: int, window: timedelta) -> dict[Group, int]:
    """Mails before this one, by group."""
    mine = _mine(connection, case)
    if mine is None:
        return {}
    return {group: _count(connection, _before(mine, group, window)) for group in Group if getattr(mine, group)}


def group_state(connection: Connection, case: int, group: Group, window: timedelta) -> GroupState:
    """Where those before this one ended."""
    mine = _mine(connection, case)
    if mine is None:
        return GroupState()
    before = _before(mine, group, window)
    order = (traces.c.at, traces.c.case_id)
    ended: Select[Any] = select(cases.c.ticket).select_from(_BOTH).where(before, cases.c.outcome.is_not(None))
    working = select(cases.c.case_id).select_from(_BOTH).where(before, cases.c.outcome.is_(None))
    busy = connection.scalar(working.where(jobs.c.due.is_not(None)).order_by(*order).limit(1))
    return GroupState(
        ticket=connection.scalar(ended.where(cases.c.ticket.is_not(None)).order_by(*order).limit(1)),
        busy=None if busy is None else case_name(busy),
    )


def throttle(  # noqa: PLR0917 - what a digest is made of
    connection: Connection,
    case: int,
    group: Group,
    now: datetime,
    window: timedelta,
    every: int,
    apart: timedelta,
    at_once: int,
) -> Throttled:
    """Hold this mail, and say whether it is time to tell. Asked again it says the same."""
    lock(connection)
    mine = _mine(connection, case)
    if mine is None:
        return Throttled()
    connection.execute(update(traces).where(traces.c.case_id == case).values(brake=group))
    if mine.told_by is None:
        untold, last = _untold(mine, group, window), _last(connection, mine, group, window)
        soon = last is not None and (_count(connection, untold) < every or now - last < apart)
        if soon and not _new_matter(connection, mine, group, window, at_once):
            earlier = _count(connection, and_(untold, traces.c.case_id < case))
            return Throttled(collects=not earlier)
    return Throttled(digest=_told(connection, mine, group, now, window))


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
    return Digest(count=_count(connection, traces.c.told_by == mine.case_id), first=last is None)


def summary(connection: Connection, case: int, group: Group, ticket: str) -> Summary | None:
    """All that was told of in this ticket, by this case and others; what is still being worked on has no ticket yet."""
    mine = _mine(connection, case)
    if mine is None or not mine.brake:
        return None
    flood = and_(
        traces.c.brake == group,
        traces.c[group] == getattr(mine, group),
        traces.c.told_by.is_not(None),
        or_(cases.c.ticket == ticket, cases.c.ticket.is_(None)),
    )
    span = select(func.count().label("n"), func.min(traces.c.at).label("since"), func.max(traces.c.at).label("until"))
    row = connection.execute(span.select_from(_BOTH).where(flood)).one()
    if not row.n:
        return None
    different, subjects = _subjects(connection, flood)
    comment, writer = _comment(connection, flood, mine.case_id, ticket)
    return Summary(
        count=row.n,
        since=row.since,
        until=row.until,
        different=different,
        subjects=subjects,
        comment=comment,
        writer=writer,
    )


def _subjects(connection: Connection, flood: ColumnElement[bool]) -> tuple[int, tuple[Subject, ...]]:
    """How many different ones, and the first and the last of them."""
    first = func.min(cases.c.case_id)
    by_subject = (
        select(cases.c.subject, func.count().label("n"), first.label("first"), func.max(cases.c.case_id).label("last"))
        .select_from(_BOTH)
        .where(flood)
        .group_by(cases.c.subject)
    )
    number = connection.scalar(select(func.count()).select_from(by_subject.subquery())) or 0
    rows = [
        row for order in (first, first.desc()) for row in connection.execute(by_subject.order_by(order).limit(SHOWN))
    ]
    shown = {
        row.first: Subject(Untrusted(row.subject or ""), row.n, case_name(row.first), case_name(row.last))
        for row in rows
    }
    return number, tuple(shown[place] for place in sorted(shown))


def _comment(connection: Connection, flood: ColumnElement[bool], mine: int, ticket: str) -> tuple[str, str | None]:
    """The id of the flood's comment; where there is none yet, the earlier case that is about to write it."""
    tellers = select(traces.c.told_by).select_from(_BOTH).where(flood)
    written = and_(effects.c.kind == "comment", effects.c.target == ticket, effects.c.state == EffectState.DONE)
    ours = select(effects.c.result).where(
        effects.c.case_id.in_(tellers), effects.c.key.endswith(f":{SUMMARY}"), written
    )
    comment = connection.scalar(ours.order_by(effects.c.id.desc()).limit(1))
    if comment:
        return comment, None
    about_to = (
        select(cases.c.case_id)
        .select_from(cases.join(jobs, jobs.c.case_id == cases.c.case_id))
        .where(cases.c.case_id.in_(tellers), cases.c.outcome.is_(None), jobs.c.due.is_not(None))
    )
    earlier = connection.scalar(about_to.where(cases.c.case_id < mine).order_by(cases.c.case_id).limit(1))
    return "", None if earlier is None else case_name(earlier)


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
