"""Decides whether a person must review the case, and why."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.effects import Effect
from triage.pipeline.context import Services
from triage.policy.decision.review import review_of
from triage.policy.letters.reply.outcome import with_outcome
from triage.toolsets.outcome import planned


async def review(case: Case, at: Services) -> Case:
    review = review_of(case, await effects_of(case, at))
    return (
        replace(case, review=review) if case.reply is None else replace(case, review=review, reply=with_outcome(case))
    )


async def effects_of(case: Case, at: Services) -> tuple[Effect, ...]:
    """Return the written effects, and those that a dry run or the shadow would have written."""
    return planned(case) if at.rules.dry_run else (*await at.ledger.effects(), *planned(case))


def describe(_before: Case, after: Case) -> str:
    return "; ".join(after.review.reasons) or "may stand" if after.review else ""
