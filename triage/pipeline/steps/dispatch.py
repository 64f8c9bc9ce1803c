"""Ends the case: sets outcome, ticket and the sentence that says what was written, and ties its thread to the ticket.

No other place ends a case, whatever step, worker or person has decided that it ends.
"""

from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.findings import Review
from triage.pipeline.context import Services
from triage.pipeline.steps.review import effects_of
from triage.policy.thread.content_hash import content_hash
from triage.toolsets.outcome import end_of
from triage.toolsets.tickets.created_ticket import made_by

APART: Final = frozenset({Outcome.IGNORED, Outcome.QUARANTINED})
"""Nobody else's mail shall join a ticket under the headers of a mail that was set aside."""


async def dispatch(case: Case, at: Services) -> Case:
    """The case with its outcome."""
    end = case.end or end_of(case, case.review or Review(unattended=False), await effects_of(case, at))
    ended = case.closed(end.outcome, end.reason, end.ticket)
    if ended.ticket and ended.outcome not in APART and not at.rules.dry_run:
        await _found_again(ended, ended.ticket, at)
    return ended


async def _found_again(case: Case, ticket: str, at: Services) -> None:
    """Later mails of the thread find the ticket, and so do mails about the same thing. Done again it does the same."""
    ids = [case.mail.message_id] if case.mail.message_id else []
    await at.threads.link(ids, content_hash(case.mail), ticket)
    if (made := made_by(case)) is not None:
        await at.index.keep([made])
    else:
        await at.index.mark_stale([ticket])


def describe(_before: Case, after: Case) -> str:
    """The end and its ticket."""
    return f"{after.outcome} {after.ticket or ''}".strip()
