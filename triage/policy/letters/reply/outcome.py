"""Reads from the record of a run what became of the answer that a case has drafted."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.letters.reply import Reply, ReplyState
from triage.policy.decision.review import waits_for


def written_by_agent(case: Case, tools: Collection[str]) -> str:
    """Return which of these letter tools the agent has called itself; empty if none."""
    return next((run.tool for run in case.calls if run.tool in tools and "error" not in run.facts), "")


def with_letter(result: AgentResult, tool: str, arguments: Mapping[str, Json], came: Json) -> AgentResult:
    """Append the call that writes the answer to the record of the run, as if the agent had made it; `came` is its result."""
    call = ToolRun(tool=tool, arguments=dict(arguments), result=came, iteration=result.iterations)
    waits = bool(waits_for(came)) and result.status is RunStatus.COMPLETED
    status = RunStatus.AWAITING_APPROVAL if waits else result.status
    return replace(result, tool_calls=(*result.tool_calls, call), status=status)


def with_outcome(case: Case) -> Reply | None:
    """Return the reply as the record of the run says: waiting, sent with its final text, or rejected by a person."""
    reply = case.reply
    if reply is None or reply.state is ReplyState.NONE or case.result is None:
        return reply
    runs = [run for run in case.calls if run.tool == reply.sent_with and run.facts]
    return _outcome(reply, runs[-1]) if runs else reply


def _outcome(reply: Reply, run: ToolRun) -> Reply:
    by = str(run.result.get("by", ""))
    if "error" in run.result:
        why = (*reply.person, f"{run.tool} failed: {run.result['error']}")
        return replace(reply, state=ReplyState.NEEDS_REVIEW, person=tuple(dict.fromkeys(why)), by=by)
    if waits_for(run.result):
        return replace(reply, state=ReplyState.NEEDS_REVIEW, person=reply.person or waits_for(run.result))
    if run.result.get("decision", "accepted") in {"rejected", "superseded", "ignored", "expired", "void"}:
        return replace(reply, state=ReplyState.REJECTED, by=by)
    return replace(reply, state=ReplyState.SENT, final=str(run.arguments.get("body", "")), by=by)
