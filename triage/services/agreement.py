"""Asks the tracker what people changed on the tickets that we created: called by `triage agreement`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from triage.domain.errors import TicketGone
from triage.domain.ports import TrackerView
from triage.domain.tickets import Ticket
from triage.policy.decision.agreement import TicketAgreement, agreement_of

AT_ONCE: Final = 4
"""Changelogs that are read at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementService:
    """Reads only. Raises what the tracker raises."""

    tracker: TrackerView

    async def tickets(self, days: int, told: Callable[[int, int], None]) -> tuple[TicketAgreement, ...]:
        """Judge the tickets of the last `days`, oldest first; those that have left the project are skipped.

        `told` hears how many of how many are done.
        """
        me, ours = await self.tracker.people.me(), await self.tracker.tickets.ours(days)
        found: list[TicketAgreement | None] = []
        for start in range(0, len(ours), AT_ONCE):
            found += await asyncio.gather(*(self._one(ticket, me) for ticket in ours[start : start + AT_ONCE]))
            told(len(found), len(ours))
        return tuple(one for one in found if one is not None)

    async def _one(self, ticket: Ticket, me: str) -> TicketAgreement | None:
        try:
            return agreement_of(ticket, await self.tracker.tickets.changes(ticket.key), me)
        except TicketGone:
            return None
