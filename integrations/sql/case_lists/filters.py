"""Translates a `CaseFilter` to SQL: conditions on `cases` alone, so that one index serves every list."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, CompoundSelect, FromClause, Select, exists, func, or_, select, true, union

from integrations.sql.case_lists.tables import snoozes
from integrations.sql.database.decision_tables import approvals
from integrations.sql.database.schema import JobState, cases, jobs, mails
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.operations.case_lists import folded
from triage.domain.reports import CaseFilter

NEWEST: Final = 2**31 - 1
"""Above every case: a list without a place to go on from begins there."""
BELOW: Final = {"sender": 3, "subject": 2, "ticket": 1, "reason": 0}
"""Lines that follow a text in `cases.words`."""
_PENDING: Final = select(jobs.c.case_id).where(jobs.c.due.is_not(None))
_TROUBLED: Final = (jobs.c.attempts > 0) | (jobs.c.trouble != "")
_RESTS: Final = (jobs.c.state == JobState.READY) & (jobs.c.trouble == "")
"""Of a job whose case has ended: it waits only to report a flood, or for a worker to carry out a decision."""


def numbers(where: CaseFilter, before: int) -> Select[int]:
    """Select the numbers of the cases that pass and are older than `before`, newest first."""
    statement = select(cases.c.case_id).where(cases.c.case_id < before, *conditions(where))
    if where.one_per_thread:
        newer = cases.alias("newer")
        later = (newer.c.lane == cases.c.lane, newer.c.case_id > cases.c.case_id, *conditions(where, newer))
        statement = statement.where((cases.c.lane == "") | ~exists().where(*later))
    return statement.order_by(cases.c.case_id.desc())


def conditions(where: CaseFilter, of: FromClause = cases) -> Iterator[ColumnElement[bool]]:
    """Yield what each part of a filter asks of a case."""
    if where.ticket:
        yield of.c.ticket == where.ticket
    if where.states:
        yield or_(*(in_state(state, of) for state in where.states))
    yield from _in_texts(where, of)
    yield from _between(where, of)
    if where.needs_at:
        yield of.c.case_id.in_(_needs_somebody()) & of.c.case_id.not_in(_snoozed(where.needs_at))
    if where.snoozed_at:
        yield of.c.case_id.in_(_snoozed(where.snoozed_at))


def in_state(state: str, of: FromClause = cases) -> ColumnElement[bool]:
    """Return the condition that a list shows a case in this state; indexes serve it, and a planner can estimate it."""
    ended = of.c.outcome.is_not(None)
    match state:
        case "working":
            return of.c.case_id.in_(_PENDING.where(jobs.c.state == JobState.LEASED))
        case "retrying":
            waits = of.c.case_id.in_(_PENDING.where(jobs.c.state == JobState.READY, _TROUBLED))
            return waits & ~(ended & of.c.case_id.in_(_PENDING.where(_RESTS)))
        case "ready":
            return ~ended & of.c.case_id.in_(_PENDING.where(jobs.c.state == JobState.READY, ~_TROUBLED))
        case "dead":
            dead = exists().where(jobs.c.case_id == of.c.case_id, jobs.c.state == JobState.DEAD)
            return of.c.outcome.is_(None) & dead
        case _:
            return (of.c.outcome == state) & of.c.case_id.not_in(_PENDING.where(~_RESTS))


def _in_texts(where: CaseFilter, of: FromClause) -> Iterator[ColumnElement[bool]]:
    """A text is found in its line of `words`: by the number of lines that follow it and that precede it."""
    for name in ("sender", "subject", "reason"):
        if wanted := getattr(where, name):
            below = BELOW[name]
            yield _like(of, "%\n" * (3 - below), wanted, "\n%" * below)
    for word in where.words:
        yield _like(of, "", word, "")


def _like(of: FromClause, before: str, text: str, after: str) -> ColumnElement[bool]:
    escaped = folded(text).replace("/", "//").replace("%", "/%").replace("_", "/_")
    return of.c.words.like(f"{before}%{escaped}%{after}", escape="/")


def _between(where: CaseFilter, of: FromClause) -> Iterator[ColumnElement[bool]]:
    """Numbers nearly follow the time: the first and the last that fit bound the mails whose time is looked up."""
    if where.since is None and where.until is None:
        return
    if where.since:
        first = select(func.min(mails.c.id)).where(mails.c.received_at >= where.since)
        yield of.c.case_id >= func.coalesce(first.scalar_subquery(), NEWEST)
    if where.until:
        last = select(func.max(mails.c.id)).where(mails.c.received_at < where.until)
        yield of.c.case_id <= func.coalesce(last.scalar_subquery(), 0)
    received = (
        mails.c.id == of.c.case_id,
        mails.c.received_at >= where.since if where.since else true(),
        mails.c.received_at < where.until if where.until else true(),
    )
    yield exists().where(*received)


def _needs_somebody() -> CompoundSelect[int]:
    """Select what waits for a person: outcomes that a worker is not about to change, trouble, open approvals."""
    waits = cases.c.outcome.in_((Outcome.WAITING, Outcome.QUARANTINED)) & cases.c.case_id.not_in(_PENDING)
    return union(
        select(cases.c.case_id).where(waits),
        _PENDING.where(jobs.c.state == JobState.READY, jobs.c.trouble != ""),
        select(cases.c.case_id).where(in_state("dead")),
        select(approvals.c.case_id).where(approvals.c.state == ApprovalState.OPEN),
    )


def undecided(at: datetime) -> ColumnElement[bool]:
    """Return the condition that a mail waits for a person who has no approval to decide about, and has not put it off."""
    asked = select(approvals.c.case_id).where(approvals.c.state == ApprovalState.OPEN)
    waits = in_state(Outcome.WAITING) | in_state(Outcome.QUARANTINED)
    return waits & cases.c.case_id.not_in(asked) & cases.c.case_id.not_in(_snoozed(at))


def _snoozed(at: datetime) -> Select[int]:
    return select(snoozes.c.case_id).where(snoozes.c.until > at)
