"""Insights over a real store."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from cli.wiring.intake import health_of
from integrations.sql.operations.insights import SqlInsights
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, opened, step
from tests.unit.triage.services.operations.journal import answered
from triage.config.settings import Isolated, load
from triage.domain.approvals import Correction
from triage.domain.cases import Outcome
from triage.domain.findings import Classification, Cues, Disposition
from triage.domain.mailboxes import SyncCursor
from triage.domain.operations.insights import EndedCases
from triage.services.operations.insights import Insight, InsightsService

DAY = 86_400


class Counted(SqlInsights):
    """Remembers which days were read."""

    asked: list[tuple[date, date]]

    async def ended(self, first: date, last: date) -> tuple[EndedCases, ...]:
        """The cases."""
        self.asked.append((first, last))
        return await super().ended(first, last)


@pytest.fixture
def service(store: SqlStore, clock: HeldClock) -> InsightsService:
    """The service, as wiring builds it."""
    counted = Counted(store._database)
    counted.asked = []
    health = health_of(load(Isolated), store)
    return InsightsService(store=counted, log=store.audit, health=health, clock=clock, project="OPS")


async def end(store: SqlStore, clock: HeldClock, number: int, outcome: Outcome, ticket: str | None) -> str:
    """A mail that ends after a minute."""
    leased = await opened(store, number)
    await clock.sleep(60)
    case = replace(await leased.cases.load(), classification=Classification(cues=Cues(languages=("sv", "en"))))
    done = case.closed(outcome, "why", ticket)
    await leased.cases.save(done, step("dispatch"), ended=True)
    await store.jobs.open(leased.lease).cases.finish()
    return leased.lease.case


def totals(seen: Insight, name: str) -> dict[str, float]:
    """Sum of each series of a chart."""
    chart = seen.chart(name)
    assert chart
    return {one.name: sum(filter(None, one.values)) for one in chart.series}


async def test_a_period(service: InsightsService, store: SqlStore, clock: HeldClock) -> None:
    """Mails, pace, agreement and cost of the days asked for, of all projects or of one."""
    await end(store, clock, 1, Outcome.TICKETED, "OPS-1")
    await clock.sleep(10 * DAY)
    await end(store, clock, 2, Outcome.TICKETED, "OPS-2")
    await end(store, clock, 3, Outcome.COMMENTED, "WEB-9")
    wrong = await end(store, clock, 4, Outcome.IGNORED, None)
    await store.decisions.correct(Correction(case=wrong, disposition=Disposition.WORK, by="ada"))
    await answered(store, 5, [0.5, 0.25])
    at = clock.now()
    await store.mailboxes.keep(SyncCursor(name="help", account="a", floor=at, complete_at=at, changed_at=at))
    await clock.sleep(30)
    unknown = await service.insight(30, "NONE")
    week, month, web = await service.insight(7), await service.insight(30), await service.insight(30, "WEB")

    assert (week.mails, month.mails, web.mails, unknown.mails) == (3, 4, 1, 0)
    assert totals(week, "outcomes") == {"ticketed": 1, "commented": 1, "ignored": 1}
    assert totals(month, "joined") == {"new ticket": 2, "duplicate": 1}
    assert (week.joined, web.joined) == (1, 1)
    assert week.agreement == pytest.approx(100 * 2 / 3)
    assert web.agreement == 100
    assert week.p50 == pytest.approx(60, rel=0.05)
    assert week.p95 == pytest.approx(60, rel=0.05)
    assert totals(week, "cost") == {"some-model": 0.75}
    assert week.cost == 0.75
    assert totals(week, "lag") == {"lag": 30}
    assert week.projects == ("OPS", "WEB")
    assert week.chart("nothing") is None
    languages = week.chart("languages")
    assert languages
    assert languages.rows == ("Swedish",)
    assert len(month.charts[0].rows) == 30
    assert month.charts[0].rows[-1] == str(clock.now().date())


async def test_days_that_are_over_are_kept(service: InsightsService, store: SqlStore, clock: HeldClock) -> None:
    """A second look reads today and yesterday alone, and sees what has ended since."""
    await end(store, clock, 1, Outcome.TICKETED, "OPS-1")
    first = await service.insight(30)
    await end(store, clock, 2, Outcome.IGNORED, None)
    second = await service.insight(30)
    asked = service.store.asked  # type: ignore[attr-defined] # of `Counted`

    assert (first.mails, second.mails) == (1, 2)
    assert [(last - since).days for since, last in asked] == [29, 1]


async def test_nothing_yet(service: InsightsService) -> None:
    """An empty installation has charts without values, and says that it knows nothing."""
    seen = await service.insight(90)

    assert all(chart.is_empty for chart in seen.charts)
    assert (seen.mails, seen.agreement, seen.p50, seen.projects) == (0, None, None, ())
    assert Counter(chart.name for chart in seen.charts).most_common(1)[0][1] == 1
