"""Reads from a case in the shadow what it would have written."""

from collections.abc import Mapping
from typing import Any

from triage.domain.cases import Case, Outcome
from triage.policy.decision.agreement.changelog import OverruledDecision
from triage.policy.decision.agreement.shadow import Intention, TrackerAction
from triage.policy.decision.outside_tools import OUTSIDE
from triage.toolsets.outcome import ENDS, would_write
from triage.toolsets.table import RULES

ACTIONS: Mapping[Outcome, TrackerAction] = {
    Outcome.TICKETED: TrackerAction.TICKET,
    Outcome.COMMENTED: TrackerAction.COMMENT,
}


def intention_of(case: Case) -> Intention | None:
    """Return what a case would have written or left alone; None for one that was written."""
    if case.outcome is Outcome.IGNORED:
        return Intention(action=TrackerAction.NONE)
    if case.outcome is Outcome.WAITING:
        return Intention(action=TrackerAction.PERSON)
    if case.outcome is not Outcome.SHADOWED:
        return None
    for kind, outcome in ENDS:
        for call in would_write(case):
            rule = RULES.get(str(call.get("tool")), OUTSIDE)
            if rule and kind in rule.kinds(call) and outcome in ACTIONS:
                return _of(ACTIONS[outcome], call, str(call.get(rule.target, "")))
    return Intention(action=TrackerAction.NONE)


def _of(action: TrackerAction, call: Mapping[str, Any], target: str) -> Intention:
    if action is not TrackerAction.TICKET:
        return Intention(action=action, ticket=target)
    fields = {
        OverruledDecision.TYPE: str(call.get("issue_type") or ""),
        OverruledDecision.PRIORITY: str(call.get("priority") or ""),
        OverruledDecision.COMPONENT: ", ".join(sorted(call.get("components") or ())),
        OverruledDecision.ASSIGNEE: str(call.get("assignee") or ""),
    }
    return Intention(action=action, fields=fields)
