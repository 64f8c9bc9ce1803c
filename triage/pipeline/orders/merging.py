"""Merges a case's ticket into another one, or splits one of several matters off into a ticket of its own."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.tickets import TicketDraft
from triage.pipeline.context import Services
from triage.pipeline.scope import context_of, writes_of
from triage.pipeline.stale_proposals import place_of
from triage.policy.text.cues import cues_of
from triage.policy.ticket.attachments import relating
from triage.policy.ticket.checklist import TEXT, mail_of_part
from triage.policy.ticket.comments import merge_comments, part_comment
from triage.policy.ticket.footer import signed
from triage.policy.ticket.labels import labels_for
from triage.policy.ticket.why_panel import why_part
from triage.toolsets.tickets.pictures import with_picture_names
from triage.toolsets.tickets.tools import origin, written

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


async def parted(approval: Approval, case: Case, at: Services) -> Json:
    """Create, link and comment, each write once. Raises `TicketGone` before any write if the first ticket is gone."""
    wish, place, writes = json.loads(approval.exact), place_of(approval), writes_of(case, at)
    first, project = await at.tracker.tickets.get(approval.ticket), await at.tracker.metadata.project()
    draft = await _draft(wish, approval, case, at)
    created = await writes.create(draft, project.key, place)
    if kind := relating(project):
        await writes.link(first.key, created.key, kind)
    text = part_comment(wish["part"], wish["title"], created.key, approval.by)
    await writes.comment(first.key, signed(text, origin(context_of(case, at))), place)
    about = await written(context_of(case, at), draft, created)
    done = [f"part {wish['part']} of {first.key} to {created.key}"]
    return {"status": "created", "key": created.key, "url": created.url, **about, "done": done, "left": []}


async def _draft(wish: Mapping[str, Json], approval: Approval, case: Case, at: Services) -> TicketDraft:
    """Return the ticket as the person saw it; labels and reasons come from the part's text."""
    mail = mail_of_part(case.mail, wish["title"], wish[TEXT])
    about = replace(case, message=mail, classification=replace(case.classification, cues=cues_of(mail)))
    described = await with_picture_names(approval.ticket, wish["description"], mail, writes_of(case, at))
    draft = TicketDraft(
        summary=wish["summary"],
        description=signed(described, origin(context_of(case, at))),
        issue_type=wish["issue_type"],
        priority=wish.get("priority"),
        labels=labels_for(about, at.rules.labels, at.rules.domains),
        components=tuple(wish.get("components", ())),
        affects_versions=tuple(wish.get("affects_versions", ())),
        due_date=date.fromisoformat(wish["due_date"]) if "due_date" in wish else None,
    )
    why = why_part(about, draft, f"{wish['part']} of {approval.ticket}", approval.by, at.rules.links)
    return replace(draft, panel=why)
