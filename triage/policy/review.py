"""May a case stand as it is, and how did it end? Read from what was really written, never from what was said."""

from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.cases import Case, Effect, EffectState, Outcome, Review
from triage.domain.conversation import Json, RunStatus

ENDS: Final = (
    ("create", Outcome.TICKETED),
    ("comment", Outcome.COMMENTED),
    ("change", Outcome.UPDATED),
    ("transition", Outcome.UPDATED),
)
"""What an effect makes of a case; the first that holds."""


def review_of(case: Case, effects: Sequence[Effect]) -> Review:
    """Reasons why a person should look, if there are any."""
    result = case.result
    if result is None:
        return Review(unattended=False, reasons=("nothing has decided about this mail",))
    written = [e for e in effects if e.state is EffectState.DONE]
    reasons = []
    if result.status is RunStatus.AWAITING_APPROVAL:
        reasons += [_parked(run.result) for run in result.tool_calls if _is_parked(run.result)]
    elif result.status is not RunStatus.COMPLETED:
        reasons.append(result.error or f"the model did not come to an end in {result.iterations} rounds")
    elif not written:
        reasons.append("nothing was written: " + (last_trouble(case) or result.final_message or "no reason given"))
    return Review(unattended=not reasons, reasons=tuple(reasons))


def outcome_of(case: Case, review: Review, effects: Sequence[Effect]) -> Case:
    """The case with its end."""
    done = {e.kind: e for e in effects if e.state is EffectState.DONE}
    kind, outcome = next(((k, o) for k, o in ENDS if k in done), ("", Outcome.WAITING))
    ticket = (done[kind].target or done[kind].result) if kind else case.ticket
    if not review.unattended:
        return case.closed(Outcome.WAITING, "; ".join(review.reasons), ticket)
    said = case.result.final_message if case.result else ""
    return case.closed(outcome, " ".join(said.split()) or f"{outcome}", ticket)


def planned(case: Case) -> tuple[Effect, ...]:
    """What a dry run would have written, as effects, so that its case ends as the real one would."""
    runs = case.result.tool_calls if case.result else ()
    would = [r.result["would"] for r in runs if isinstance(r.result, dict) and r.result.get("status") == "dry_run"]
    return tuple(
        Effect(key=f"dry:{place}", kind=kind, target=str(w.get("ticket_key", "")), state=EffectState.DONE, result="new")
        for place, w in enumerate(would)
        for kind in _kinds(w)
    )


def last_trouble(case: Case) -> str:
    """The last thing a tool complained about."""
    results = [run.result for run in case.result.tool_calls] if case.result else []
    errors = [str(r["error"]) for r in results if isinstance(r, dict) and "error" in r]
    return errors[-1] if errors else ""


def _kinds(would: Mapping[str, Json]) -> tuple[str, ...]:
    """Which effects a call stands for."""
    if would.get("tool") == "create_jira_ticket":
        return ("create",)
    return tuple(kind for name, kind in (("comment", "comment"), ("status", "transition")) if would.get(name))


def _is_parked(result: object) -> bool:
    return isinstance(result, dict) and result.get("status") == "awaiting_approval"


def _parked(result: object) -> str:
    return str(result.get("reason", "")) if isinstance(result, dict) else ""
