"""Takes announcements that a ticket has changed; the index reads the ticket again from the tracker."""

from dataclasses import dataclass

from triage.domain.ports import TicketIndex


@dataclass(frozen=True, slots=True)
class TicketEvents:
    """Called by `POST /webhooks/jira`, also in a process that has no tracker."""

    index: TicketIndex

    async def changed(self, key: str) -> None:
        """The next sync of the index reads this ticket. Raises `StoreDown`."""
        await self.index.mark_stale([key])
