"""Derives a case's outcome and reason from the effects that were written, never from a model's own words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from triage.domain.cases import Case, End, Outcome
from triage.domain.conversation import ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Review
from triage.policy.decision.finish import finish_of
from triage.policy.decision.outside_tools import OUTSIDE
from triage.policy.decision.person_decisions import decided
from triage.toolsets.table import KINDS, RULES, TOOLSETS

ENDS: Final = tuple((kind.name, kind.ends) for kind in KINDS.values() if kind.ends is not None)
"""(Kind of effect, outcome) by rank: the first kind that was written gives the outcome."""


def end_of(case: Case, review: Review, effects: Sequence[Effect]) -> End:
    """Return how the case ends; if a person refused everything, that is the outcome."""
    done = {e.kind: e for e in reversed(effects) if e.state is EffectState.DONE}  # the first of each kind
    decisions = tuple(decided(case))
    ended = finish_of(case)
    aside = bool(decisions) or (ended is not None and ended.aside)
    kind, outcome = next(((k, o) for k, o in ENDS if k in done), ("", Outcome.IGNORED if aside else Outcome.WAITING))
    ticket = (done[kind].target or done[kind].result) if kind else case.ticket
    sentences = account(case, effects)
    if not review.unattended:
        waits = "; ".join(review.reasons)
        reason = f"{sentences} Waiting: {waits}" if sentences else waits
        return End(outcome=Outcome.WAITING, reason=reason, ticket=ticket)
    refused = [one.refusal for one in decisions]
    if ended and ended.aside and not kind:
        refused.append(f"{str(ended.disposition).replace('_', ' ')}, as the model says: {ended.reason}")
    return End(outcome=outcome, reason=" ".join(filter(None, [sentences, *refused])) or f"{outcome}", ticket=ticket)


def in_shadow(case: Case, end: End, effects: Sequence[Effect]) -> End:
    """Return the end of a case of which something ran in the shadow: without a ticket that nobody has created."""
    written = [effect for effect in effects if effect.state is EffectState.DONE and effect.kind in dict(ENDS)]
    if written or not planned(case):
        return end
    outcome = end.outcome if end.outcome is Outcome.WAITING else Outcome.SHADOWED
    return End(outcome=outcome, reason=end.reason, ticket=None)


def account(case: Case, effects: Sequence[Effect]) -> str:
    """Say in sentences what was written and why; empty if nothing was."""
    done = [effect for effect in effects if effect.state is EffectState.DONE and _verb(effect)]
    sentences = [sentence for run in case.calls if (sentence := _sentence(run))]
    sentences = sentences or [f"{_verb(effect)} {effect.target or effect.result}." for effect in done]
    why = [sentence for toolset in TOOLSETS for sentence in toolset.reasons(case, done)]
    return " ".join([*sentences, *why]) if sentences else ""


def planned(case: Case) -> tuple[Effect, ...]:
    """Return what a dry run would have written, as effects, so that its case ends like a real one."""
    calls = [(place, call, RULES.get(str(call.get("tool")), OUTSIDE)) for place, call in enumerate(would_write(case))]
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


def would_write(case: Case) -> list[Mapping[str, Any]]:
    """Return the calls that a dry run, or the shadow, has not made, in order."""
    return [run.facts["would"] for run in case.calls if run.facts.get("status") == "dry_run"]


def _sentence(run: ToolRun) -> str:
    """Say what a call has written, or would have in a dry run; empty if nothing."""
    rule = RULES.get(run.tool, OUTSIDE)
    if rule is None or not isinstance(run.result, Mapping) or "error" in run.result:
        return ""
    return rule.describe(run)


def _verb(effect: Effect) -> str:
    kind = KINDS.get(effect.kind)
    return kind.verb if kind else ""
