"""Finds earlier copies of a mail: one claim at a time, so that of two workers with the same mail only one goes on."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Boolean,
    Connection,
    Integer,
    Text,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    union_all,
    update,
)

from integrations.sql.database.engine import insert_once
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import AnyRow, case_name
from integrations.sql.database.schema import cases, thread_ids, traces
from integrations.sql.database.types import IndexedText, UtcDateTime, hashed, indexable
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
MOST_TICKETS: Final = 10
MOST_FLOCKS: Final = 300
"""Groups of alike mails within the window that a new mail is compared with, latest first."""

MINE: Final = select(traces).where(traces.c.case_id == JOB)
"""This case's fingerprint."""
_SINCE: Final[BindParameter[Any]] = bindparam("since", type_=UtcDateTime)
_CONTENT: Final[BindParameter[Any]] = bindparam("content", type_=Text)
_MESSAGE_ID: Final[BindParameter[Any]] = bindparam("message_id", type_=IndexedText)
_HASHED_ID: Final[BindParameter[Any]] = bindparam("hashed_id", type_=IndexedText)
"""The same as it stands in the rows of a person who is forgotten."""
_ALONE: Final = select(func.pg_advisory_xact_lock(LOCK))
_RIVAL: Final = (
    update(traces).where(traces.c.case_id.in_(bindparam("others", expanding=True))).values(rival=bindparam("by"))
)
_KNOWN_SENDER: Final = (
    select(traces.c.case_id)
    .where(traces.c.sender == bindparam("sender"), traces.c.sender != "", traces.c.at <= _SINCE)
    .where(func.coalesce(traces.c.brake, "") == "")  # not by its index: nearly every mail has none
    .limit(1)
)
_COPIES: Final = (
    select(thread_ids.c.case_id)
    .join(traces, traces.c.case_id == thread_ids.c.case_id)
    .where(thread_ids.c.message_id == _MESSAGE_ID, thread_ids.c.case_id != JOB, traces.c.twin.is_(None))
    .order_by(thread_ids.c.case_id)
    .limit(MOST_COPIES)
)
_BELIEVED: Final = select(traces.c.believed).where(traces.c.case_id == JOB)
_OTHERS: Final = and_(
    traces.c.case_id != JOB,
    traces.c.twin.is_(None),
    or_(traces.c.answers.is_(None), traces.c.answers == bindparam("answers")),
)
"""Mails that answer the same mails, without duplicates: a duplicate is never the first of its copies."""
_NAMED: Final = _MESSAGE_ID != ""
_COPY: Final = (
    traces.c.case_id,
    traces.c.believed,
    literal(None, Text).label("storm"),
    literal(None, Text).label("sketch"),
)
_LATELY: Final = select(*_COPY).where(
    traces.c.content == _CONTENT,
    traces.c.at > _SINCE,
    _OTHERS,
    or_(
        traces.c.message_id.in_((_MESSAGE_ID, _HASHED_ID, "")),
        ~_NAMED,
        and_(traces.c.dated, bindparam("dated", type_=Boolean)),
    ),
)
_ALSO: Final = select(*_COPY).where(traces.c.case_id.in_(bindparam("also", expanding=True)), _OTHERS)
_EVER: Final = (
    select(thread_ids.c.case_id, *_COPY[1:])
    .select_from(thread_ids.outerjoin(traces, traces.c.case_id == thread_ids.c.case_id))
    .where(thread_ids.c.message_id.in_((_MESSAGE_ID, _HASHED_ID)), thread_ids.c.content == _CONTENT)
    # Mails linked by a version without fingerprints count as earlier if their number is lower.
    .where(or_(_OTHERS, and_(traces.c.case_id.is_(None), thread_ids.c.case_id < JOB)))
    .where(thread_ids.c.case_id != JOB)
)
_FLOCKS: Final = (
    select(traces.c.case_id, literal(None, Integer).label("believed"), traces.c.storm, traces.c.sketch)
    .where(traces.c.scope == bindparam("scope"), traces.c.at > _SINCE, traces.c.sketch != "")
    .order_by(traces.c.at.desc(), traces.c.case_id.desc())
    .limit(MOST_FLOCKS)
    .subquery()
)
"""The first mail of each group of alike mails within the window."""
_BEFORE: Final = union_all(_LATELY, _EVER, select(_FLOCKS))
"""One statement, since all other claims wait for it: copies, which have no sketch, and first mails of groups."""
_TICKETS: Final = (
    select(cases.c.ticket)
    .select_from(traces.join(cases, cases.c.case_id == traces.c.case_id))
    .where(traces.c.at > _SINCE, traces.c.case_id != JOB, cases.c.ticket.is_not(None))
    .order_by(traces.c.at.desc(), traces.c.case_id.desc())
    .limit(MOST_TICKETS)
)
_EARLIER: Final = {name: _TICKETS.where(traces.c[name] == bindparam("key")) for name in ("topic", "sender")}

_sketch: Final = lru_cache(maxsize=2 * MOST_FLOCKS)(Sketch.of)
"""To parse those of all groups again for each mail took three times as long as to compare them."""


def lock(connection: Connection) -> None:
    """Take PostgreSQL's lock for claims; SQLite's write transactions exclude each other anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ALONE)


def left_by(connection: Connection, case: int) -> AnyRow | None:
    """A case's fingerprint row, None if it has none."""
    return connection.execute(MINE, {"job": case}).first()


def claim(
    connection: Connection, case: int, trace: Fingerprint, now: datetime, window: timedelta, also: Sequence[int]
) -> Copy | None:
    """Store the fingerprint, once; return the first case with the same mail. `also` are cases known to have it.

    Every other claim waits from the lock to the commit: there is no statement more between them than must be.
    """
    ids = {"message_id": trace.message_id, "hashed_id": hashed(indexable(trace.message_id))}
    asked = {"job": case, "answers": trace.answers, "content": trace.content, "since": now - window, **ids}
    known = _known(connection, trace, now - window)
    named = connection.execute(_ALSO, {**asked, "also": also}).all() if also else ()
    scope = trace.sender if trace.proven and known else ""
    lock(connection)
    before = connection.execute(_BEFORE, {**asked, "dated": trace.dated, "scope": scope}).all()
    found = _in_order((*named, *(row for row in before if row.sketch is None)))
    twin, rival = _first(found, trace)
    keys: dict[str, Any] = {name: getattr(trace, name) for name in COLUMNS}
    keys |= _flock(case, trace, [row for row in before if row.sketch is not None], scope, known=known)
    leave = insert_once(traces, postgres=connection.dialect.name == "postgresql")
    row = {"case_id": case, "at": now, "twin": twin, "rival": rival, "brake": "", **keys}
    if not connection.execute(leave, row).rowcount:
        twin, rival = _left(connection, case)
    elif rival is not None:
        connection.execute(_RIVAL, {"others": [row.case_id for row in found], "by": case})
    first = rival if twin is None else twin
    return None if first is None else Copy(case=case_name(first), outranked=twin is None)


def _known(connection: Connection, trace: Fingerprint, since: datetime) -> bool:
    """Whether mails under the sender's name came before the window."""
    return connection.scalar(_KNOWN_SENDER, {"sender": trace.sender, "since": since}) is not None


def _flock(case: int, trace: Fingerprint, first: Sequence[AnyRow], scope: str, *, known: bool) -> dict[str, str]:
    """The columns of this mail's group of alike mails: an existing group's key, or a new key with this mail's sketch.

    A known verified sender's mails are compared only with its own, so that similar mails of others do not count for it.
    """
    if trace.sketch is None:
        return {}
    alike = next((row.storm for row in first if trace.sketch.like(_sketch(row.sketch))), None)
    storm = alike or f"like {case_name(case)}"
    own = {} if alike else {"scope": scope, "sketch": str(trace.sketch)}
    return {"storm": storm, "newcomers": "" if known else storm, **own}


def copies(connection: Connection, case: int, message_id: str) -> tuple[str, ...]:
    """The other cases whose mails have this Message-ID, without duplicates."""
    rows = connection.scalars(_COPIES, {"message_id": message_id, "job": case})
    return tuple(case_name(number) for number in rows)


def _first(found: Sequence[AnyRow], trace: Fingerprint) -> tuple[int | None, int | None]:
    """The twin: the first copy with at least this mail's trust; without one the rival: the first copy with less."""
    alike = next((row.case_id for row in found if row.believed is None or row.believed >= trace.believed), None)
    return alike, None if alike is not None else next((row.case_id for row in found), None)


def _left(connection: Connection, case: int) -> tuple[int | None, int | None]:
    """The twin that was found at the first claim, or a rival that has lower trust."""
    mine = connection.execute(MINE, {"job": case}).one()
    if mine.twin is not None or mine.rival is None:
        return mine.twin, None
    other: int | None = connection.scalar(_BELIEVED, {"job": mine.rival})
    return None, mine.rival if (other or 0) < (mine.believed or 0) else None


def _in_order(found: Sequence[AnyRow]) -> list[AnyRow]:
    """Each copy once, oldest first."""
    return sorted({row.case_id: row for row in found}.values(), key=lambda row: row.case_id)


def earlier_tickets(connection: Connection, mine: AnyRow, window: timedelta, *, alike: bool) -> tuple[str, ...]:
    """The tickets of other mails with the sender or topic of this fingerprint row, within the window; the latest first."""
    name = "topic" if alike else "sender"
    key = getattr(mine, name)
    if not key:
        return ()
    found = connection.scalars(_EARLIER[name], {"key": key, "since": mine.at - window, "job": mine.case_id})
    return tuple(dict.fromkeys(found))
