"""Figures over a real store."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from cli.wiring.intake import health_of
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.unit.triage.services.operations.journal import answered
from triage.config.settings import Isolated, load
from triage.domain.channels.notices import Notice
from triage.services.operations.stats import Spending, StatsService


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


DECEMBER = datetime(2026, 12, 1, tzinfo=UTC)


async def test_a_month_ends_its_sum(store: SqlStore, clock: HeldClock) -> None:
    """Answers count in the month in which they came; the next month begins at nothing."""
    spending = Spending(log=store.audit, clock=clock, cap=0.05)
    await answered(store, 1, [0.02, 0.02, None])
    before = await spending.used_up()
    await answered(store, 2, [0.01])
    after, budget = await spending.used_up(), await spending.budget()
    clock.time = DECEMBER

    assert (before, after) == (False, True)
    assert budget.spent_usd == pytest.approx(0.05)
    assert (budget.month, budget.unpriced) == ("2026-11", 1)
    assert budget.resets_at == DECEMBER
    assert not await spending.used_up()
    assert (await spending.budget()).spent_usd == 0


async def test_processes_count_together(store: SqlStore, clock: HeldClock, tmp_path: Path) -> None:
    """What one process has spent another one sees at once, and a restarted one still knows."""
    other = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", clock)
    await answered(store, 1, [0.6])
    await answered(other, 2, [0.6])
    caps = [Spending(log=at.audit, clock=clock, cap=1.0) for at in (store, other)]

    assert [await one.used_up() for one in caps] == [True, True]
    await other.close()


async def test_people_hear_it_once_a_month(store: SqlStore, clock: HeldClock) -> None:
    """However many mails come in, a process tells the end of a budget once; without a cap nothing is read or told."""
    told: list[Notice] = []

    async def tell(notice: Notice) -> None:
        told.append(notice)

    spending = Spending(log=store.audit, clock=clock, cap=0.0, tell=tell)
    assert [await spending.used_up() for _ in range(3)] == [True] * 3
    clock.time = DECEMBER
    await spending.used_up()
    await store.close()

    assert [one.key for one in told] == ["budget-2026-11", "budget-2026-12"]
    assert not await Spending(log=store.audit, clock=clock, cap=None, tell=tell).used_up()
