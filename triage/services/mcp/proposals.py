"""Takes what MCP clients propose: stored as a mail is, parked by a worker, decided by a person, carried out once."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from triage.agent.toolbox import Invocation, canonical
from triage.domain.mail import Received
from triage.domain.operations.mcp import McpClient, McpProposal, ProposedCall
from triage.domain.ports import Archive, Clock
from triage.domain.reports import Report
from triage.policy.approvals.proposal_mail import SOURCE, proposal_mail
from triage.policy.decision.permission import Ask
from triage.services.intake import Intake

PATIENCE: Final = 10.0
"""Seconds to wait for a worker that parks the call; the proposal is stored by then."""
LOOK: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Called by sessions. Raises `StoreDown`, `TooLarge`."""

    intake: Intake
    archive: Archive
    clock: Clock
    work: Callable[[str], Awaitable[None]] | None = None
    """Works on a case in this process; None: a worker elsewhere does."""

    async def propose(self, by: McpClient, tool: str, call: Invocation, ask: Ask) -> McpProposal:
        """Store the call and return its approval, or its case where no worker has parked it in time.

        An equal call of the same client on the same day is the same proposal.
        """
        now, arguments = self.clock.now(), canonical(call.arguments)
        text = "\n".join((by.name, f"{now:%Y-%m-%d}", tool, arguments))
        name = hashlib.sha256(text.encode(errors="replace")).hexdigest()
        proposed = ProposedCall(id=name, by=by, tool=tool, arguments=arguments, title=str(ask.value or tool), at=now)
        case = await self.intake.accept(Received(source=SOURCE, source_id=name, raw=proposal_mail(proposed), at=now))
        if self.work:
            await self.work(case)
        return await self._parked(case)

    async def _parked(self, case: str) -> McpProposal:
        waited = 0.0
        while True:
            report = await self.archive.report(case)
            if report.case.outcome is not None:
                return _proposed(report)
            if waited >= PATIENCE:
                return McpProposal(id=0, case=case, reason=f"{case} is stored; `triage work` parks it for a person")
            await asyncio.sleep(LOOK)
            waited += LOOK


def _proposed(report: Report) -> McpProposal:
    """Say what waits, or why nothing does."""
    parked = report.approvals[0] if report.approvals else None
    case = report.case
    reason = f"a person decides about {case.id}: `triage approvals`" if parked else f"{case.id}: {case.reason}"
    return McpProposal(id=parked.id if parked else 0, case=case.id, reason=reason)
