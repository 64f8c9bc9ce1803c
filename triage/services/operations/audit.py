"""Reads the audit: who did what about which mail, which model was asked, and what it cost; and the events of cases, in order."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from triage.domain.operations.audit import AuditFilter, AuditReport, CaseEvent, Deed
from triage.domain.ports import AuditLog, Clock, DeedLog

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


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditService:
    """Called by `triage audit` and by the HTTP API; it writes nothing. Raises `StoreDown`."""

    log: AuditLog
    done: DeedLog

    async def report(self, where: AuditFilter, limit: int, *, words: bool = True) -> AuditReport:
        """Return sums over all rows that pass the filter, and the newest `limit` of each table; without `words` nothing that quotes mails."""
        called, events = await self.log.mcp_calls(where, limit), await self.log.events(where, limit)
        deeds, theirs = await self.done.deeds(where, limit), await self.done.deeds(where, limit, people=True)
        return AuditReport(
            spending=await self.log.spending(where),
            deeds=deeds if words else _wordless(deeds),
            runs=await self.log.runs(where, limit),
            calls=await self.log.calls(where, limit),
            events=events if words else tuple(one.wordless() for one in events),
            mcp_calls=called if words else tuple(one.wordless() for one in called),
            by_people=theirs if words else _wordless(theirs),
        )


def _wordless(deeds: tuple[Deed, ...]) -> tuple[Deed, ...]:
    return tuple(replace(one, detail="") for one in deeds)
