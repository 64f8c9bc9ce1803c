"""What mails have left behind, looked at one claim at a time: of two workers with the same mail only one goes on."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, func, insert, literal, or_, select, update

from integrations.sql.rows import AnyRow, case_name
from integrations.sql.schema import cases, jobs, thread_ids, traces
from triage.domain.traces import Crowd, Digest, Group, Trace

LOCK: Final = 0x7472_6163_6573  # "traces"
COLUMNS: Final = ("content", "message_id", "dated", "sender", "thread", "storm", "topic")


def lock(connection: Connection) -> None:
    """One at a time; SQLite's transactions are that already."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))


def claim(connection: Connection, case: int, trace: Trace, now: datetime, window: timedelta) -> str | None:
    """Leave the trace, once; the case that came first with the same mail."""
    lock(connection)
    left = connection.execute(select(traces.c.twin).where(traces.c.case_id == case)).first()
    if left is None:
        twin = _twin(connection, case, trace, now - window)
        keys: dict[str, Any] = {name: getattr(trace, name) for name in COLUMNS}
        connection.execute(insert(traces).values(case_id=case, at=now, twin=twin, brake="", **keys))
    else:
        twin = left.twin
    return None if twin is None else case_name(twin)


def _twin(connection: Connection, case: int, trace: Trace, since: datetime) -> int | None:
    """By content lately, or by content and Message-ID at any time; a double is nobody's twin."""
    same_id = or_(traces.c.message_id == trace.message_id, traces.c.message_id == "", literal(trace.message_id == ""))
    lately = select(func.min(traces.c.case_id)).where(
        traces.c.content == trace.content,
        traces.c.at > since,
        traces.c.case_id != case,
        traces.c.twin.is_(None),
        or_(same_id, and_(traces.c.dated, literal(trace.dated))),
    )
    ever = (
        select(func.min(thread_ids.c.case_id))
        .select_from(thread_ids.outerjoin(traces, traces.c.case_id == thread_ids.c.case_id))
        .where(thread_ids.c.message_id == trace.message_id, thread_ids.c.content == trace.content)
        .where(thread_ids.c.case_id != case, traces.c.twin.is_(None))
        # What a version without traces has linked came first if its number says so.
        .where(or_(traces.c.case_id.is_not(None), thread_ids.c.case_id < case))
    )
    found: int | None = connection.scalar(lately)
    return connection.scalar(ever) if found is None and trace.message_id else found


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
    both = traces.join(cases, cases.c.case_id == traces.c.case_id).join(jobs, jobs.c.case_id == traces.c.case_id)
    order = (traces.c.at, traces.c.case_id)
    ended: Select[Any] = select(cases.c.ticket).select_from(both).where(before, cases.c.outcome.is_not(None))
    working = select(cases.c.case_id).select_from(both).where(before, cases.c.outcome.is_(None))
    busy = connection.scalar(working.where(jobs.c.due.is_not(None)).order_by(*order).limit(1))
    return Crowd(
        ticket=connection.scalar(ended.where(cases.c.ticket.is_not(None)).order_by(*order).limit(1)),
        busy=None if busy is None else case_name(busy),
    )


def digest(  # noqa: PLR0917 - what a digest is made of
    connection: Connection, case: int, group: Group, now: datetime, window: timedelta, every: int, apart: timedelta
) -> Digest | None:
    """Hold this mail; what to tell of the held ones where it is time to. Asked again it says the same."""
    lock(connection)
    mine = _mine(connection, case)
    if mine is None:
        return None
    connection.execute(update(traces).where(traces.c.case_id == case).values(brake=group))
    held = and_(traces.c[group] == getattr(mine, group), traces.c.brake == group, traces.c.at > mine.at - window)
    last = connection.scalar(select(func.max(traces.c.told_at)).where(held, traces.c.told_by != case))
    if mine.told_by != case:
        untold = and_(held, traces.c.told_by.is_(None))
        due = last is None or (_count(connection, untold) >= every and now - last >= apart)
        if mine.told_by is not None or not due:
            return None
        connection.execute(update(traces).where(untold).values(told_by=case, told_at=now))
    span = select(func.count().label("n"), func.min(traces.c.at).label("since"), func.max(traces.c.at).label("until"))
    row = connection.execute(span.where(traces.c.told_by == case)).one()
    return Digest(count=row.n, since=row.since, until=row.until, first=last is None)


def follow_up(connection: Connection, case: int, window: timedelta) -> str | None:
    """The ticket of the latest mail by the same proven sender on the same subject."""
    mine = _mine(connection, case)
    if mine is None or not mine.topic:
        return None
    found: str | None = connection.scalar(
        select(cases.c.ticket)
        .select_from(traces.join(cases, cases.c.case_id == traces.c.case_id))
        .where(traces.c.topic == mine.topic, traces.c.at > mine.at - window, traces.c.case_id != case)
        .where(cases.c.ticket.is_not(None))
        .order_by(traces.c.at.desc(), traces.c.case_id.desc())
        .limit(1)
    )
    return found


def _mine(connection: Connection, case: int) -> AnyRow | None:
    return connection.execute(select(traces).where(traces.c.case_id == case)).first()


def _before(mine: AnyRow, group: Group, window: timedelta) -> ColumnElement[bool]:
    """Mails of the same group within the window, in the order of their claims; doubles do not count."""
    earlier = or_(traces.c.at < mine.at, and_(traces.c.at == mine.at, traces.c.case_id < mine.case_id))
    same = and_(traces.c[group] == getattr(mine, group), traces.c.at > mine.at - window, traces.c.twin.is_(None))
    return and_(same, earlier)


def _count(connection: Connection, where: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(traces).where(where)) or 0
