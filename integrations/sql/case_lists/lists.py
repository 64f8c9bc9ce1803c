"""Lines of lists, by thread and of single cases."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from integrations.sql.case_lists.filters import NEWEST, numbers
from integrations.sql.case_lists.tables import snoozes
from integrations.sql.database.decision_tables import approvals
from integrations.sql.database.rows import AnyRow, case_number, line_of
from integrations.sql.database.schema import cases, jobs, mails
from integrations.sql.report import BOTH, STATE
from triage.domain.approvals import ApprovalState
from triage.domain.operations.case_lists import InboxLine
from triage.domain.reports import EVERY_CASE, CaseFilter, CaseLine

_UNTIL: Final = select(snoozes.c.until).where(snoozes.c.case_id == cases.c.case_id).scalar_subquery()
LINES: Final = (
    select(
        *(cases.c.case_id, cases.c.lane, cases.c.sender, cases.c.subject, cases.c.ticket, cases.c.reason),
        mails.c.received_at,
        _UNTIL.label("snoozed_until"),
        STATE,
    )
    .select_from(BOTH.join(mails, mails.c.id == cases.c.case_id))
    .order_by(cases.c.case_id.desc())
)
_COUNT: Final = func.count().label("n")


def lines(
    connection: Connection, limit: int, state: str | None, before: str | None = None, where: CaseFilter = EVERY_CASE
) -> tuple[CaseLine, ...]:
    """The latest cases first, of one state if given; `before` is the last case of the previous page."""
    wanted = where if state is None else replace(where, states=(state,))
    return tuple(line_of(row) for row in _rows(connection, limit, before, wanted))


def inbox_lines(connection: Connection, limit: int, before: str | None, where: CaseFilter) -> tuple[InboxLine, ...]:
    """Return the latest cases as lines of the inbox: with thread, number of its mails, open approvals."""
    return _with_threads(connection, _rows(connection, limit, before, where))


def lines_of(connection: Connection, names: Sequence[str]) -> tuple[InboxLine, ...]:
    """The lines of these cases, newest first."""
    return _with_threads(connection, _named(connection, [case_number(name) for name in names]))


def thread_of(connection: Connection, name: str, limit: int) -> tuple[InboxLine, ...]:
    """The cases of a case's thread, newest first; itself alone if it has none."""
    number = case_number(name)
    thread = connection.scalar(select(cases.c.lane).where(cases.c.case_id == number))
    mates: ColumnElement[bool] = cases.c.lane == thread if thread else cases.c.case_id == number
    found = connection.scalars(select(cases.c.case_id).where(mates).order_by(cases.c.case_id.desc()).limit(limit))
    return _with_threads(connection, _named(connection, found.all()))


def count(connection: Connection, where: CaseFilter) -> int:
    """How many pass."""
    return int(
        connection.scalar(select(func.count()).select_from(numbers(where, NEWEST).order_by(None).subquery())) or 0
    )


def _rows(connection: Connection, limit: int, before: str | None, where: CaseFilter) -> Sequence[AnyRow]:
    found = connection.scalars(numbers(where, NEWEST if before is None else case_number(before)).limit(limit)).all()
    return _named(connection, found)


def _named(connection: Connection, found: Sequence[int]) -> Sequence[AnyRow]:
    """The rows of these cases. Each table is told which, or a planner may read all jobs to find a page of them."""
    if not found:
        return ()
    wanted = (column.in_(found) for column in (cases.c.case_id, jobs.c.case_id, mails.c.id))
    return connection.execute(LINES.where(*wanted)).all()


def _with_threads(connection: Connection, rows: Sequence[AnyRow]) -> tuple[InboxLine, ...]:
    threads = _counted(connection, cases.c.lane, [row.lane for row in rows if row.lane])
    waiting = _counted(
        connection, approvals.c.case_id, [row.case_id for row in rows], approvals.c.state == ApprovalState.OPEN
    )
    return tuple(
        InboxLine(case=line_of(row), thread=row.lane, mails=threads.get(row.lane, 1), waits=waiting.get(row.case_id, 0))
        for row in rows
    )


def _counted(connection: Connection, column: Any, values: Sequence[Any], *where: ColumnElement[bool]) -> dict[Any, int]:
    if not values:
        return {}
    statement = select(column, _COUNT).where(column.in_(values), *where).group_by(column)
    return {row[0]: row[1] for row in connection.execute(statement)}
