"""The port `CaseHistory`: corrections by people, and whether the sender has reported before."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, literal_column, select

from integrations.sql.database.decision_tables import approvals, corrections
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import AnyRow, correction_of
from integrations.sql.database.schema import cases, traces
from integrations.sql.database.types import indexable
from integrations.sql.leased_case.fence import Fence
from triage.domain.approvals import ApprovalState, Correction
from triage.domain.cases import Outcome

OF_SENDER: Final = 50
OF_ALL: Final = 100
OF_REPORTER: Final = 1000
"""Earlier mails of a sender that are looked at, the latest first: a program may have sent a hundred thousand."""

_LATEST: Final = select(corrections).where(corrections.c.case_id == JOB).order_by(corrections.c.id.desc()).limit(1)
_OTHERS: Final = select(corrections).where(corrections.c.case_id != JOB).order_by(corrections.c.id.desc())
_OF_SENDER: Final = _OTHERS.where(corrections.c.sender == bindparam("sender")).limit(OF_SENDER)
_OF_ALL: Final = _OTHERS.limit(OF_ALL)
_MERGED: Final = (
    select(approvals.c.becomes)
    .where(approvals.c.ticket == bindparam("ticket"), approvals.c.tool == literal_column("'merge'"))
    .where(approvals.c.state == ApprovalState.ACCEPTED)
    .order_by(approvals.c.id.desc())
    .limit(1)
)
"""The tool is written out, so that a planner sees that its index serves."""
_mine: Final = traces.alias("mine")
_HIS: Final = (
    select(traces.c.case_id)
    .where(traces.c.sender == select(_mine.c.sender).where(_mine.c.case_id == JOB).scalar_subquery())
    .where(traces.c.sender != "", traces.c.case_id < JOB)
    .order_by(traces.c.at.desc())
    .limit(OF_REPORTER)
)
_REPORTED: Final = (
    select(cases.c.case_id)
    .where(cases.c.case_id.in_(_HIS), cases.c.ticket.is_not(None))
    .where(cases.c.outcome.in_([Outcome.TICKETED, Outcome.COMMENTED, Outcome.UPDATED]))
    .limit(1)
)


class SqlCaseHistory:
    """The port `CaseHistory`: reads alone; people write corrections through `Decisions`."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def correction(self) -> Correction | None:
        rows = await self._fence.rows(_LATEST, job=self._fence.job)
        return next(map(correction_of, rows), None)

    async def examples(self, sender: str) -> tuple[Correction, ...]:
        """Corrections of other cases, the sender's first, each group latest first."""
        every = await self._fence.rows(_OF_ALL, job=self._fence.job)
        if len(every) < OF_ALL:  # these are all there are
            his = [row for row in every if sender and row.sender == indexable(sender)][:OF_SENDER]
            return _in_order(his, every)

        def both(connection: Connection) -> tuple[Sequence[AnyRow], Sequence[AnyRow]]:
            mine = {"job": self._fence.job}
            own = connection.execute(_OF_SENDER, mine | {"sender": sender}).all() if sender else ()
            return own, connection.execute(_OF_ALL, mine).all()

        return _in_order(*await self._fence.read_by(both))

    async def survivor(self, ticket: str) -> str:
        """The ticket that a person has merged this one into, over several merges."""
        seen = [ticket]
        while (into := await self._fence.value(_MERGED, ticket=seen[-1])) is not None:
            if into in seen:
                return ticket
            seen.append(into)
        return seen[-1]

    async def reported(self) -> bool:
        return await self._fence.value(_REPORTED, job=self._fence.job) is not None


def _in_order(own: Sequence[AnyRow], every: Sequence[AnyRow]) -> tuple[Correction, ...]:
    known = {row.id for row in own}
    return tuple(map(correction_of, (*own, *(row for row in every if row.id not in known))))
