"""Figures of an installation: cases, mails by day, cost, what waits."""

from dataclasses import dataclass
from datetime import timedelta

from triage.domain.operations.audit import AuditFilter, Stats
from triage.domain.ports import Archive, AuditLog, Clock
from triage.services.health import HealthService
from triage.services.operations.spending import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsService:
    """Called by the HTTP API; it writes nothing. Raises `StoreDown`."""

    archive: Archive
    log: AuditLog
    health: HealthService
    spending: Spending
    clock: Clock

    async def stats(self, days: int) -> Stats:
        """Return counts of today, and days and cost of the last `days` days."""
        since = self.clock.now() - timedelta(days=days)
        return Stats(
            counts=await self.archive.counts(),
            days=await self.log.mails_by_day(since),
            spending=await self.log.spending(AuditFilter(since=since)),
            budget=await self.spending.budget(),
            approvals_open=len(await self.archive.approvals()),
            mailboxes_in_trouble=sum(bool(one.trouble) for one in await self.health.mailboxes()),
        )
