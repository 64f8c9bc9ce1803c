"""Figures over a real store."""

from datetime import date

from cli.wiring.intake import health_of
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, mail
from tests.unit.triage.services.operations.journal import answered
from triage.config.settings import Isolated, load
from triage.services.operations.spending import Spending
from triage.services.operations.stats import StatsService


async def test_figures_of_some_days(store: SqlStore, clock: HeldClock) -> None:
    """Mails and cost by day, within the days asked for; counts of all."""
    await store.inbox.accept(mail(1))
    await clock.sleep(10 * 86_400)
    await answered(store, 2, [0.5])
    service = StatsService(
        archive=store.archive,
        log=store.audit,
        health=health_of(load(Isolated), store),
        spending=Spending(log=store.audit, clock=clock, cap=None),
        clock=clock,
    )
    week, month = await service.stats(7), await service.stats(30)

    assert [(one.day, one.mails) for one in week.days] == [(date(2026, 11, 30), 1)]
    assert [(one.day, one.mails) for one in month.days] == [(date(2026, 11, 30), 1), (date(2026, 11, 20), 1)]
    assert sum(week.counts.values()) == 2
    assert (week.budget.spent_usd, week.budget.cap_usd, week.approvals_open) == (0.5, None, 0)
