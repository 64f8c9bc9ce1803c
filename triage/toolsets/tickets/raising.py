"""Raises the priority of an existing ticket, and never lowers it."""

from typing import Final

from triage.domain.tickets import TicketChange
from triage.policy.ticket.priority import above
from triage.toolsets.context import Context
from triage.toolsets.tickets.effects import CHANGE, TicketWrites

KEPT: Final = "the priority stays"


async def raised(at: Context, key: str, priority: str) -> str:
    """Set the priority where it is above the one that the ticket has now; return what was done.

    The ticket is read again, since people may have raised it meanwhile; a repeated call says what the first one did.
    """
    writes, sequence = TicketWrites(effects=at.effects, tracker=at.tracker), f"{at.sequence}:priority"
    if await at.effects.known(at.effects.effect(CHANGE.name, key, sequence, "").key) is None:
        project, ticket = await at.tracker.metadata.project(), await at.tracker.tickets.get(key)
        if not above(priority, ticket.priority, project.priorities):
            return f"{KEPT} {ticket.priority}"
    await writes.change(key, TicketChange(priority=priority), sequence)
    return f"priority {priority}"
