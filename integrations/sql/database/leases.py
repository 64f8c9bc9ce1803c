"""The statements behind leases of jobs."""

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
"""Asked first in every transaction of a worker; nobody can take the job over before it is committed."""


def _take(which: ColumnElement[bool]) -> Executable:
    """Give it to a worker, under a new epoch; the attempt counts before the work begins, so that crashes count."""
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
    """The worker lets go, if he still holds it."""
    return update(jobs).where(MINE).values(**values).returning(jobs.c.case_id)


TAKE_NEXT: Final = _take(
    jobs.c.case_id
    == select(_waiting.c.case_id)
    .where(_waiting.c.due <= NOW)
    .order_by(_waiting.c.case_id)
    .limit(1)
    .with_for_update(skip_locked=True)
    .scalar_subquery()
)
"""Of all that is due what came first: who had to wait a moment does not queue up anew behind the whole backlog.

A lease that has run out is due like any other.
"""

TAKE: Final = _take((jobs.c.case_id == JOB) & (jobs.c.due <= NOW))
"""This job, if it is due."""

REOPEN: Final = _take((jobs.c.case_id == JOB) & or_(jobs.c.state != JobState.LEASED, jobs.c.due <= NOW))
"""This job, whatever became of it, unless somebody works on it. A finished one starts to count anew."""


def _end(state: JobState, **values: Any) -> Executable:
    """No worker takes it again by himself, unless a person has decided meanwhile."""
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
    # One wait after the other is one: whoever is in front, it ends some time.
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
"""A worker is to carry out what a person has decided: now, or as soon as the one that has the case is done with it."""
RENEW: Final = _give_back(due=bindparam("until"))

ENDED: Final = select(cases.c.case_id).where(cases.c.case_id == JOB, cases.c.outcome.is_not(None))
"""The case has its end; its job may still be there, to tell of others later."""
OPEN: Final = (
    select(jobs.c.case_id)
    .where(jobs.c.case_id == JOB, jobs.c.due.is_not(None), or_(jobs.c.state == JobState.LEASED, ~ENDED.exists()))
    .with_for_update(read=True)
)
"""It is still to be done; who asks keeps it so until the end of the transaction."""
WAKE: Final = (
    update(jobs).where(jobs.c.behind == JOB, jobs.c.state == JobState.READY).values(due=NOW, behind=None, trouble="")
)
"""Those that had to wait for this one."""

EXISTS: Final = select(jobs.c.case_id).where(jobs.c.case_id == JOB)
DUE: Final = select(jobs.c.case_id).where(jobs.c.due <= NOW).order_by(jobs.c.case_id).limit(100)
NEXT_DUE: Final = select(func.min(jobs.c.due))
