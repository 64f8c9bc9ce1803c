"""Continues an agent's conversation after people decided about its parked calls."""

import json
from collections.abc import Sequence
from dataclasses import replace

from triage.agent.run import Scope, run
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Json
from triage.domain.errors import ContextTooLong
from triage.domain.findings import PipelineName
from triage.domain.ports import Model
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of, scope_of
from triage.policy.approvals.continuation import continuation
from triage.policy.decision.permission import recorded
from triage.policy.decision.run_record import gone_on, of_the_run
from triage.policy.text.untrusted import ours

Decided = Sequence[tuple[Approval, Json]]
"""What people decided just now, each with its result."""


async def go_on(case: Case, decided: Decided, before: Case, at: Services) -> Case:
    """Return the case after the agent got the decisions and continued; unchanged if no agent waits for them.

    The journal replays what was said before, so that budgets hold over all of it and nothing is asked or written twice.
    """
    model = _model_of(case, decided, before, at)
    first = await at.journal.opening(case.run_id) if model else None
    if model is None or first is None or case.result is None:
        return case
    scope = _scope_of(case, at)
    later = await _messages(decided, scope)
    try:
        fresh = await run(scope, at.profiles[profile_of(case)], at.toolbox, model, first, later)
    except ContextTooLong:
        return case.flagged("model-overflow")
    return replace(case, result=gone_on(fresh, case.result, frozenset(one.id for one, _ in decided)))


def _model_of(case: Case, decided: Decided, before: Case, at: Services) -> Model | None:
    """Return the model that continues; None if the run had none, or if its route no longer has one."""
    if at.model is None or before.result is None or before.result.model in {"", "playbook"}:
        return None
    waited = of_the_run(before.result)
    agent = case.route is not None and case.route.pipeline is PipelineName.AGENT
    heard = {ApprovalState.ACCEPTED, ApprovalState.REJECTED}
    wanted = any(
        one.state is ApprovalState.ANSWERED or (agent and one.state in heard and one.id in waited) for one, _ in decided
    )
    return at.model(at.profiles[profile_of(case)]) if wanted else None


def _scope_of(case: Case, at: Services) -> Scope:
    """Return the scope of the run, which has seen what accepted calls have made; its budgets have counted them before."""
    scope = scope_of(case, at)
    seen = scope.history
    for one in case.calls:
        if one.facts.get("decision") == "accepted" and one.tool in at.toolbox.names:
            seen = recorded(at.toolbox[one.tool].rule, one.arguments, one.result, seen)
    return replace(scope, history=replace(scope.history, seen=seen.seen))


async def _messages(decided: Decided, scope: Scope) -> tuple[ChatMessage, ...]:
    """Return all messages about decisions in this run, with a new one for those not yet reported; each is journalled first."""
    known: set[int] = set()
    messages: list[ChatMessage] = []
    while kept := await scope.journal.result(scope.run, f"resumed.{len(messages) + 1}"):
        read = json.loads(kept)
        known |= set(read["approvals"])
        messages.append(ChatMessage.user(ours(read["text"])))
    if new := [one for one in decided if one[0].id not in known]:
        text = continuation(new, scope.nonce)
        kept = json.dumps({"approvals": [one.id for one, _ in new], "text": text.text})
        await scope.journal.keep_result(scope.run, f"resumed.{len(messages) + 1}", "", "", kept)
        messages.append(ChatMessage.user(text))
    return tuple(messages)
