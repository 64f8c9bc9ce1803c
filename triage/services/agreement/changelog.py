"""Asks the tracker what people changed on the tickets that we created: called by `triage agreement`."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.approvals import Approval
from triage.domain.errors import TicketGone
from triage.domain.ports import TrackerView
from triage.domain.tickets import Ticket
from triage.policy.approvals.amendment import TRACKER_FIELDS, ordered_changes
from triage.policy.decision.agreement.changelog import TicketAgreement, agreement_of, attributed_to_people

AT_ONCE: Final = 4
"""Changelogs that are read at the same time."""


async def _nothing() -> tuple[Approval, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementService:
    """Compares the fields of our tickets with what people have changed since. Reads only; raises what the tracker raises."""

    tracker: TrackerView
    amended: Callable[[], Awaitable[Sequence[Approval]]] = _nothing
    """Returns what people corrected through us: those changes are our account's, and yet theirs."""

    async def tickets(self, days: int, progress: Callable[[int, int], None]) -> tuple[TicketAgreement, ...]:
        """Judge the tickets of the last `days`, oldest first; those that have left the project are skipped.

        `progress` hears how many of how many are done.
        """
        me, ours = await self.tracker.people.me(), await self.tracker.tickets.ours(days)
        found: list[TicketAgreement | None] = []
        corrections: dict[str, dict[tuple[str, str], str]] = {}
        for order in await self.amended():
            words = {(TRACKER_FIELDS[one.field], one.becomes): order.by for one in ordered_changes(order.exact)}
            corrections.setdefault(order.ticket, {}).update(words)
        for start in range(0, len(ours), AT_ONCE):
            found += await asyncio.gather(
                *(self._one(ticket, me, corrections.get(ticket.key, {})) for ticket in ours[start : start + AT_ONCE])
            )
            progress(len(found), len(ours))
        return tuple(one for one in found if one is not None)

    async def _one(self, ticket: Ticket, me: str, corrections: Mapping[tuple[str, str], str]) -> TicketAgreement | None:
        try:
            changes = attributed_to_people(await self.tracker.tickets.changes(ticket.key), me, corrections)
            return agreement_of(ticket, changes, me)
        except TicketGone:
            return None
