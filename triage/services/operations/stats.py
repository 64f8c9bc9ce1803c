"""Figures of an installation: cases, mails by day, cost, what waits."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from triage.domain.channels.notices import Notice
from triage.domain.operations.audit import AuditFilter, Budget, Stats
from triage.domain.ports import Archive, AuditLog, Clock
from triage.policy.operations.spending import budget_notice, month_of
from triage.services.health import HealthService


@dataclass(slots=True, kw_only=True)
class Spending:
    """Called before a model is asked, by stats and by health. Raises `StoreDown`.

    The sum is read from the journal of answers, so that a restart forgets nothing and all processes count together.
    """

    log: AuditLog
    clock: Clock
    cap: float | None
    """USD a month; None: no cap."""
    tell: Callable[[Notice], Awaitable[None]] | None = None
    """Sends the notice; None: no notice is sent."""
    _told: str = field(default="")
    """The month for which this process has sent the notice."""

    async def budget(self) -> Budget:
        """Return what this month has cost so far."""
        month, begin, end = month_of(self.clock.now())
        spent, unpriced = await self.log.spent(begin)
        return Budget(month=month, spent_usd=spent, cap_usd=self.cap, unpriced=unpriced, resets_at=end)

    async def used_up(self) -> bool:
        """Whether the budget is used up, so that rules decide; sends a notice once a month. Reads nothing without a cap."""
        if self.cap is None:
            return False
        budget = await self.budget()
        if budget.used_up and self._told != budget.month and self.tell is not None:
            self._told = budget.month
            await self.tell(budget_notice(budget))
        return budget.used_up


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
