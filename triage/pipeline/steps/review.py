"""May it stand unattended, or does a person look?"""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case
from triage.policy.review import review_of


async def review(case: Case, at: Services) -> Case:
    """The case with the verdict and its reasons."""
    return replace(case, review=review_of(case, await at.book.effects()))
