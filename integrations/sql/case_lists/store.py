"""The ports `CaseLists` and `ViewStore`: what the inbox shows, and what people keep of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Table, bindparam, delete, func, insert, select, union

from integrations.sql.case_lists import lists
from integrations.sql.case_lists.lists import lines_of
from integrations.sql.case_lists.tables import saved_views, snoozes
from integrations.sql.database.decision_tables import approvals, corrections
from integrations.sql.database.engine import StorePart, TimedPart
from integrations.sql.database.rows import case_name, case_number
from integrations.sql.database.schema import email_events, jobs, mails
from integrations.sql.database.types import IndexedText
from integrations.sql.report import counts
from triage.domain.errors import CaseNotFound
from triage.domain.operations.case_lists import CaseListChanges, InboxLine, Pulse, SavedView
from triage.domain.reports import CaseFilter

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

_SNOOZE: Final = insert(snoozes).returning(snoozes.c.id)
_EARLIER: Final = delete(snoozes).where(snoozes.c.case_id == bindparam("job"), snoozes.c.id < bindparam("new"))
_EXISTS: Final = select(mails.c.id).where(mails.c.id == bindparam("job"))
_OF: Final = bindparam("of", type_=IndexedText)
_VIEWS: Final = (
    select(saved_views)
    .where((saved_views.c.owner == _OF) | saved_views.c.shared)
    .order_by(saved_views.c.name, saved_views.c.id)
)
_SAME: Final = delete(saved_views).where(
    saved_views.c.owner == _OF, saved_views.c.name == bindparam("called", type_=IndexedText)
)
_KEEP: Final = insert(saved_views).returning(*saved_views.c)
_DROP: Final = delete(saved_views).where(saved_views.c.id == bindparam("view"))


class SqlCaseLists(TimedPart):
    """The port `CaseLists`: each method is one transaction."""

    async def page(self, limit: int, before: str | None, where: CaseFilter) -> tuple[InboxLine, ...]:
        """The newest cases that pass, older than `before`."""
        return await self._database.read(lambda c: lists.inbox_lines(c, limit, before, where))

    async def lines(self, cases: Sequence[str]) -> tuple[InboxLine, ...]:
        return await self._database.read(lambda c: lists.lines_of(c, cases))

    async def thread(self, case: str, limit: int) -> tuple[InboxLine, ...]:
        return await self._database.read(lambda c: lists.thread_of(c, case, limit))

    async def counts(self) -> dict[str, int]:
        return await self._database.read(counts)

    async def count(self, where: CaseFilter) -> int:
        return await self._database.read(lambda c: lists.count(c, where))

    async def changes(self, since: Pulse | None) -> CaseListChanges:
        return await self._database.read(lambda c: changes(c, since))

    async def snooze(self, case: str, until: datetime, by: str) -> None:
        number, now = case_number(case), self._clock.now()

        def snoozed(connection: Connection) -> None:
            if connection.scalar(_EXISTS, {"job": number}) is None:
                raise CaseNotFound(case)
            row = {"case_id": number, "until": until, "made_by": by, "made_at": now}
            connection.execute(_EARLIER, {"job": number, "new": connection.execute(_SNOOZE, row).scalar_one()})

        await self._database.write(snoozed)


class SqlViews(StorePart):
    """The port `ViewStore`: one row per view."""

    async def views(self, owner: str) -> tuple[SavedView, ...]:
        rows = await self._database.read(lambda c: c.execute(_VIEWS, {"of": owner}).all())
        return tuple(SavedView(**row._asdict()) for row in rows)

    async def keep(self, view: SavedView) -> SavedView:
        row = {name: getattr(view, name) for name in ("owner", "name", "query", "tab", "shared", "made_at")}

        def kept(connection: Connection) -> SavedView:
            connection.execute(_SAME, {"of": view.owner, "called": view.name})
            return SavedView(**connection.execute(_KEEP, row).one()._asdict())

        return await self._database.write(kept)

    async def drop(self, view: int) -> None:
        await self._database.write(lambda c: c.execute(_DROP, {"view": view}))


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
