"""Finds the cases that have changed since a pulse; where none has, that takes one statement."""

from typing import Final

from sqlalchemy import Connection, Table, func, select, union

from integrations.sql.case_lists.lists import lines_of
from integrations.sql.case_lists.tables import snoozes
from integrations.sql.database.decision_tables import approvals, corrections
from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import email_events, jobs, mails
from triage.domain.operations.case_lists import CaseListChanges, Pulse

MOST: Final = 100
"""Changed cases whose lines are read, and jobs that are looked at."""
_NUMBERED: Final[dict[str, Table]] = {
    "mail": mails,
    "event": email_events,
    "approval": approvals,
    "correction": corrections,
    "snooze": snoozes,
}
"""Tables whose rows are new when something has changed, by the number of a `Pulse`."""
_NEWEST: Final = select(
    *(func.coalesce(select(func.max(table.c.id)).scalar_subquery(), 0).label(name) for name, table in _NUMBERED.items())
)
_BUSY: Final = (
    select(jobs.c.case_id, jobs.c.epoch, jobs.c.state)
    .where(jobs.c.due.is_not(None))
    .order_by(jobs.c.case_id)
    .limit(MOST)
)


def changes(connection: Connection, since: Pulse | None) -> CaseListChanges:
    """What has changed; without a pulse nothing, as everything is new."""
    now = Pulse(
        **connection.execute(_NEWEST).one()._asdict(),
        busy=frozenset((job, epoch, state) for job, epoch, state in connection.execute(_BUSY)),
    )
    if since is None or now == since:
        return CaseListChanges(pulse=now)
    numbers = {job for job, *_ in now.busy ^ since.busy} | _written(connection, since)
    if len(numbers) > MOST:
        return CaseListChanges(pulse=now, many=True)
    return CaseListChanges(pulse=now, lines=lines_of(connection, [case_name(number) for number in numbers]))


def _written(connection: Connection, since: Pulse) -> set[int]:
    """Cases with new rows; one more than `MOST` at most."""
    new = union(
        *(
            select(table.c.id if table is mails else table.c.case_id).where(table.c.id > getattr(since, name))
            for name, table in _NUMBERED.items()
        )
    )
    return set(connection.scalars(new.limit(MOST + 1)))
