"""What every end of a case brings, whichever step, worker or person has ended it."""

from typing import Final

from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.policy.thread.content_hash import content_hash
from triage.policy.ticket.created_ticket import made_by

APART: Final = frozenset({Outcome.IGNORED, Outcome.QUARANTINED})
"""Nobody else's mail shall join a ticket under the headers of a mail that was set aside."""


async def conclude(case: Case, at: Services) -> None:
    """Later mails of the thread find the ticket, and so do mails about the same thing. Done again it does the same."""
    if not case.ticket or case.outcome in APART or at.rules.dry_run:
        return
    ids = [case.mail.message_id] if case.mail.message_id else []
    await at.threads.link(ids, content_hash(case.mail), case.ticket)
    if (made := made_by(case)) is not None:
        await at.index.keep([made])
    else:
        await at.index.mark_stale([case.ticket])
