"""Carries out what people decided about the parked calls of this case."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final

from triage.agent.loop import dumped
from triage.agent.run import accepted
from triage.domain.approvals import AMEND, MERGE, PART, UNDO, Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import Denied, Permanent, Refused
from triage.pipeline.context import Services
from triage.pipeline.orders.amending import amended
from triage.pipeline.orders.merging import merged, parted
from triage.pipeline.resuming import go_on
from triage.pipeline.scope import scope_of
from triage.pipeline.stale_proposals import overtaken, place_of
from triage.pipeline.undoing import undone
from triage.policy.decision.person_decisions import Decided, decided
from triage.policy.decision.run_record import unsettled, with_decision


async def settle(case: Case, at: Services) -> Case:
    """Carry out accepted calls, each at most once, record every decision in the case's result, and resume the agent."""
    if case.result is None or at.rules.dry_run:
        return case
    result = case.result
    settled = [await _settled(one, case, at) for one in unsettled(result, await at.approvals.approvals())]
    for approval, came in settled:
        result = with_decision(result, approval, came)
    return await go_on(replace(case, result=result), settled, case, at)


async def _settled(approval: Approval, case: Case, at: Services) -> tuple[Approval, Json]:
    """Return the approval, which may be void, with the result of its call. `Transient` errors raise, and the step is repeated."""
    if approval.state is not ApprovalState.ACCEPTED:
        return approval, _replaced(approval) if approval.superseded_by else {}
    if kept := await at.journal.result(case.run_id, place_of(approval)):
        return approval, json.loads(kept)
    if approval.bound not in {"", approval.hash}:
        return approval, {"error": "what is stored is not what was accepted"}
    if why := await overtaken(approval, at):
        await at.approvals.void(approval.id)
        return replace(approval, state=ApprovalState.VOID), {"overtaken": why}
    at.failpoint("approval.recorded")
    came = await _done(approval, case, at)
    await at.journal.keep_result(case.run_id, place_of(approval), approval.tool, approval.exact, dumped(came))
    at.failpoint("approval.executed")
    return approval, came


def _replaced(approval: Approval) -> Json:
    """Name the approval that replaced this one, and how that one ended."""
    return {"superseded_by": approval.superseded_by, "successor": approval.successor}


ORDERS: Final[Mapping[str, Callable[[Approval, Case, Services], Awaitable[Json]]]] = {
    AMEND: amended,
    MERGE: merged,
    PART: parted,
}
"""Orders of people about the ticket of a case, by the tool's name that their approval has."""


async def _done(approval: Approval, case: Case, at: Services) -> Json:
    """Run an accepted call and return its result."""
    if approval.tool == UNDO:
        return await undone(approval, case, at)
    try:
        if carry_out := ORDERS.get(approval.tool):
            return await carry_out(approval, case, at)
        scope = scope_of(case, at, by=approval.by)
        return await accepted(scope, at.toolbox[approval.tool], approval.exact, place_of(approval))
    except Denied:
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
