"""The port `Decisions`: people's decisions about approvals and cases."""

from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from integrations.sql.database.engine import Database
from integrations.sql.database.leases import DECIDED, EXISTS
from integrations.sql.database.rows import AnyRow, approval_of, case_number, correction_of
from integrations.sql.database.schema import approvals, corrections
from triage.domain.approvals import Approval, ApprovalState, Correction
from triage.domain.errors import ApprovalClosed, CaseNotFound
from triage.domain.ports import Clock

_DECIDE: Final = (
    update(approvals)
    .where(approvals.c.id == bindparam("of"), approvals.c.state == ApprovalState.OPEN)
    .returning(*approvals.c)
)
_SUPERSEDED: Final = select(approvals).where(approvals.c.superseded_by == bindparam("by")).order_by(approvals.c.id)


_CORRECT: Final = insert(corrections).returning(*corrections.c)


class SqlDecisions:
    """Each approval is decided once."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's decision, and make its case and those of superseded approvals due. Raises `ApprovalClosed`."""
        said = {"of": approval, "state": state, "decided_by": by, "decided_at": self._clock.now()}

        def decided(connection: Connection) -> AnyRow | None:
            row = connection.execute(_DECIDE, said).first()
            if row is not None:
                older = connection.execute(_SUPERSEDED, {"by": approval})
                for case in sorted({row.case_id, *(one.case_id for one in older)}):
                    connection.execute(DECIDED, {"job": case, "now": said["decided_at"]})
            return row

        row = await self._database.write(decided)
        if row is None:
            raise ApprovalClosed(approval)
        return approval_of(row)

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Approvals that this one replaced, oldest first."""
        found = await self._database.read(lambda c: c.execute(_SUPERSEDED, {"by": by}).all())
        return tuple(approval_of(row) for row in found)

    async def correct(self, correction: Correction) -> Correction:
        """Record what becomes of a mail and make its case due. Raises `CaseNotFound`."""
        job, now = case_number(correction.case), self._clock.now()
        row = {
            "case_id": job,
            "disposition": correction.disposition.value,
            "ticket": correction.ticket,
            "made_by": correction.by,
            "made_at": now,
            "was": correction.was,
            "sender": correction.sender,
            "trust": correction.trust,
            "sketch": correction.sketch,
        }

        def corrected(connection: Connection) -> AnyRow | None:
            if connection.execute(EXISTS, {"job": job}).first() is None:
                return None
            found = connection.execute(_CORRECT, row).first()
            connection.execute(DECIDED, {"job": job, "now": now})
            return found

        found = await self._database.write(corrected)
        if found is None:
            raise CaseNotFound(correction.case)
        return correction_of(found)
