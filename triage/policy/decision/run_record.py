"""Updates the record of an agent run with people's decisions about parked calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from triage.domain.approvals import Approval
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.reports import Report
from triage.policy.decision.review import waits_for


def answered(result: AgentResult) -> frozenset[int]:
    """Return the approvals whose decision is recorded."""
    return frozenset(run.facts["approval"] for run in result.tool_calls if "decision" in run.facts)


def unsettled(result: AgentResult | None, approvals: Sequence[Approval]) -> tuple[Approval, ...]:
    """Return the decided approvals whose decision is not yet on the record."""
    known = answered(result) if result else frozenset[int]()
    return tuple(one for one in approvals if one.is_decided and one.id not in known)


def is_settled(report: Report) -> bool:
    """Tell whether every decision and correction of a person about a case has been carried out."""
    known = report.case.correction.id if report.case.correction else 0
    corrected = not report.corrections or report.corrections[-1].id == known
    return corrected and not unsettled(report.case.result, report.approvals)


def with_decision(result: AgentResult, approval: Approval, came: Json) -> AgentResult:
    """Record a decision and its result as one more call; the parked part of the original call is closed."""
    decision: dict[str, Json] = {
        "approval": approval.id,
        "decision": approval.state.value,
        "by": approval.by,
        "reason": approval.reason,
    }
    if approval.instruction:
        decision["instruction"] = approval.instruction
    last = ToolRun(
        tool=approval.tool,
        arguments=json.loads(approval.exact),
        result={**came, **decision},
        iteration=result.iterations,
    )
    runs = (*(_without(run, approval.id) for run in result.tool_calls), last)
    waits = any(waits_for(run.result) for run in runs)
    status = RunStatus.COMPLETED if result.status is RunStatus.AWAITING_APPROVAL and not waits else result.status
    return replace(result, tool_calls=runs, status=status)


def with_proposal(result: AgentResult, approval: Approval) -> AgentResult:
    """Record a proposal as if the model had called the tool and waited for a person."""
    waits: Json = {"status": "awaiting_approval", "approval": approval.id, "reason": approval.reason}
    call = ToolRun(
        tool=approval.tool, arguments=json.loads(approval.arguments), result=waits, iteration=result.iterations
    )
    status = RunStatus.AWAITING_APPROVAL if result.status is RunStatus.COMPLETED else result.status
    return replace(result, tool_calls=(*result.tool_calls, call), status=status)


def of_the_run(result: AgentResult) -> frozenset[int]:
    """Return the approvals that calls of the run wait for, without those that code proposed."""
    waiting = (run.facts.get("waiting") or () for run in result.tool_calls)
    return frozenset(int(one["approval"]) for parts in waiting for one in parts)


def gone_on(fresh: AgentResult, before: AgentResult, heard: frozenset[int]) -> AgentResult:
    """Merge the earlier decisions into the record of a continued run; `heard` are the ids of those that the model was told of."""
    runs = fresh.tool_calls
    for approval in answered(before):
        runs = tuple(_without(run, approval) for run in runs)
    runs = (*runs, *(_heard(run, heard) for run in before.tool_calls if _beside(run.facts)))
    waits = any(waits_for(run.result) for run in runs)
    ended = fresh.status in {RunStatus.COMPLETED, RunStatus.AWAITING_APPROVAL}
    status = RunStatus.AWAITING_APPROVAL if waits else RunStatus.COMPLETED
    return replace(fresh, tool_calls=runs, status=status if ended else fresh.status)


def _beside(came: Mapping[str, Json]) -> bool:
    """Tell whether this is a decision or a proposal of code, which no replay of the run gives again."""
    return "decision" in came or ("approval" in came and "waiting" not in came)


def _heard(run: ToolRun, heard: frozenset[int]) -> ToolRun:
    return replace(run, result={**run.result, "followed": True}) if run.result.get("approval") in heard else run


def _without(run: ToolRun, approval: int) -> ToolRun:
    """Mark this part of the call as decided."""
    result = run.result
    if not isinstance(result, Mapping):
        return run
    if result.get("status") == "awaiting_approval" and result.get("approval") == approval:
        result = {**result, "status": "decided"}
    if "waiting" in result:
        result = {**result, "waiting": [one for one in result["waiting"] if one["approval"] != approval]}
    return replace(run, result=result)
