"""Carries out a person's correction of a ticket's assignee, type or priority, at most once."""

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.pipeline.context import Services
from triage.pipeline.scope import writes_of
from triage.pipeline.stale_proposals import place_of
from triage.policy.approvals.amendment import Amendment, change_of, holds, ordered_changes


async def amended(approval: Approval, case: Case, at: Services) -> Json:
    """Set the fields that still hold what the person saw; return in sentences what was done and what has moved on meanwhile."""
    return await _set(approval.ticket, ordered_changes(approval.exact), place_of(approval), case, at)


async def taken_back(approval: Approval, case: Case, at: Services) -> Json:
    """Set back the fields that still hold what the person had set."""
    changes = tuple(one.back for one in ordered_changes(approval.exact) if one.old)
    return await _set(approval.ticket, changes, f"undo-{place_of(approval)}", case, at)


async def _set(key: str, changes: tuple[Amendment, ...], place: str, case: Case, at: Services) -> Json:
    """Write the changes whose fields still have their old value; repeat a write that was begun."""
    ticket = await at.tracker.tickets.get(key)
    begun = any(effect.key.endswith(f":{place}") for effect in await at.ledger.effects())
    due = tuple(one for one in changes if begun or holds(one.field, ticket)[0] == one.old)
    if due:
        await writes_of(case, at).change(key, change_of(due), place)
    left = [
        f"{one.field} of {key} is {holds(one.field, ticket)[1]} meanwhile and stays"
        for one in changes
        if one not in due
    ]
    return {"status": "amended", "key": key, "done": [f"{key}: {one.text}" for one in due], "left": left}
