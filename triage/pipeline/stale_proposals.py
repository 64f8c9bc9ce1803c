"""Checks whether an accepted proposal is still valid: the ticket's field and the thread must be unchanged."""

from typing import Final

from triage.domain.approvals import Approval
from triage.domain.errors import TicketGone
from triage.pipeline.context import Services
from triage.policy.decision.proposals import HELD, current_value

LETTERS: Final = frozenset({"letter", "draft"})


def place_of(approval: Approval) -> str:
    """Return the place of an accepted call: part of its effects' keys, and its key in the journal."""
    return f"approval-{approval.id}"


async def overtaken(approval: Approval, at: Services) -> str:
    """Return why the proposal is no longer valid; empty if it is, or was begun. For a deleted ticket the write itself fails."""
    if any(effect.key.endswith(f":{place_of(approval)}") for effect in await at.ledger.effects()):
        return ""
    if approval.effect in LETTERS and (later := await at.approvals.newer_mail()):
        return f"a later mail of the thread has come ({later})"
    if not approval.ticket or approval.field not in HELD or not approval.was:
        return ""
    try:
        now = current_value(approval.field, await at.tracker.tickets.get(approval.ticket))
    except TicketGone:
        return ""
    return "" if now == approval.was else f"{approval.field} of {approval.ticket} is {now} now, and was {approval.was}"
