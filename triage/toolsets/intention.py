"""Reads from a case in the shadow what it would have written."""

from collections.abc import Mapping
from typing import Any

from triage.domain.cases import Case, Outcome
from triage.policy.decision.agreement.changelog import Decided
from triage.policy.decision.agreement.shadow import Action, Intention
from triage.policy.decision.outside_tools import OUTSIDE
from triage.toolsets.outcome import ENDS, would_write
from triage.toolsets.table import RULES

ACTIONS: Mapping[Outcome, Action] = {Outcome.TICKETED: Action.TICKET, Outcome.COMMENTED: Action.COMMENT}


def intention_of(case: Case) -> Intention | None:
    """Return what a case would have written or left alone; None for one that was written."""
    if case.outcome is Outcome.IGNORED:
        return Intention(action=Action.NONE)
    if case.outcome is Outcome.WAITING:
        return Intention(action=Action.PERSON)
    if case.outcome is not Outcome.SHADOWED:
        return None
    for kind, outcome in ENDS:
        for call in would_write(case):
            rule = RULES.get(str(call.get("tool")), OUTSIDE)
            if rule and kind in rule.kinds(call) and outcome in ACTIONS:
                return _of(ACTIONS[outcome], call, str(call.get(rule.target, "")))
    return Intention(action=Action.NONE)


def _of(action: Action, call: Mapping[str, Any], target: str) -> Intention:
    if action is not Action.TICKET:
        return Intention(action=action, ticket=target)
    fields = {
        Decided.TYPE: str(call.get("issue_type") or ""),
        Decided.PRIORITY: str(call.get("priority") or ""),
        Decided.COMPONENT: ", ".join(sorted(call.get("components") or ())),
        Decided.ASSIGNEE: str(call.get("assignee") or ""),
    }
    return Intention(action=action, fields=fields)
