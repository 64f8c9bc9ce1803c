"""What mails have left behind, looked at one claim at a time: of two workers with the same mail only one goes on."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, func, insert, literal, or_, select

from integrations.sql.rows import AnyRow, case_name
from integrations.sql.schema import cases, thread_ids, traces
from triage.domain.traces import Trace

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
