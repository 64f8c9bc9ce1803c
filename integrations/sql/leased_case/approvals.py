"""The port `CaseApprovals`: parked calls of a case.

Of several proposals for one field of one ticket the latest is open, and the older ones refer to it.
"""

import hashlib
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, and_, bindparam, or_, select, update

from integrations.sql.database.decision_tables import APPROVALS_OF_A_CASE, approvals
from integrations.sql.database.engine import insert_once
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import approval_of, approval_row, case_name
from integrations.sql.database.schema import cases
from integrations.sql.database.types import plain_and_hashed
from integrations.sql.leased_case.fence import Fence
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Outcome

_VOID: Final = (
    update(approvals)
    .where(approvals.c.case_id == JOB, approvals.c.id == bindparam("number"))
    .where(approvals.c.state == ApprovalState.ACCEPTED)
    .values(state=ApprovalState.VOID)
)
_THREAD: Final = select(cases.c.lane).where(cases.c.case_id == JOB)
_NEWER: Final = (
    select(cases.c.case_id)
    .where(cases.c.lane.in_(bindparam("threads", expanding=True)), cases.c.lane != "", cases.c.case_id > JOB)
    .where(cases.c.outcome.is_(None) | cases.c.outcome.not_in([Outcome.IGNORED, Outcome.QUARANTINED]))
    .order_by(cases.c.case_id.desc())
    .limit(1)
)
_OF_CASE: Final = APPROVALS_OF_A_CASE.where(approvals.c.case_id == JOB)


class SqlCaseApprovals:
    """The port `CaseApprovals`: parked calls of one case; a repeated call of `park` stores no second row."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def park(self, approval: Approval) -> Approval:
        digest = hashlib.sha256(approval.arguments.encode(errors="replace")).hexdigest()
        row = approval_row(approval) | {"arguments_hash": digest} | self._fence.stamp("parked_at")
        parked = insert_once(approvals, postgres=self._fence.postgres)

        def alone(connection: Connection) -> Approval:
            connection.execute(parked, row)
            return _standing(connection, self._fence.job, approval.tool, digest)

        return await self._fence.write_by(alone)

    async def approvals(self) -> tuple[Approval, ...]:
        return tuple(approval_of(row) for row in await self._fence.rows(_OF_CASE, job=self._fence.job))

    async def void(self, approval: int) -> None:
        await self._fence.write((_VOID, {"job": self._fence.job, "number": approval}))

    async def newer_mail(self) -> str | None:
        thread = await self._fence.value(_THREAD, job=self._fence.job)
        found = await self._fence.value(_NEWER, job=self._fence.job, threads=plain_and_hashed([thread]))
        return None if found is None else case_name(found)


def _standing(connection: Connection, case: int, tool: str, arguments_hash: str) -> Approval:
    """The approval of this call; if it is undecided, it supersedes all others for its field."""
    same = select(approvals).filter_by(case_id=case, tool=tool, arguments_hash=arguments_hash)
    found = approval_of(connection.execute(same).one())
    if found.state is ApprovalState.SUPERSEDED:  # proposed again after another proposal
        found = replace(found, state=ApprovalState.OPEN, superseded_by=0)
        again = {"state": found.state, "superseded_by": 0}
        connection.execute(update(approvals).where(approvals.c.id == found.id).values(again))
    if found.state is ApprovalState.OPEN and found.voids:
        _supersede(connection, found)
    return found


def _supersede(connection: Connection, by: Approval) -> None:
    """Supersede the open approvals of the same field, and those that they had superseded, by this one."""
    others = and_(approvals.c.ticket == by.ticket, approvals.c.field == by.field, approvals.c.id != by.id)
    open_ones = select(approvals.c.id).where(others, approvals.c.state == ApprovalState.OPEN)
    older = [row.id for row in connection.execute(open_ones)]
    if older:
        void = {"state": ApprovalState.SUPERSEDED, "superseded_by": by.id}
        these = or_(approvals.c.id.in_(older), approvals.c.superseded_by.in_(older))
        connection.execute(update(approvals).where(these, approvals.c.id != by.id).values(void))
