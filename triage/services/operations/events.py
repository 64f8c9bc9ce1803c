"""Reads the events of cases in order, for subscribers."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from triage.domain.operations.audit import CaseEvent
from triage.domain.ports import AuditLog, Clock

SETTLED: Final = timedelta(seconds=2)
"""Minimum age of a published event: of two concurrent writes the later number may become visible first."""
BATCH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFeed:
    """Called by the HTTP API. Raises `StoreDown`."""

    log: AuditLog
    clock: Clock

    async def newest(self) -> int:
        return await self.log.last_event()

    async def after(self, number: int) -> tuple[CaseEvent, ...]:
        """Return the next events after this one, at most a hundred, in order."""
        return await self.log.events_after(number, self.clock.now() - SETTLED, BATCH)
