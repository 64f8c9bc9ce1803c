"""What people decide about approvals: the port `Decisions`."""

from typing import Final

from sqlalchemy import bindparam, select, update

from integrations.sql.database.engine import Database
from integrations.sql.database.rows import approval_of
from integrations.sql.database.schema import approvals
from triage.domain.cases import Approval, ApprovalState
from triage.domain.errors import ApprovalClosed
from triage.domain.ports import Clock

_DECIDE: Final = (
    update(approvals)
    .where(approvals.c.id == bindparam("of"), approvals.c.state == ApprovalState.OPEN)
    .returning(*approvals.c)
)
_SUPERSEDED: Final = select(approvals).where(approvals.c.superseded_by == bindparam("by")).order_by(approvals.c.id)


class SqlDecisions:
    """Each word is given once."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's word, once. Raises `ApprovalClosed`."""
        said = {"of": approval, "state": state, "decided_by": by, "decided_at": self._clock.now()}
        row = await self._database.write(lambda c: c.execute(_DECIDE, said).first())
        if row is None:
            raise ApprovalClosed(approval)
        return approval_of(row)

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """What has given way to this approval, oldest first."""
        found = await self._database.read(lambda c: c.execute(_SUPERSEDED, {"by": by}).all())
        return tuple(approval_of(row) for row in found)
