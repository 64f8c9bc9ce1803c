"""Ends the case: sets outcome, ticket and the sentence that says what was written."""

from triage.agent.services import Services
from triage.domain.cases import Case, Review
from triage.pipeline.steps.review import effects_of
from triage.policy.decision.review import outcome_of


async def dispatch(case: Case, at: Services) -> Case:
    """The case with its outcome."""
    return outcome_of(case, case.review or Review(unattended=False), await effects_of(case, at))


def describe(_before: Case, after: Case) -> str:
    """The end and its ticket."""
    return f"{after.outcome} {after.ticket or ''}".strip()
