"""Approvals: the latest proposal for a field of a ticket supersedes the older ones."""

from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, and_, bindparam, or_, select, update

from integrations.sql.engine import Database
from integrations.sql.rows import approval_of
from integrations.sql.schema import approvals
from triage.domain.cases import Approval, ApprovalState
from triage.domain.errors import ApprovalClosed
from triage.domain.ports import Clock

_DECIDE: Final = (
    update(approvals)
    .where(approvals.c.id == bindparam("of"), approvals.c.state == ApprovalState.OPEN)
    .returning(*approvals.c)
)
_SUPERSEDED: Final = select(approvals).where(approvals.c.superseded_by == bindparam("by")).order_by(approvals.c.id)


def standing(connection: Connection, case: int, tool: str, arguments_hash: str) -> Approval:
    """The row of this call, in front of all others for its field where nobody has decided about it."""
    same = select(approvals).filter_by(case_id=case, tool=tool, arguments_hash=arguments_hash)
    found = approval_of(connection.execute(same).one())
    if found.state is ApprovalState.SUPERSEDED:  # proposed again, after something else was
        found = replace(found, state=ApprovalState.OPEN, superseded_by=0)
        again = {"state": found.state, "superseded_by": 0}
        connection.execute(update(approvals).where(approvals.c.id == found.id).values(again))
    if found.state is ApprovalState.OPEN and found.voids:
        _supersede(connection, found)
    return found


def _supersede(connection: Connection, by: Approval) -> None:
    """Void what waits for the same field; what that has voided now waits for the word on this one."""
    others = and_(approvals.c.ticket == by.ticket, approvals.c.field == by.field, approvals.c.id != by.id)
    open_ones = select(approvals.c.id).where(others, approvals.c.state == ApprovalState.OPEN)
    older = [row.id for row in connection.execute(open_ones)]
    if older:
        void = {"state": ApprovalState.SUPERSEDED, "superseded_by": by.id}
        these = or_(approvals.c.id.in_(older), approvals.c.superseded_by.in_(older))
        connection.execute(update(approvals).where(these, approvals.c.id != by.id).values(void))


class SqlDecisions:
    """What people decide about approvals: the port `Decisions`."""

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
