"""Merges a case's ticket into another one: links them, comments on both, and sends later mails to the other."""

from typing import Final

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.pipeline.context import Services
from triage.pipeline.overtaken import place_of
from triage.pipeline.scope import context_of, writes_of
from triage.policy.ticket.comments import merge_comments
from triage.policy.ticket.footer import signed
from triage.toolsets.tickets.tools import origin

LINK: Final = "duplicates"
"""The port's word for the link of a duplicate."""


async def merged(approval: Approval, case: Case, at: Services) -> Json:
    """Link both tickets and comment on them, each write once. Later mails follow, since `CaseHistory.survivor` reads the order."""
    gone, stays, place = approval.ticket, approval.becomes, place_of(approval)
    writes, about = writes_of(case, at), await at.tracker.tickets.get(gone)
    there, here = merge_comments(about, stays, approval.by)
    foot = origin(context_of(case, at))
    await writes.link(gone, stays, LINK)
    await writes.comment(stays, signed(there, foot), place)
    await writes.comment(gone, signed(here, foot), place)
    return {"status": "merged", "key": gone, "done": [f"{gone} into {stays}"], "left": []}
