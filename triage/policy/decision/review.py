"""Computes review and outcome of a case from the effects that were written, never from what a model said."""

from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.cases import Case, Effect, EffectState, End, Outcome, Review
from triage.domain.conversation import Json, RunStatus
from triage.policy.ticket.written import account, decided

ENDS: Final = (
    ("create", Outcome.TICKETED),
    ("comment", Outcome.COMMENTED),
    ("change", Outcome.UPDATED),
    ("transition", Outcome.UPDATED),
    ("sprint", Outcome.UPDATED),
)
"""Effects and the outcome that each gives a case; the first that applies counts."""


def review_of(case: Case, effects: Sequence[Effect]) -> Review:
    """Return the reasons why a person should look at the case."""
    result = case.result
    if result is None:
        return Review(unattended=False, reasons=("nothing has decided about this mail",))
    written = [e for e in effects if e.state is EffectState.DONE]
    decisions = tuple(decided(case))
    reasons = [f"{one.by} accepted this: {one.reason}; but {one.error}" for one in decisions if one.error]
    if result.status is RunStatus.AWAITING_APPROVAL:
        reasons += [reason for run in result.tool_calls for reason in waits_for(run.result)]
    elif result.status is not RunStatus.COMPLETED:
        reasons.append(result.error or f"the model did not come to an end in {result.iterations} rounds")
    elif not written and not decisions:
        reasons.append("nothing was written: " + (last_trouble(case) or result.final_message or "no reason given"))
    return Review(unattended=not reasons, reasons=tuple(reasons))


def end_of(case: Case, review: Review, effects: Sequence[Effect]) -> End:
    """Return how the case ends; if a person refused everything, that is the outcome."""
    done = {e.kind: e for e in effects if e.state is EffectState.DONE}
    decisions = tuple(decided(case))
    kind, outcome = next(
        ((k, o) for k, o in ENDS if k in done), ("", Outcome.IGNORED if decisions else Outcome.WAITING)
    )
    ticket = (done[kind].target or done[kind].result) if kind else case.ticket
    told = account(case, effects)
    if not review.unattended:
        waits = "; ".join(review.reasons)
        return End(outcome=Outcome.WAITING, reason=f"{told} Waiting: {waits}" if told else waits, ticket=ticket)
    refused = [one.refusal for one in decisions]
    return End(outcome=outcome, reason=" ".join(filter(None, [told, *refused])) or f"{outcome}", ticket=ticket)


def planned(case: Case) -> tuple[Effect, ...]:
    """Return the effects that a dry run would have written, so that its case ends like a real one."""
    runs = case.result.tool_calls if case.result else ()
    would = [r.result["would"] for r in runs if isinstance(r.result, dict) and r.result.get("status") == "dry_run"]
    return tuple(
        Effect(key=f"dry:{place}", kind=kind, target=str(w.get("ticket_key", "")), state=EffectState.DONE, result="new")
        for place, w in enumerate(would)
        for kind in _kinds(w)
    )


def last_trouble(case: Case) -> str:
    """Return the last error of a tool."""
    results = [run.result for run in case.result.tool_calls] if case.result else []
    errors = [str(r["error"]) for r in results if isinstance(r, dict) and "error" in r]
    return errors[-1] if errors else ""


def _kinds(would: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the kinds of effects that a call would write."""
    if would.get("tool") == "create_jira_ticket":
        return ("create",)
    return tuple(kind for name, kind in (("comment", "comment"), ("status", "transition")) if would.get(name))


def waits_for(result: Json) -> tuple[str, ...]:
    """Return what a person has to decide about this call, in sentences; empty if all of it ran."""
    if not isinstance(result, Mapping):
        return ()
    whole = [result] if result.get("status") == "awaiting_approval" else []  # as older versions kept it
    return tuple(str(one.get("reason", "")) for one in result.get("waiting") or whole)
