"""SQL statements for leases of jobs."""

from datetime import timedelta
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, Executable, bindparam, case, func, or_, select, update

from integrations.sql.database.schema import JobState, cases, jobs

_waiting = jobs.alias("waiting")
_finished = jobs.c.state.in_([JobState.DONE, JobState.DEAD])
_leased = jobs.c.state == JobState.LEASED

NOW: Final[BindParameter[Any]] = bindparam("now", type_=jobs.c.due.type)
JOB: Final[BindParameter[Any]] = bindparam("job")
MINE: Final = (jobs.c.case_id == JOB) & (jobs.c.epoch == bindparam("held")) & (jobs.c.state == JobState.LEASED)
"""The job is still held under the epoch that the worker was given."""

HELD: Final = select(jobs.c.case_id).where(MINE).with_for_update(read=True)
"""Runs first in every transaction of a worker; its row lock keeps others from taking the job before the commit."""


ALONE: Final = select(jobs.c.case_id).where(jobs.c.case_id == JOB).with_for_update()
"""Runs first in every transaction that changes a case that no worker has; no worker takes it before the commit."""


def _take(which: ColumnElement[bool]) -> Executable:
    """Lease a job under a new epoch; the attempt is counted before the work, so that crashes count."""
    return (
        update(jobs)
        .where(which)
        .values(
            state=JobState.LEASED,
            epoch=jobs.c.epoch + 1,
            attempts=case((_finished, 1), else_=jobs.c.attempts + 1),
            due=bindparam("until"),
            worker=bindparam("by"),
            behind=None,
            again=False,
            waiting_since=case((_finished, None), else_=jobs.c.waiting_since),
        )
        .returning(jobs.c.case_id, jobs.c.epoch, jobs.c.attempts, jobs.c.waiting_since)
    )


def _give_back(**values: Any) -> Executable:
    """Update a job that the worker still holds."""
    return update(jobs).where(MINE).values(**values).returning(jobs.c.case_id)


TAKE_NEXT: Final = _take(
    jobs.c.case_id
    == select(_waiting.c.case_id)
    .where(_waiting.c.due <= NOW)
    .order_by(_waiting.c.turn, _waiting.c.case_id)
    .limit(1)
    .with_for_update(skip_locked=True)
    .scalar_subquery()
)
"""The due job whose turn is first: a postponed job keeps its turn, and does not queue up again behind the backlog.

An expired lease is due like any other job.
"""

TAKE: Final = _take((jobs.c.case_id == JOB) & (jobs.c.due <= NOW))
"""This job, if it is due."""

AHEAD: Final = timedelta(days=1)
"""No job is postponed and no lease given for so long: a time beyond it was written by a clock that was wrong."""
_misdated = (jobs.c.due > NOW) & or_(jobs.c.epoch == 0, jobs.c.due > bindparam("ahead", type_=jobs.c.due.type))
MISDATED: Final = select(jobs.c.case_id).where(_misdated).limit(1)
"""A job that is due in the future though it has just arrived, or too far in the future: the clock was ahead and was set back."""
REDATE: Final = update(jobs).where(_misdated).values(due=NOW)
"""Makes these jobs due; a worker that still holds one is fenced off by the next epoch."""

REOPEN: Final = _take((jobs.c.case_id == JOB) & or_(jobs.c.state != JobState.LEASED, jobs.c.due <= NOW))
"""This job in any state, unless a worker holds it. The attempts of a finished one start again."""


def _end(state: JobState, **values: Any) -> Executable:
    """End a job; it becomes due again if a person has decided meanwhile."""
    return _give_back(
        state=case((jobs.c.again, JobState.READY), else_=state),
        due=case((jobs.c.again, NOW), else_=None),
        attempts=case((jobs.c.again, 0), else_=jobs.c.attempts),
        again=False,
        **values,
    )


FINISH: Final = _end(JobState.DONE, trouble="")
BURY: Final = _end(JobState.DEAD, trouble=bindparam("why"))
POSTPONE: Final = _give_back(
    state=JobState.READY,
    due=bindparam("until"),
    trouble=bindparam("why"),
    attempts=jobs.c.attempts - bindparam("uncounted"),
    behind=bindparam("behind"),
    # Waits without a break count as one, even behind different cases.
    waiting_since=case((bindparam("waits"), func.coalesce(jobs.c.waiting_since, NOW)), else_=None),
)
DECIDED: Final = (
    update(jobs)
    .where(jobs.c.case_id == JOB)
    .values(
        state=case((_leased, jobs.c.state), else_=JobState.READY),
        due=case((_leased, jobs.c.due), else_=NOW),
        attempts=case((_finished, 0), else_=jobs.c.attempts),
        trouble=case((_finished, ""), else_=jobs.c.trouble),
        again=case((_leased, True), else_=False),
    )
)
"""A person has decided: the job is due now, or as soon as the worker that holds it is done."""
RENEW: Final = _give_back(due=bindparam("until"))

ENDED: Final = select(cases.c.case_id).where(cases.c.case_id == JOB, cases.c.outcome.is_not(None))
"""The case has ended; its job may still be pending, to report a flood later."""
OPEN: Final = (
    select(jobs.c.case_id)
    .where(jobs.c.case_id == JOB, jobs.c.due.is_not(None), or_(jobs.c.state == JobState.LEASED, ~ENDED.exists()))
    .with_for_update(read=True)
)
"""The job is unfinished; the row lock keeps it so until the end of the transaction."""
WAKE: Final = (
    update(jobs).where(jobs.c.behind == JOB, jobs.c.state == JobState.READY).values(due=NOW, behind=None, trouble="")
)
"""Makes the jobs due that wait for this one."""

EXISTS: Final = select(jobs.c.case_id).where(jobs.c.case_id == JOB)
NEXT_DUE: Final = select(func.min(jobs.c.due))
