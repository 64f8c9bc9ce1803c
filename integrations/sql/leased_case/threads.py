"""Which cases and tickets a mail belongs to: the port `Threads`."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Final

from sqlalchemy import Connection, Executable, bindparam, func, or_, select

from integrations.sql import threads as sql_threads
from integrations.sql import traces as sql_traces
from integrations.sql.engine import insert_into
from integrations.sql.job_statements import JOB
from integrations.sql.leased_case.fence import Fence, Statement, run_all
from integrations.sql.rows import case_name, case_number
from integrations.sql.schema import JobState, cases, jobs, mails, thread_ids
from integrations.sql.types import UtcDateTime, indexed_names
from triage.domain.traces import Copy, Fingerprint, Related

STUCK: Final = timedelta(hours=1)
"""A case that came so long ago and has no end is in nobody's way any more."""

_AHEAD: Final = (
    select(cases.c.case_id)
    .select_from(cases.join(jobs, jobs.c.case_id == cases.c.case_id).join(mails, mails.c.id == cases.c.case_id))
    .where(cases.c.lane.in_([bindparam("lane"), ""]), cases.c.case_id < JOB)
    .where(jobs.c.due.is_not(None), mails.c.accepted_at > bindparam("lately", type_=UtcDateTime))
    # A case that has ended and only waits to tell of others is in nobody's way.
    .where(or_(cases.c.outcome.is_(None), jobs.c.state == JobState.LEASED))
    .order_by(cases.c.case_id.desc())
    .limit(sql_threads.MOST_KIN)
)


@cache
def _link(*, postgres: bool) -> Executable:
    link = insert_into(thread_ids, postgres=postgres)
    kept = {name: func.coalesce(link.excluded[name], thread_ids.c[name]) for name in ("ticket", "people")}
    told = {"content": link.excluded.content, **kept}
    return link.on_conflict_do_update(index_elements=["message_id", "case_id"], set_=told)


class SqlThreads:
    """Asks by Message-ID and by fingerprint."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def ahead(self, lane: str) -> tuple[str, ...]:
        """The earlier cases of this lane that are not finished, or whose lane is not known yet: ten, the last first.

        The last one: of a thread under backlog each case waits for its neighbour, and one is woken when one ends.
        """
        rows = await self._fence.rows(_AHEAD, lane=lane, job=self._fence.job, lately=self._fence.now() - STUCK)
        return tuple(case_name(row.case_id) for row in rows)

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket of the first of these mails that has one; a second copy has that of the first."""
        names = indexed_names(message_ids)
        return await self._fence.read_by(lambda c: sql_threads.ticket(c, names))

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The earlier cases that have one of these mails, or had it first, and are still to be done."""
        names, lately = indexed_names(message_ids), self._fence.now() - STUCK
        return await self._fence.read_by(lambda c: sql_threads.unfinished(c, self._fence.job, names, lately))

    async def related(self, message_ids: Sequence[str]) -> tuple[Related, ...]:
        """The mails that have or answer one of these ids, and have a ticket or came earlier: ten, the first first."""
        names, lately = indexed_names(message_ids), self._fence.now() - STUCK
        return await self._fence.read_by(lambda c: sql_threads.related(c, self._fence.job, names, lately))

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """Who these mails are from or to, as far as they belong to the ticket."""
        names = indexed_names(message_ids)
        return await self._fence.read_by(lambda c: sql_threads.participants(c, names, ticket))

    async def link(
        self, message_ids: Sequence[str], content: str, ticket: str | None, people: Sequence[str] = ()
    ) -> None:
        """These Message-IDs belong to this case and, where there is one, this ticket."""
        await self._fence.write(*(self._link(name, content, ticket, people) for name in indexed_names(message_ids)))

    async def copies(self, message_id: str) -> tuple[str, ...]:
        """The other cases whose mails came under this id, the first first."""
        [name] = indexed_names([message_id])
        return await self._fence.read_by(lambda c: sql_traces.copies(c, self._fence.job, name))

    async def trace(self, trace: Fingerprint, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        """Leave the mail's trace and link its id; the case that came first with the same mail."""
        ids = indexed_names([trace.message_id] if trace.message_id else [])
        links = [self._link(name, trace.content, None, trace.people) for name in ids]
        now, window, known = self._fence.now(), timedelta(seconds=seconds), [case_number(name) for name in also]

        def claimed(connection: Connection) -> Copy | None:
            copy = sql_traces.claim(connection, self._fence.job, trace, now, window, known)
            run_all(connection, links)
            return copy

        return await self._fence.write_by(claimed)

    async def follow_up(self, seconds: float) -> str | None:
        """The ticket that the same sender's latest mail on this subject ended in."""
        return await self._fence.read_by(lambda c: sql_traces.follow_up(c, self._fence.job, timedelta(seconds=seconds)))

    def _link(self, message_id: str, content: str, ticket: str | None, people: Sequence[str]) -> Statement:
        row = {"message_id": message_id, "case_id": self._fence.job, "content": content, "ticket": ticket}
        return _link(postgres=self._fence.postgres), row | {"people": tuple(people) or None}
