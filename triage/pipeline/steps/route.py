"""Choose the way: the first rule that matches says pipeline or agent, and which profile."""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case
from triage.policy.routing import route_of


async def route(case: Case, at: Services) -> Case:
    """The case with its route."""
    return replace(case, route=route_of(case.mail, at.rules.routing))
