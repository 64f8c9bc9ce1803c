"""The port `Throttle`: counts alike mails and holds those over a rate limit, one worker at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Self

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    Update,
    and_,
    bindparam,
    func,
    or_,
    select,
    update,
)

from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import AnyRow, case_name
from integrations.sql.database.schema import cases, effects, jobs, traces
from integrations.sql.database.types import UtcDateTime
from integrations.sql.leased_case.fence import Fence
from integrations.sql.leased_case.fingerprints import MINE, left_by, lock
from triage.domain.cases import Outcome
from triage.domain.effects import EffectState
from triage.domain.traces import SUMMARY, Digest, FloodSubject, Group, GroupState, Summary, Throttled
from triage.domain.untrusted import Untrusted

SHOWN: Final = 20
"""Subjects that a summary names from the start of a flood, and again from its end."""

_AT: Final[BindParameter[Any]] = bindparam("at_of_mine", type_=UtcDateTime)
_SINCE: Final[BindParameter[Any]] = bindparam("since", type_=UtcDateTime)
_TICKET: Final[BindParameter[Any]] = bindparam("of_ticket")
_BOTH: Final = traces.join(cases, cases.c.case_id == traces.c.case_id).join(jobs, jobs.c.case_id == traces.c.case_id)
_N: Final = select(func.count()).select_from(traces)
_HOLD: Final = (
    update(traces)
    .where(traces.c.case_id == JOB)
    .values(brake=bindparam("by_group"), brake_ticket=bindparam("for_ticket"))
)
_FOR_TICKET: Final = traces.c.brake_ticket.in_((_TICKET, ""))
"""Held for this ticket, or when the group had none yet."""
_TOLD_BY: Final = _N.where(traces.c.told_by == JOB)
_SPAN: Final = select(
    func.count().label("n"), func.min(traces.c.at).label("since"), func.max(traces.c.at).label("until")
).select_from(_BOTH)
_FIRST, _LAST = func.min(cases.c.case_id), func.max(cases.c.case_id)
_SUBJECTS: Final = (
    select(cases.c.subject, func.count().label("n"), _FIRST.label("first"), _LAST.label("last"))
    .select_from(_BOTH)
    .group_by(cases.c.subject)
)
_SUMMARIES: Final = (
    select(effects.c.result)
    .where(effects.c.key.endswith(f":{SUMMARY}"))
    .where(effects.c.kind == "comment", effects.c.target == _TICKET, effects.c.state == EffectState.DONE)
    .order_by(effects.c.id.desc())
)
_UNDER_WAY: Final = (
    select(cases.c.case_id)
    .select_from(cases.join(jobs, jobs.c.case_id == cases.c.case_id))
    .where(cases.c.outcome.is_(None), jobs.c.due.is_not(None), cases.c.case_id < JOB)
    .order_by(cases.c.case_id)
)


def _same(group: Group, key: str = "same") -> ColumnElement[bool]:
    """Of this group, within the window; the parameter `key` is what the group's mails share."""
    return and_(traces.c[group] == bindparam(key), traces.c.at > _SINCE)


def _before(group: Group, key: str = "same") -> ColumnElement[bool]:
    """Of this group, before this mail in the order of claims, without duplicates."""
    earlier = or_(traces.c.at < _AT, and_(traces.c.at == _AT, traces.c.case_id < JOB))
    return and_(_same(group, key), traces.c.twin.is_(None), earlier)


_COUNTS: Final = select(*(_N.where(_before(group, group)).scalar_subquery().label(group) for group in Group))
"""The number of mails of each group before this one; its keys are named like the groups."""


@dataclass(frozen=True, slots=True)
class _EarlierMails:
    """The queries about the mails of a group before this one, in the order of their claims, without duplicates."""

    alike: Select[Any]
    ended: Select[Any]
    busy: Select[Any]
    waiting: Select[Any]

    @classmethod
    def of(cls, group: Group) -> Self:
        before = _before(group)
        mine = traces.c.storm == bindparam("storm_of_mine"), traces.c.subject == bindparam("subject_of_mine")
        in_order = select(cases.c.case_id).select_from(_BOTH).where(before).order_by(traces.c.at, traces.c.case_id)
        waits = cases.c.outcome == Outcome.WAITING, cases.c.ticket.is_(None)
        return cls(
            alike=_N.where(before, *mine),
            ended=in_order.with_only_columns(cases.c.ticket)
            .where(cases.c.outcome.is_not(None), cases.c.ticket.is_not(None))
            .limit(1),
            busy=in_order.where(cases.c.outcome.is_(None), jobs.c.due.is_not(None)).limit(1),
            waiting=select(func.min(cases.c.case_id)).select_from(_BOTH).where(before, *waits),
        )


@dataclass(frozen=True, slots=True)
class _HeldMails:
    """The queries about the mails of a group that are held within the window, for one ticket except `tellers`."""

    untold: Select[Any]
    untold_before: Select[Any]
    tell: Update
    tellers: Select[Any]
    told_at: Select[Any]

    @classmethod
    def of(cls, group: Group) -> Self:
        of_group = and_(_same(group), traces.c.brake == group)
        held = and_(of_group, _FOR_TICKET)
        untold = and_(held, traces.c.told_by.is_(None))
        return cls(
            untold=_N.where(untold),
            untold_before=_N.where(untold, traces.c.case_id < JOB),
            tell=update(traces).where(untold).values(told_by=bindparam("teller"), told_at=bindparam("now")),
            tellers=select(func.count(traces.c.told_by.distinct())).where(of_group),
            told_at=select(func.max(traces.c.told_at)).where(held, traces.c.told_by != JOB),
        )


@dataclass(frozen=True, slots=True)
class _FloodOnTicket:
    """The queries about all mails of a group that were reported in one ticket."""

    span: Select[Any, Any, Any]
    subjects: Select[Any]
    first_subjects: Select[Any]
    last_subjects: Select[Any]
    comment: Select[Any]
    about_to: Select[Any]

    @classmethod
    def of(cls, group: Group) -> Self:
        on_ticket = or_(cases.c.ticket == _TICKET, and_(cases.c.ticket.is_(None), _FOR_TICKET))
        held = traces.c.brake == group, traces.c[group] == bindparam("same")
        flood = and_(*held, traces.c.told_by.is_not(None), on_ticket)
        subjects = _SUBJECTS.where(flood)
        tellers = select(traces.c.told_by).select_from(_BOTH).where(flood)
        return cls(
            span=_SPAN.where(flood),
            subjects=select(func.count()).select_from(subjects.subquery()),
            first_subjects=subjects.order_by(_FIRST).limit(SHOWN),
            last_subjects=subjects.order_by(_FIRST.desc()).limit(SHOWN),
            comment=_SUMMARIES.where(effects.c.case_id.in_(tellers)).limit(1),
            about_to=_UNDER_WAY.where(cases.c.case_id.in_(tellers)).limit(1),
        )


_earlier: Final = cache(_EarlierMails.of)
_held: Final = cache(_HeldMails.of)
_flood: Final = cache(_FloodOnTicket.of)


class SqlThrottle:
    """The port `Throttle`: counts the mails of each group within a window before this mail."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def group_counts(self, seconds: float) -> Mapping[Group, int]:
        mine = await self._fence.own(MINE)
        return {} if mine is None else await self._fence.look_by(lambda c: _counts(c, mine, timedelta(seconds=seconds)))

    async def group_state(self, group: Group, seconds: float) -> GroupState:
        return await self._fence.read_by(lambda c: _Asked(c, self._fence.job, seconds).group_state(group))

    async def throttle(
        self, group: Group, ticket: str = "", *, seconds: float, every: int, apart: float, at_once: int = 0
    ) -> Throttled:
        now = self._fence.now()
        return await self._fence.write_by(
            lambda c: _Asked(c, self._fence.job, seconds, alone=True).throttle(
                group, ticket, now, every, timedelta(seconds=apart), at_once
            )
        )

    async def digest(self, group: Group, seconds: float, ticket: str = "") -> Digest | None:
        """Claim all unreported mails for a summary; None if another case has reported this one. A repeated call returns the same."""
        now = self._fence.now()
        return await self._fence.write_by(
            lambda c: _Asked(c, self._fence.job, seconds, alone=True).digest(group, ticket, now)
        )

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails reported in this ticket, by any case; cases in progress, which have no ticket yet, count too."""
        return await self._fence.read_by(lambda c: _Asked(c, self._fence.job).summary(group, ticket))


def _counts(connection: Connection, mine: AnyRow, window: timedelta) -> dict[Group, int]:
    """Number of earlier mails by group."""
    keys: dict[str, Any] = {group: getattr(mine, group) or None for group in Group}  # an empty key is no group's
    since = {"since": mine.at - window, "at_of_mine": mine.at, "job": mine.case_id}
    found = connection.execute(_COUNTS, {**keys, **since}).one()
    return {group: getattr(found, group) for group in Group if keys[group]}


class _Asked:
    """The queries of one transaction about the mails before this one."""

    def __init__(self, connection: Connection, case: int, seconds: float = 0.0, *, alone: bool = False) -> None:
        if alone:
            lock(connection)
        self._connection = connection
        self._window = timedelta(seconds=seconds)
        self._mine = left_by(connection, case)

    def group_state(self, group: Group) -> GroupState:
        mine = self._mine
        if mine is None:
            return GroupState()
        values, asked = self._values(mine, group), _earlier(group)
        busy, waiting = (self._connection.scalar(one, values) for one in (asked.busy, asked.waiting))
        return GroupState(
            ticket=self._connection.scalar(asked.ended, values),
            busy=None if busy is None else case_name(busy),
            waiting=None if waiting is None else case_name(waiting),
        )

    def throttle(
        self, group: Group, ticket: str, now: datetime, every: int, apart: timedelta, at_once: int
    ) -> Throttled:
        mine = self._mine
        if mine is None:
            return Throttled()
        self._connection.execute(_HOLD, {"job": mine.case_id, "by_group": group, "for_ticket": ticket})
        if mine.told_by is None:
            last = self._last_summary(mine, group, ticket)
            untold = self._number(_held(group).untold, mine, group, of_ticket=ticket)
            soon = last is not None and (untold < every or now - last < apart)
            if soon and not self._new_matter(mine, group, at_once):
                return Throttled(collects=not self._number(_held(group).untold_before, mine, group, of_ticket=ticket))
        return Throttled(digest=self._summary_due(mine, group, ticket, now))

    def digest(self, group: Group, ticket: str, now: datetime) -> Digest | None:
        """The mails that this case reports from now on; None if another case has reported this mail."""
        return None if self._mine is None else self._summary_due(self._mine, group, ticket, now)

    def summary(self, group: Group, ticket: str) -> Summary | None:
        mine = self._mine
        if mine is None or not mine.brake:
            return None
        values, asked = self._values(mine, group, of_ticket=ticket), _flood(group)
        row = self._connection.execute(asked.span, values).one()
        if not row.n:
            return None
        comment: str = self._connection.scalar(asked.comment, values) or ""
        earlier = None if comment else self._connection.scalar(asked.about_to, values)
        return Summary(
            count=row.n,
            since=row.since,
            until=row.until,
            different=self._connection.scalar(asked.subjects, values) or 0,
            subjects=self._subjects(asked, values),
            comment=comment,
            writer=None if earlier is None else case_name(earlier),
        )

    def _subjects(self, asked: _FloodOnTicket, values: Mapping[str, Any]) -> tuple[FloodSubject, ...]:
        """The first and the last subjects of the flood, in order of arrival."""
        rows = [
            row
            for statement in (asked.first_subjects, asked.last_subjects)
            for row in self._connection.execute(statement, values)
        ]
        shown = {
            row.first: FloodSubject(Untrusted(row.subject or ""), row.n, case_name(row.first), case_name(row.last))
            for row in rows
        }
        return tuple(shown[place] for place in sorted(shown))

    def _new_matter(self, mine: AnyRow, group: Group, at_once: int) -> bool:
        """No earlier mail of its group has alike words and this subject, and fewer than `at_once` cases have reported."""
        of_mine = {"storm_of_mine": mine.storm, "subject_of_mine": mine.subject}
        if not at_once or self._number(_earlier(group).alike, mine, group, **of_mine):
            return False
        return self._number(_held(group).tellers, mine, group) < at_once

    def _summary_due(self, mine: AnyRow, group: Group, ticket: str, now: datetime) -> Digest | None:
        if mine.told_by not in {None, mine.case_id}:
            return None
        last = self._last_summary(mine, group, ticket)
        if mine.told_by is None:
            values = {"same": getattr(mine, group), "since": mine.at - self._window, "of_ticket": ticket}
            self._connection.execute(_held(group).tell, values | {"teller": mine.case_id, "now": now})
        count = self._connection.scalar(_TOLD_BY, {"job": mine.case_id}) or 0
        return Digest(count=count, first=last is None)

    def _last_summary(self, mine: AnyRow, group: Group, ticket: str) -> datetime | None:
        """When another case last reported mails of this group in this ticket."""
        values = self._values(mine, group, of_ticket=ticket)
        last: datetime | None = self._connection.scalar(_held(group).told_at, values)
        return last

    def _number(self, statement: Select[Any], mine: AnyRow, group: Group, **more: Any) -> int:
        return self._connection.scalar(statement, self._values(mine, group, **more)) or 0

    def _values(self, mine: AnyRow, group: Group, **more: Any) -> dict[str, Any]:
        since = mine.at - self._window
        return {"same": getattr(mine, group), "since": since, "at_of_mine": mine.at, "job": mine.case_id, **more}
