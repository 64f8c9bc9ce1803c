"""The port `Threads`: which cases and tickets a mail belongs to."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Executable, and_, bindparam, func, or_, select, union

from integrations.sql.database.engine import insert_into
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import case_name, case_number
from integrations.sql.database.schema import JobState, cases, jobs, mails, mentions, thread_ids, traces
from integrations.sql.database.types import UtcDateTime, hashed, indexed_names, plain_and_hashed
from integrations.sql.fair_order import UNKNOWN, sender_number
from integrations.sql.leased_case.fence import Fence, Statement, run_all
from integrations.sql.leased_case.fingerprints import MINE, claim, copies, earlier_tickets
from triage.domain.cases import Outcome
from triage.domain.traces import Copy, Fingerprint, Related

STUCK: Final = timedelta(hours=1)
"""Age from which on an unfinished case blocks no other case."""
MOST_KIN: Final = 10

_NAMES: Final[BindParameter[Any]] = bindparam("names", expanding=True)
_LATELY: Final[BindParameter[Any]] = bindparam("lately", type_=UtcDateTime)
_CASES: Final = cases.join(jobs, jobs.c.case_id == cases.c.case_id).join(mails, mails.c.id == cases.c.case_id)
_first: Final = cases.alias("first")
_copies: Final = thread_ids.outerjoin(traces, traces.c.case_id == thread_ids.c.case_id)
_both: Final = _copies.outerjoin(_first, _first.c.case_id == traces.c.twin)
_ticket: Final = func.coalesce(thread_ids.c.ticket, _first.c.ticket)

_BEFORE: Final = (
    select(cases.c.case_id)
    .select_from(_CASES)
    .where(cases.c.case_id < JOB, jobs.c.due.is_not(None), mails.c.accepted_at > _LATELY)
    # A case that has ended and only waits to report a flood blocks no other case.
    .where(or_(cases.c.outcome.is_(None), jobs.c.state == JobState.LEASED))
)
_OF_PEOPLE: Final = jobs.c.sender.in_(bindparam("people", expanding=True))
# Not by the index of thread keys: a storm's mails are not read, either.
_unread: Final = func.coalesce(cases.c.lane, "") == ""
_ahead: Final = union(_BEFORE.where(cases.c.lane == bindparam("thread")), _BEFORE.where(_unread, _OF_PEOPLE)).subquery()
_AHEAD: Final = select(_ahead.c.case_id).order_by(_ahead.c.case_id.desc()).limit(MOST_KIN)
_TICKETS: Final = (
    select(thread_ids.c.message_id, _ticket.label("ticket"))
    .select_from(_both)
    .where(thread_ids.c.message_id.in_(_NAMES), _ticket.is_not(None))
    .order_by(func.coalesce(traces.c.believed, 0).desc(), thread_ids.c.case_id)
)
_PEOPLE: Final = (
    select(thread_ids.c.people)
    .select_from(_both)
    .where(thread_ids.c.message_id.in_(_NAMES), _ticket == bindparam("ticket"))
)
_holder: Final = func.coalesce(traces.c.twin, thread_ids.c.case_id)
_UNFINISHED: Final = (
    select(cases.c.case_id)
    .distinct()
    .select_from(
        _copies.join(cases, cases.c.case_id == _holder)
        .join(jobs, jobs.c.case_id == cases.c.case_id)
        .join(mails, mails.c.id == cases.c.case_id)
    )
    .where(thread_ids.c.message_id.in_(_NAMES), cases.c.case_id < JOB, cases.c.outcome.is_(None))
    .where(jobs.c.due.is_not(None), mails.c.accepted_at > _LATELY)
    .order_by(cases.c.case_id)
    .limit(MOST_KIN)
)
_busy: Final = and_(
    cases.c.outcome.is_(None), cases.c.case_id < JOB, jobs.c.due.is_not(None), mails.c.accepted_at > _LATELY
)
_spoken: Final = and_(cases.c.ticket.is_not(None), cases.c.outcome != Outcome.IGNORED)
_KIN: Final = (
    select(cases.c.case_id, cases.c.outcome)
    .select_from(_CASES)
    .where(
        cases.c.case_id.in_(
            select(mentions.c.case_id).where(mentions.c.message_id.in_(_NAMES), mentions.c.case_id != JOB)
        ),
        or_(_busy, _spoken),
    )
    .order_by(cases.c.case_id)
    .limit(MOST_KIN)
)


@cache
def _link(*, postgres: bool) -> Executable:
    link = insert_into(thread_ids, postgres=postgres)
    kept = {name: func.coalesce(link.excluded[name], thread_ids.c[name]) for name in ("ticket", "people")}
    changes = {"content": link.excluded.content, **kept}
    return link.on_conflict_do_update(index_elements=["message_id", "case_id"], set_=changes)


class SqlThreads:
    """The port `Threads`: queries by Message-ID and by fingerprint."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def ahead(self, thread_key: str, people: Sequence[str]) -> tuple[str, ...]:
        """The unfinished earlier cases with this thread key, or not read yet and by one of these people: ten at most, the latest first.

        Latest first, so that in a backlog each case waits for its predecessor, and each end wakes only one case.
        """
        by = [UNKNOWN, *map(sender_number, people)]
        near = {"thread": thread_key, "job": self._fence.job, "lately": self._fence.now() - STUCK, "people": by}
        rows = await self._fence.rows(_AHEAD, **near)
        return tuple(case_name(row.case_id) for row in rows)

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket of the first of these mails that has one; a copy has the ticket of the first mail.

        If two cases share an id, the better proven sender's ticket counts, then the earlier case's.
        """
        names = indexed_names(message_ids)
        rows = await self._fence.rows(_TICKETS, names=plain_and_hashed(names))
        tickets = {row.message_id: row.ticket for row in reversed(rows)}
        return next((tickets[form] for name in names for form in (name, hashed(name)) if form in tickets), None)

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The unfinished earlier cases that have one of these mails, or had it first."""
        rows = await self._fence.rows(_UNFINISHED, **self._near(message_ids))
        return tuple(case_name(row.case_id) for row in rows)

    async def related(self, message_ids: Sequence[str]) -> tuple[Related, ...]:
        """The mails that have or answer one of these ids, and have a ticket or are earlier and in progress."""
        rows = await self._fence.rows(_KIN, **self._near(message_ids))
        return tuple(Related(case=case_name(row.case_id), busy=row.outcome is None) for row in rows)

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        names = plain_and_hashed(indexed_names(message_ids))
        rows = await self._fence.rows(_PEOPLE, names=names, ticket=ticket)
        return frozenset(person for row in rows for person in row.people or ())

    async def link(
        self,
        message_ids: Sequence[str],
        content: str,
        ticket: str | None,
        people: Sequence[str] = (),
        *,
        deferred: bool = False,
    ) -> None:
        statements = [self._link(name, content, ticket, people) for name in indexed_names(message_ids)]
        if deferred:
            self._fence.defer("link", *statements)
        else:
            await self._fence.write(*statements)

    async def copies(self, message_id: str) -> tuple[str, ...]:
        [name] = indexed_names([message_id])
        return await self._fence.look_by(lambda c: copies(c, self._fence.job, name))

    async def trace(self, trace: Fingerprint, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        ids = indexed_names([trace.message_id] if trace.message_id else [])
        links = [self._link(name, trace.content, None, trace.people) for name in ids]
        now, window, known = self._fence.now(), timedelta(seconds=seconds), [case_number(name) for name in also]

        def claimed(connection: Connection) -> Copy | None:
            run_all(connection, links)
            return claim(connection, self._fence.job, trace, now, window, known)

        return await self._fence.write_by(claimed)

    async def earlier_tickets(self, seconds: float, *, alike: bool = True) -> tuple[str, ...]:
        """The tickets of the same sender's other mails, the latest first."""
        mine, window = await self._fence.own(MINE), timedelta(seconds=seconds)
        return await self._fence.look_by(lambda c: earlier_tickets(c, mine, window, alike=alike)) if mine else ()

    def _link(self, message_id: str, content: str, ticket: str | None, people: Sequence[str]) -> Statement:
        row = {"message_id": message_id, "case_id": self._fence.job, "content": content, "ticket": ticket}
        return _link(postgres=self._fence.postgres), row | {"people": tuple(people) or None}

    def _near(self, message_ids: Sequence[str]) -> dict[str, Any]:
        """Query values: these ids, this job, and the time before which cases are too old to block."""
        lately = self._fence.now() - STUCK
        return {"names": indexed_names(message_ids), "job": self._fence.job, "lately": lately}
