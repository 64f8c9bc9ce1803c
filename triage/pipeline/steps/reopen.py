"""Proposes to reopen a done ticket that this mail has commented on."""

from dataclasses import replace

from triage.agent.toolbox import Invocation
from triage.config.autonomy.table import Level
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.pipeline.context import Services
from triage.pipeline.scope import approval_of, profile_of
from triage.policy.decision.permission import Ask
from triage.policy.decision.run_record import with_proposal
from triage.policy.thread.reopening import Reopening, reopening_of
from triage.toolsets.tickets.rules import moving


async def reopen(case: Case, at: Services) -> Case:
    """Park the proposal and record it in the case's result; `settle` carries out the decision."""
    if case.result is None or at.rules.dry_run:
        return case
    wanted = reopening_of(case, await at.ledger.effects(), await at.tracker.metadata.project())
    if wanted is None or at.rules.autonomy.level(profile_of(case), "", "change") in {Level.SHADOW, Level.DENY}:
        return case
    parked = await at.approvals.park(await _proposal(case, wanted, at))
    return replace(case, result=with_proposal(case.result, parked)) if parked.state is ApprovalState.OPEN else case


async def _proposal(case: Case, wanted: Reopening, at: Services) -> Approval:
    tool, arguments = moving(wanted.key, wanted.status)
    call = Invocation(place="reopen", tool=at.toolbox[tool], arguments=arguments)
    return await approval_of(case, at, call, Ask(field="status", value=wanted.status, why=wanted.why), {})


def describe(before: Case, after: Case) -> str:
    """Describe the question to a person; empty if there is none."""
    if after.result is None or after.result == before.result:
        return ""
    return f"a person is asked: {after.result.tool_calls[-1].arguments}"
