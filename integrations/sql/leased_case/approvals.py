"""The port `CaseApprovals`: parked calls of a case."""

import hashlib
from typing import Final

from sqlalchemy import Connection, select

from integrations.sql.approvals import standing
from integrations.sql.engine import insert_once
from integrations.sql.job_statements import JOB
from integrations.sql.leased_case.fence import Fence
from integrations.sql.rows import approval_of, approval_row
from integrations.sql.schema import approvals
from triage.domain.cases import Approval

_OF_CASE: Final = select(approvals).where(approvals.c.case_id == JOB).order_by(approvals.c.id)


class SqlCaseApprovals:
    """The same call of the same case is parked once."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def park(self, approval: Approval) -> Approval:
        """Keep a tool call for a person."""
        digest = hashlib.sha256(approval.arguments.encode(errors="replace")).hexdigest()
        row = approval_row(approval) | {"arguments_hash": digest} | self._fence.stamp("parked_at")
        parked = insert_once(approvals, postgres=self._fence.postgres)

        def alone(connection: Connection) -> Approval:
            connection.execute(parked, row)
            return standing(connection, self._fence.job, approval.tool, digest)

        return await self._fence.write_by(alone)

    async def approvals(self) -> tuple[Approval, ...]:
        """What this case has parked, whatever has become of it, in order."""
        return tuple(approval_of(row) for row in await self._fence.rows(_OF_CASE, job=self._fence.job))
