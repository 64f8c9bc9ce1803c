"""Records shown sprints in a run's history, and decides which tickets the playbook plans. Pure."""

from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json
from triage.policy.decision.permission import Arguments, RunHistory, ToolRule
from triage.policy.decision.playbook import Addition, Call, Results, RuleInput
from triage.policy.decision.sprints import CLOSED, FULL, SPRINT


def _seen(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    sprints = result.get("sprints") or filter(None, [result.get("sprint")])
    return history.saw(SPRINT, {int(one["id"]): _state_of(one) for one in sprints})


def _state_of(sprint: Mapping[str, Json]) -> str:
    """Return why no ticket should go into this sprint (closed or full); empty if it can."""
    return CLOSED if sprint.get("state") == CLOSED else FULL if sprint.get("full") else ""


SPRINT_RULE: Final = ToolRule(record=_seen)
ACTIVE: Final = "get_active_sprint"


def running_sprint(facts: RuleInput, results: Results) -> Addition:
    """Put an urgent ticket into the active sprint; the first turn asks which one that is."""
    if not facts.urgent:
        return Addition()
    sprints = [result for tool, result in results if tool == ACTIVE and isinstance(result, Mapping)]
    if not any(tool == ACTIVE for tool, _ in results):
        return Addition(call=Call(ACTIVE, {}), why="it is urgent: looking for the active sprint")
    sprint = next((int(one["sprint"]["id"]) for one in sprints if one.get("sprint")), None)
    return Addition(arguments={SPRINT: sprint}) if sprint else Addition()
