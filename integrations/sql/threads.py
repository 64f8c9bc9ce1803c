"""Statements of threads: which ticket the mails of a thread belong to, and who takes part."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, and_, func, or_, select

from integrations.sql.rows import case_name
from integrations.sql.schema import cases, jobs, mails, mentions, thread_ids, traces
from triage.domain.cases import Outcome
from triage.domain.traces import Related

MOST_KIN: Final = 10

_first: Final = cases.alias("first")
_copies: Final = thread_ids.outerjoin(traces, traces.c.case_id == thread_ids.c.case_id)
_both: Final = _copies.outerjoin(_first, _first.c.case_id == traces.c.twin)
_ticket: Final = func.coalesce(thread_ids.c.ticket, _first.c.ticket)


def ticket(connection: Connection, names: list[str]) -> str | None:
    """The ticket of the first of these mails that has one.

    Of two cases under one id that of the better proven sender, then that of the earlier one.
    """
    rows = connection.execute(
        select(thread_ids.c.message_id, _ticket.label("ticket"))
        .select_from(_both)
        .where(thread_ids.c.message_id.in_(names), _ticket.is_not(None))
        .order_by(func.coalesce(traces.c.believed, 0).desc(), thread_ids.c.case_id)
    ).all()
    tickets = {row.message_id: row.ticket for row in reversed(rows)}
    return next((tickets[name] for name in names if name in tickets), None)


def participants(connection: Connection, names: list[str], key: str) -> frozenset[str]:
    """Who these mails are from or to, as far as they belong to the ticket."""
    people = select(thread_ids.c.people).select_from(_both)
    rows = connection.execute(people.where(thread_ids.c.message_id.in_(names), _ticket == key))
    return frozenset(person for row in rows for person in row.people or ())


def unfinished(connection: Connection, case: int, names: list[str], lately: datetime) -> tuple[str, ...]:
    """The earlier cases that have one of these mails, or had it first, and are still to be done."""
    holder = func.coalesce(traces.c.twin, thread_ids.c.case_id)
    both = _copies.join(cases, cases.c.case_id == holder).join(jobs, jobs.c.case_id == cases.c.case_id)
    rows = connection.scalars(
        select(cases.c.case_id)
        .distinct()
        .select_from(both.join(mails, mails.c.id == cases.c.case_id))
        .where(thread_ids.c.message_id.in_(names), cases.c.case_id < case, cases.c.outcome.is_(None))
        .where(jobs.c.due.is_not(None), mails.c.accepted_at > lately)
        .order_by(cases.c.case_id)
        .limit(MOST_KIN)
    )
    return tuple(case_name(number) for number in rows)


def related(connection: Connection, case: int, names: list[str], lately: datetime) -> tuple[Related, ...]:
    """The mails that have or answer one of these ids, and have a ticket or are worked on before this one."""
    of_them = select(mentions.c.case_id).where(mentions.c.message_id.in_(names), mentions.c.case_id != case)
    busy = and_(
        cases.c.outcome.is_(None), cases.c.case_id < case, jobs.c.due.is_not(None), mails.c.accepted_at > lately
    )
    spoken = and_(cases.c.ticket.is_not(None), cases.c.outcome != Outcome.IGNORED)
    rows = connection.execute(
        select(cases.c.case_id, cases.c.outcome)
        .select_from(cases.join(jobs, jobs.c.case_id == cases.c.case_id).join(mails, mails.c.id == cases.c.case_id))
        .where(cases.c.case_id.in_(of_them), or_(busy, spoken))
        .order_by(cases.c.case_id)
        .limit(MOST_KIN)
    )
    return tuple(Related(case=case_name(row.case_id), busy=row.outcome is None) for row in rows)
