"""Reviews the case: says whether a person has to look, and why."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.effects import Effect
from triage.pipeline.context import Services
from triage.policy.decision.review import review_of
from triage.toolsets.outcome import planned


async def review(case: Case, at: Services) -> Case:
    """The case with the verdict and its reasons."""
    return replace(case, review=review_of(case, await effects_of(case, at)))


async def effects_of(case: Case, at: Services) -> tuple[Effect, ...]:
    """What was written; in a dry run, what would have been."""
    return planned(case) if at.rules.dry_run else await at.ledger.effects()


def describe(_before: Case, after: Case) -> str:
    """The reasons why a person looks, if there are any."""
    return "; ".join(after.review.reasons) or "may stand" if after.review else ""
