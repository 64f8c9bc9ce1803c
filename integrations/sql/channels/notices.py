"""The ports `NoticeStore` and `Troubles`: notices that wait or stand, and what goes wrong with cases."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, or_, select, update

from integrations.sql.database.channel_tables import notices
from integrations.sql.database.engine import TimedPart
from integrations.sql.database.rows import AnyRow, case_name, noun_of
from integrations.sql.database.schema import JobState, cases, jobs, mails
from triage.domain.channels.notices import DeadCase, Delayed, Notice, NoticeKind, NoticeSeverity

MOST: Final = 200
"""Notices in one message."""
READ: Final = 1000
"""Waiting cases that are read, those that came first."""

_NOW: Final = bindparam("now", type_=notices.c.due.type)
_FREE: Final = or_(notices.c.leased_until.is_(None), notices.c.leased_until <= _NOW)
_SILENT: Final = select(notices.c.kind).where(
    or_(notices.c.told_at > bindparam("quiet", type_=notices.c.told_at.type), notices.c.leased_until > _NOW)
)
_NEXT: Final = (
    select(notices.c.kind)
    .where(notices.c.due <= _NOW, _FREE, notices.c.kind.not_in(_SILENT))
    .order_by(notices.c.id)
    .limit(1)
)
_OF_KIND: Final = (
    select(notices.c.id)
    .where(notices.c.kind == bindparam("of"), notices.c.due <= _NOW, _FREE)
    .order_by(notices.c.id)
    .limit(MOST)
)
_TAKE: Final = (
    update(notices)
    .where(notices.c.id.in_(_OF_KIND), notices.c.due <= _NOW, _FREE)
    .values(leased_until=bindparam("until", type_=notices.c.leased_until.type))
    .returning(*notices.c)
)
_STANDING: Final = select(notices).where(notices.c.stands).order_by(notices.c.id)
_DELAYED: Final = (
    select(jobs.c.case_id, jobs.c.trouble, mails.c.accepted_at)
    .join(mails, mails.c.id == jobs.c.case_id)
    .where(jobs.c.due.is_not(None), jobs.c.trouble != "")
    .order_by(jobs.c.case_id)
    .limit(READ)
)
_DEAD: Final = (
    select(jobs.c.case_id, jobs.c.trouble, cases.c.subject)
    .join(cases, cases.c.case_id == jobs.c.case_id)
    .where(jobs.c.state == JobState.DEAD)
    .order_by(jobs.c.case_id.desc())
)


class SqlNotices(TimedPart):
    """The ports `NoticeStore` and `Troubles`: one row per notice; rows stay, so that no key is told twice."""

    async def add(self, new: Sequence[Notice], *, silently: bool = False) -> tuple[Notice, ...]:
        """Store those whose key is new, and return them. Asks first, so that known ones cost no commit."""
        known = await self._known([notice.key for notice in new if notice.key])
        fresh = [notice for notice in new if notice.key not in known]
        if not fresh:
            return ()
        now = self._clock.now()
        insert = self._database.insert(notices).on_conflict_do_nothing().returning(*notices.c)

        def add(connection: Connection) -> list[AnyRow]:
            rows = (_row(notice, now, silently=silently) for notice in fresh)
            return [row for one in rows if (row := connection.execute(insert, one).first())]

        return tuple(_notice(row) for row in await self._database.write(add))

    async def claim(self, quiet_since: datetime, until: datetime) -> tuple[Notice, ...]:
        """Lease all waiting notices of one kind of which nothing was told after `quiet_since`."""
        given = {"now": self._clock.now(), "quiet": quiet_since, "until": until}
        if await self._database.read(lambda c: c.scalar(_NEXT, given)) is None:
            return ()

        def claim(connection: Connection) -> Sequence[AnyRow]:
            kind = connection.scalar(_NEXT, given)
            return () if kind is None else connection.execute(_TAKE, {**given, "of": kind}).all()

        return _notices(await self._database.write(claim))

    async def mark_sent(self, notices: Sequence[Notice]) -> None:
        """People have heard of them."""
        await self._set(notices, due=None, leased_until=None, told_at=self._clock.now())

    async def later(self, unsent: Sequence[Notice], due: datetime) -> None:
        await self._set(unsent, due=due, leased_until=None)

    async def standing(self) -> tuple[Notice, ...]:
        return _notices(await self._database.read(lambda c: c.execute(_STANDING).all()))

    async def end(self, ended: Sequence[Notice]) -> tuple[Notice, ...]:
        """End these states; return those that people had heard of."""
        over = (
            update(notices)
            .where(_among(ended), notices.c.stands)
            .values(key=None, stands=False, due=None)
            .returning(*notices.c)
        )
        rows = await self._database.write(lambda c: c.execute(over).all())
        return _notices(row for row in rows if row.told_at is not None)

    # --- Troubles ---------------------------------------------------------------------------------

    async def delayed(self) -> tuple[Delayed, ...]:
        """Mails that wait for something that does not work, by error without its details."""
        rows = await self._database.read(lambda c: c.execute(_DELAYED).all())
        troubles = sorted(((row.trouble.partition(" (")[0], row) for row in rows), key=itemgetter(0))
        groups = ((trouble, [row for _, row in group]) for trouble, group in groupby(troubles, key=itemgetter(0)))
        return tuple(
            Delayed(
                trouble=trouble,
                detail=group[-1].trouble,
                cases=len(group),
                since=min(row.accepted_at for row in group),
            )
            for trouble, group in groups
        )

    async def dead(self, limit: int = 50) -> tuple[DeadCase, ...]:
        rows = await self._database.read(lambda c: c.execute(_DEAD.limit(limit)).all())
        return tuple(DeadCase(case=case_name(row.case_id), subject=row.subject, trouble=row.trouble) for row in rows)

    async def _known(self, keys: Sequence[str]) -> frozenset[str]:
        if not keys:
            return frozenset()
        statement = select(notices.c.key).where(notices.c.key.in_(keys))
        return frozenset(await self._database.read(lambda c: c.scalars(statement).all()))

    async def _set(self, which: Sequence[Notice], **values: Any) -> None:
        statement = update(notices).where(_among(which)).values(values)
        await self._database.write(lambda c: c.execute(statement))


def _among(some: Sequence[Notice]) -> ColumnElement[bool]:
    return notices.c.id.in_([notice.number for notice in some])


def _row(notice: Notice, now: datetime, *, silently: bool) -> dict[str, Any]:
    """The columns of a new notice."""
    return {
        "key": notice.key or None,
        "kind": notice.kind.value,
        "severity": notice.severity.value,
        "text": notice.text,
        "cure": notice.cure,
        "case_name": notice.case,
        "ticket": notice.ticket,
        "at": notice.at or now,
        "links": notice.links,
        "stands": notice.lasting,
        "due": None if silently else now,
    }


def _notices(rows: Iterable[AnyRow]) -> tuple[Notice, ...]:
    return tuple(_notice(row) for row in sorted(rows, key=lambda row: row.id))


def _notice(row: AnyRow) -> Notice:
    return noun_of(
        Notice,
        row,
        kind=NoticeKind(row.kind),
        severity=NoticeSeverity(row.severity),
        case=row.case_name,
        key=row.key or "",
        number=row.id,
    )
