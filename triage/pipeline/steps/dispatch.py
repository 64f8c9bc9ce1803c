"""Bring the case to its end: outcome, ticket, and the thread tied to it."""

from triage.agent.services import Services
from triage.domain.cases import Case, Review
from triage.pipeline.steps.review import effects_of
from triage.policy.identity import content_hash
from triage.policy.made import made_by
from triage.policy.review import outcome_of


async def dispatch(case: Case, at: Services) -> Case:
    """The case with its outcome; later mails of the thread will find the ticket, and those about the same thing, too."""
    ended = outcome_of(case, case.review or Review(unattended=False), await effects_of(case, at))
    if ended.ticket and not at.rules.dry_run:
        ids = [case.mail.message_id] if case.mail.message_id else []
        await at.book.link(ids, content_hash(case.mail), ended.ticket)
        if (ticket := made_by(case)) is not None:
            await at.index.keep([ticket])
    return ended
