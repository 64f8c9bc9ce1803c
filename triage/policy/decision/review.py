"""Decides whether a person must review a case, from what was really written, never from what a model said."""

from collections.abc import Iterator, Mapping, Sequence

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Review
from triage.policy.decision.finish import finish_of
from triage.policy.decision.person_decisions import decided


def _without_write(case: Case, result: AgentResult) -> Iterator[str]:
    """Yield why nothing was written, unless the run has ended with a mail that is not for us."""
    ended = finish_of(case)
    if ended is None:
        yield f"nothing was written: {last_error(case) or result.final_message or 'no reason given'}"
    elif not ended.aside:
        yield f"ended as {ended.disposition} without a write: {ended.reason}"


def review_of(case: Case, effects: Sequence[Effect]) -> Review:
    """Return the reasons why a person should look at the case."""
    result = case.result
    if result is None:
        return Review(unattended=False, reasons=("nothing has decided about this mail",))
    written = [e for e in effects if e.state is EffectState.DONE]
    decisions = tuple(decided(case))
    reasons = [open_end for one in decisions if (open_end := one.open_end)]
    reasons += [f"whether this was done is not known: {e.key}" for e in effects if e.state is EffectState.UNKNOWN]
    reasons += [f"handed to a person: {why}" for run in result.tool_calls if (why := escalated(run))]
    if result.status is RunStatus.AWAITING_APPROVAL:
        reasons += [reason for run in result.tool_calls for reason in waits_for(run.result)]
    elif result.status is not RunStatus.COMPLETED:
        reasons.append(result.error or f"the model did not come to an end in {result.iterations} rounds")
    elif not written and not decisions:
        reasons += _without_write(case, result)
    return Review(unattended=not reasons, reasons=tuple(reasons))


def last_error(case: Case) -> str:
    return next((str(run.facts["error"]) for run in reversed(case.calls) if "error" in run.facts), "")


def escalated(run: ToolRun) -> str:
    """Return why a call has handed the case to a person; empty if it has not."""
    return str(run.facts.get("reason", "")) if run.facts.get("status") == "escalated" else ""


def waits_for(result: Json) -> tuple[str, ...]:
    """Return what a person has to decide about this call, in sentences; empty if all of it ran."""
    if not isinstance(result, Mapping):
        return ()
    whole = [result] if result.get("status") == "awaiting_approval" else []  # as older versions kept it
    return tuple(str(one.get("reason", "")) for one in result.get("waiting") or whole)
