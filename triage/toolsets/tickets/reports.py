"""Collects the tenth and later reports on one ticket in one comment, which is edited as more come (decision 024)."""

from contextlib import suppress
from typing import Final

from triage.domain.errors import Behind, TrackerRejected
from triage.domain.tickets import TicketChange
from triage.policy.ticket.comments import COLLECTED_FROM, render_reports
from triage.toolsets.context import Context
from triage.toolsets.tickets.effects import COMMENT, REPORTS, TicketWrites

EDITS: Final = 5
"""Most times that one case rewrites the comment while others add reports."""


class UnwrittenReport(Behind):
    """The comment does not stand yet, and an earlier case is about to write it."""


async def collected(at: Context, key: str, writes: TicketWrites) -> bool:
    """Report the mail in the ticket's one comment on further reports, if so many comments stand there already.

    An answer in the ticket's own thread is a comment as before: it says something of its own. Raises `UnwrittenReport`.
    """
    if key == at.case.ticket or await at.effects.known(at.effects.effect(COMMENT.name, key, at.sequence, "").key):
        return False
    ledger = at.effects.ledger
    if (await ledger.reports(key)).comments < COLLECTED_FROM - 1 and not await writes.reported(key):
        return False
    await writes.report(key)
    body = ""
    for _ in range(EDITS):
        found = await ledger.reports(key)
        if body == (text := render_reports(found)):
            break
        if found.writer and not found.comment:
            raise UnwrittenReport(found.writer)
        body = text
        if found.comment:
            await writes.summarize(key, found.comment, body, REPORTS)
        else:
            await writes.comment(key, body, REPORTS)
    if (await at.tracker.metadata.project()).count_field:
        with suppress(TrackerRejected):  # the field is not on the screen for changes
            await writes.count(key, TicketChange(reports=found.comments + found.count + 1))
    return True
