"""How a case ended, read from what was really written and told in sentences; never from what a model says of itself."""

from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.cases import Case, End, Outcome
from triage.domain.conversation import ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Review
from triage.policy.decision.decided import decided
from triage.toolsets.table import KINDS, RULES, TOOLSETS

ENDS: Final = tuple((kind.name, kind.ends) for kind in KINDS.values() if kind.ends is not None)
"""What an effect makes of a case; the first that holds."""


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


def account(case: Case, effects: Sequence[Effect]) -> str:
    """What was written, then why; empty where nothing was."""
    runs = case.result.tool_calls if case.result else ()
    done = [effect for effect in effects if effect.state is EffectState.DONE and _verb(effect)]
    told = [sentence for run in runs if (sentence := _told(run))]
    told = told or [f"{_verb(effect)} {effect.target or effect.result}." for effect in done]
    why = [sentence for toolset in TOOLSETS for sentence in toolset.reasons(case, done)]
    return " ".join([*told, *why]) if told else ""


def planned(case: Case) -> tuple[Effect, ...]:
    """What a dry run would have written, as effects, so that its case ends as the real one would."""
    runs = case.result.tool_calls if case.result else ()
    would = [r.result["would"] for r in runs if isinstance(r.result, Mapping) and r.result.get("status") == "dry_run"]
    calls = [(place, call, RULES.get(str(call.get("tool")))) for place, call in enumerate(would)]
    return tuple(
        Effect(
            key=f"dry:{place}",
            kind=kind,
            target=str(call.get(rule.target, "")),
            state=EffectState.DONE,
            result="new",
        )
        for place, call, rule in calls
        if rule
        for kind in rule.kinds(call)
    )


def _told(run: ToolRun) -> str:
    """What one call has written, or in a dry run would have; empty where it has not."""
    rule = RULES.get(run.tool)
    if rule is None or not isinstance(run.result, Mapping) or "error" in run.result:
        return ""
    return rule.told(run)


def _verb(effect: Effect) -> str:
    kind = KINDS.get(effect.kind)
    return kind.verb if kind else ""
