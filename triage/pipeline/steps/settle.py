"""Carries out what people decided about the parked calls of this case."""

from dataclasses import replace

from triage.agent.run import Scope, accepted
from triage.agent.toolbox import Toolbox
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import Permanent, Refused, TrackerDenied
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.policy.decision.decided import Decided, decided
from triage.policy.decision.decisions import unsettled, with_decision


async def settle(case: Case, at: Services) -> Case:
    """Carry out accepted calls, each at most once, and record every decision in the case's result."""
    if case.result is None or at.rules.dry_run:
        return case
    result = case.result
    for approval in unsettled(result, await at.approvals.approvals()):
        result = with_decision(result, approval, await _done(approval, scope_of(case, at), at.toolbox))
    return replace(case, result=result)


async def _done(approval: Approval, scope: Scope, toolbox: Toolbox) -> Json:
    """Run an accepted call and return its result. `Transient` errors raise, and the step is repeated."""
    if approval.state is not ApprovalState.ACCEPTED:
        return {"superseded_by": approval.superseded_by} if approval.superseded_by else {}
    try:
        return await accepted(scope, toolbox[approval.tool], approval.exact, f"approval-{approval.id}")
    except TrackerDenied:
        raise
    except (Refused, Permanent) as e:
        return {"error": str(e)}


def describe(before: Case, after: Case) -> str:
    """List the new decisions, by whom, and their results."""
    new = tuple(decided(after))[len(tuple(decided(before))) :]
    return "; ".join(one.refusal or _carried_out(one) for one in new)


def _carried_out(one: Decided) -> str:
    failed = f"; but {one.error}" if one.error else ""
    return f"{one.by} accepted this: {one.reason}{failed}"
