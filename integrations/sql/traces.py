"""Statements of fingerprints: of two workers with the same mail only one goes on."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, func, insert, literal, or_, select, update

from integrations.sql.rows import AnyRow, case_name
from integrations.sql.schema import cases, thread_ids, traces
from triage.domain.traces import Copy, Fingerprint, Sketch

LOCK: Final = 0x7472_6163_6573  # "traces"
COLUMNS: Final = (
    "content",
    "message_id",
    "dated",
    "sender",
    "thread",
    "storm",
    "topic",
    "subject",
    "answers",
    "believed",
)
MOST_COPIES: Final = 10
MOST_FLOCKS: Final = 300
"""Different mails of the last hour that a new one is compared with."""


def lock(connection: Connection) -> None:
    """One at a time; SQLite's transactions are that already."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))


def claim(
    connection: Connection, case: int, trace: Fingerprint, now: datetime, window: timedelta, also: Sequence[int]
) -> Copy | None:
    """Leave the trace, once; the case that came first with the same mail, as `also` are known to have."""
    lock(connection)
    left = _mine(connection, case)
    if left is None:
        found = _copies(connection, case, trace, now - window, also)
        twin, rival = _first(found, trace)
        keys: dict[str, Any] = {name: getattr(trace, name) for name in COLUMNS}
        keys |= _flock(connection, case, trace, now - window)
        connection.execute(insert(traces).values(case_id=case, at=now, twin=twin, rival=rival, brake="", **keys))
        if rival is not None:
            others = [row.case_id for row in found]
            connection.execute(update(traces).where(traces.c.case_id.in_(others)).values(rival=case))
    else:
        twin, rival = left.twin, left.rival if left.twin is None and _outranks(connection, left) else None
    first = rival if twin is None else twin
    return None if first is None else Copy(case=case_name(first), outranked=twin is None)


def _flock(connection: Connection, case: int, trace: Fingerprint, since: datetime) -> dict[str, str]:
    """The mails that this one is like: under the name of the first of them, or, as the first, with its words.

    A verified sender's mails are compared with his own, so that nobody who sends the like can use up what is his.
    """
    if trace.sketch is None:
        return {}
    known = connection.scalar(
        select(traces.c.case_id)
        .where(traces.c.sender == trace.sender, traces.c.sender != "", traces.c.at <= since, traces.c.brake == "")
        .limit(1)
    )
    scope = trace.sender if trace.proven and known else ""
    first = (
        select(traces.c.storm, traces.c.sketch)
        .where(traces.c.scope == scope, traces.c.at > since, traces.c.sketch != "")
        .order_by(traces.c.at.desc(), traces.c.case_id.desc())
        .limit(MOST_FLOCKS)
    )
    alike = next((row.storm for row in connection.execute(first) if trace.sketch.like(Sketch.of(row.sketch))), None)
    storm = alike or f"like {case_name(case)}"
    own = {} if alike else {"scope": scope, "sketch": str(trace.sketch)}
    return {"storm": storm, "newcomers": "" if known else storm, **own}


def copies(connection: Connection, case: int, message_id: str) -> tuple[str, ...]:
    """The other cases whose mails came under this id; a double stands for nothing of its own."""
    rows = connection.scalars(
        select(thread_ids.c.case_id)
        .join(traces, traces.c.case_id == thread_ids.c.case_id)
        .where(thread_ids.c.message_id == message_id, thread_ids.c.case_id != case, traces.c.twin.is_(None))
        .order_by(thread_ids.c.case_id)
        .limit(MOST_COPIES)
    )
    return tuple(case_name(number) for number in rows)


def _first(found: Sequence[AnyRow], trace: Fingerprint) -> tuple[int | None, int | None]:
    """The first copy that is believed as much as this mail, or else, as its rival, the first that is believed less."""
    alike = next((row.case_id for row in found if row.believed is None or row.believed >= trace.believed), None)
    return alike, None if alike is not None else next((row.case_id for row in found), None)


def _outranks(connection: Connection, mine: AnyRow) -> bool:
    """Its rival was believed less."""
    if mine.rival is None:
        return False
    other: int | None = connection.scalar(select(traces.c.believed).where(traces.c.case_id == mine.rival))
    return (other or 0) < (mine.believed or 0)


def _copies(
    connection: Connection, case: int, trace: Fingerprint, since: datetime, also: Sequence[int]
) -> list[AnyRow]:
    """By content lately, or by content and Message-ID at any time, in answer to the same; a double is nobody's twin."""
    same_id = or_(traces.c.message_id == trace.message_id, traces.c.message_id == "", literal(trace.message_id == ""))
    others = and_(
        traces.c.case_id != case,
        traces.c.twin.is_(None),
        or_(traces.c.answers.is_(None), traces.c.answers == trace.answers),
    )
    lately = select(traces.c.case_id, traces.c.believed).where(
        traces.c.content == trace.content,
        traces.c.at > since,
        others,
        or_(same_id, and_(traces.c.dated, literal(trace.dated))),
    )
    known = select(traces.c.case_id, traces.c.believed).where(traces.c.case_id.in_(also), others)
    ever = (
        select(thread_ids.c.case_id, traces.c.believed)
        .select_from(thread_ids.outerjoin(traces, traces.c.case_id == thread_ids.c.case_id))
        .where(thread_ids.c.message_id == trace.message_id, thread_ids.c.content == trace.content)
        # What a version without traces has linked came first if its number says so.
        .where(or_(others, and_(traces.c.case_id.is_(None), thread_ids.c.case_id < case)))
        .where(thread_ids.c.case_id != case, literal(bool(trace.message_id)))
    )
    rows = [row for which in (lately, known, ever) for row in connection.execute(which)]
    return sorted({row.case_id: row for row in rows}.values(), key=lambda row: row.case_id)


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
