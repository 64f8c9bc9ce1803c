"""Takes announcements that a ticket has changed; the index reads the ticket again from the tracker."""

from dataclasses import dataclass

from triage.domain.ports import TicketStore


@dataclass(frozen=True, slots=True)
class TicketEvents:
    """Called by `POST /webhooks/jira`; it needs no tracker, only the database."""

    tickets: TicketStore

    async def changed(self, key: str) -> None:
        """Mark the ticket stale, so that the next sync reads it. Raises `StoreDown`."""
        await self.tickets.mark_stale([key])
