"""The sprint tools; they and the argument `sprint` of other tools exist only with ENABLE_SPRINTS."""

from typing import Final, Literal

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.tickets import Sprint
from triage.policy.decision.sprints import full, usual_load
from triage.toolsets.context import Context
from triage.toolsets.sprints.rules import SPRINT_RULE

State = Literal["active", "future", "closed"]


@tool(Grant.READ, SPRINT_RULE)
async def get_sprints(at: Context, state: State | None = None) -> Json:
    """The sprints of the project's board, with how many tickets are in each."""
    sprints = await at.tracker.sprints.sprints()
    return {"sprints": [line_of(one, sprints) for one in sprints if state in {None, one.state}]}


@tool(Grant.READ, SPRINT_RULE)
async def get_active_sprint(at: Context) -> Json:
    """The sprint that is running now."""
    sprints = await at.tracker.sprints.sprints()
    active = [line_of(one, sprints) for one in sprints if one.state == "active"]
    return {"sprint": active[0] if active else None}


SPRINT_TOOLS: Final = (get_sprints, get_active_sprint)


def line_of(sprint: Sprint, sprints: tuple[Sprint, ...]) -> dict[str, Json]:
    """Format a sprint for the model and for the run's history."""
    usual = usual_load(sprints)
    return {
        "id": sprint.id,
        "name": sprint.name,
        "state": sprint.state,
        "tickets": sprint.tickets,
        **({"usual_tickets": usual} if usual is not None else {}),
        **({"full": True} if full(sprint, usual) else {}),
        **({"start": sprint.start.date().isoformat()} if sprint.start else {}),
        **({"end": sprint.end.date().isoformat()} if sprint.end else {}),
    }
