"""Metrics over a real store."""

from datetime import datetime

import pytest

from cli.wiring.intake import health_of
from integrations.sql.operations.figures import SqlFigures
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, HeldClock, mail, opened, step
from tests.unit.triage.services.operations.journal import answered
from triage.config.settings import Isolated, load
from triage.domain.cases import Outcome
from triage.domain.errors import StoreDown
from triage.domain.mailboxes import SyncCursor
from triage.domain.operations.figures import Durations
from triage.policy.operations.metrics import FAMILIES, Values
from triage.services.operations.stats import Spending
from triage.services.operations.status import StatusService
from triage.services.telemetry.metrics import MetricsService, ProcessGauges

HERE = ProcessGauges()


def metrics(
    store: SqlStore, clock: HeldClock, process: ProcessGauges = HERE, cap: float | None = None
) -> MetricsService:
    """The service, as wiring builds it."""
    status = StatusService(
        figures=store.figures,
        archive=store.archive,
        troubles=store.notices,
        log=store.audit,
        health=health_of(load(Isolated), store),
        spending=Spending(log=store.audit, clock=clock, cap=cap),
        claims=store.tracker_claims,
        clock=clock,
    )
    return MetricsService(
        status=status,
        figures=store.figures,
        archive=store.archive,
        clock=clock,
        version="1.2",
        process=process,
    )


def durations(values: Values, *labels: str) -> Durations:
    """The durations of these labels."""
    found = values[labels]
    assert isinstance(found, Durations)
    return found


async def test_counters_only_grow(store: SqlStore, clock: HeldClock) -> None:
    """Mails count from the first one on, whenever the process started; all else from the first scrape, each row once."""
    await store.inbox.accept(mail(1))
    await clock.sleep(10)
    service = metrics(store, clock)
    first = await service.read()
    leased = await opened(store, 2)
    done = (await leased.cases.load()).closed(Outcome.IGNORED, "spam")
    await leased.cases.save(done, step("dispatch"), ended=True)
    await answered(store, 3, [0.5, None])
    soon = await service.read()
    await clock.sleep(10)
    second, third = await service.read(), await service.read()

    assert first["triage_mails_accepted"] == soon["triage_mails_accepted"] == {("file",): 1}
    assert second["triage_mails_accepted"] == {("file",): 3}
    assert (first["triage_cases_ended"][("ignored",)], second["triage_cases_ended"][("ignored",)]) == (0, 1)
    assert durations(second["triage_step_duration_seconds"], "dispatch").count == 1
    assert durations(second["triage_model_call_duration_seconds"], "some-model").count == 2
    assert second["triage_model_tokens"] == {("some-model", "input"): 200, ("some-model", "output"): 20}
    assert second["triage_model_cost_usd"] == {("some-model",): 0.5}
    assert third == second
    assert set(third) <= set(FAMILIES)


async def test_every_value_has_its_labels(store: SqlStore, clock: HeldClock) -> None:
    """Each family that a busy process tells has as many values of labels as labels, and none is an address."""
    for name in ("help@example.com", "hello@example.com"):
        at = clock.now()
        await store.mailboxes.keep(SyncCursor(name=name, account="a", floor=at, complete_at=at, changed_at=at))
    await clock.sleep(60)
    spent = Durations()
    spent.add(0.2)
    busy = ProcessGauges(
        requests=lambda: {("GET", "200"): spent}, running=lambda: {"case-1": MORNING}, heartbeat=lambda: 3.0
    )
    told = await metrics(store, clock, busy, cap=9.0).read()

    assert set(told) == set(FAMILIES)
    for name, values in told.items():
        for labels in values:
            assert len(labels) == len(FAMILIES[name].labels), name
            assert not any("help@" in label for label in labels)
    assert told["triage_mailbox_lag_seconds"] == {("h…@example.com",): 60, ("h…@example.com 2",): 60}
    assert told["triage_cases"] == dict.fromkeys(told["triage_cases"], 0.0)
    assert {("ready",), ("ticketed",)} < set(told["triage_cases"])
    assert told["triage_letters"][("waiting",)] == 0
    assert told["triage_worker_cases"] == {(): 1}
    assert told["triage_worker_oldest_case_seconds"] == {(): 60}
    assert told["triage_model_month_budget_usd"] == {(): 9}


class NoFigures(SqlFigures):
    """A database that does not answer."""

    async def sources(self, until: datetime) -> dict[str, int]:
        """Nothing comes."""
        raise StoreDown("away")


async def test_a_store_that_is_down(store: SqlStore, clock: HeldClock) -> None:
    """The scrape is answered all the same, and says so."""
    running: dict[str, datetime] = {}
    service = metrics(store, clock, ProcessGauges(running=lambda: running))
    service.figures = NoFigures(store._database)
    told = await service.read()

    assert told["triage_store_up"] == {(): 0}
    assert told["triage_worker_cases"] == {(): 0}
    assert "triage_cases" not in told


@pytest.mark.parametrize(("seconds", "buckets"), [(0.2, 9), (299.0, 1), (1000.0, 0)])
def test_durations(seconds: float, buckets: int) -> None:
    """A duration counts in each bucket that is as long; one that is longer than all counts in the sum alone."""
    one = Durations()
    one.add(seconds)

    assert (sum(one.within), one.count, one.total) == (buckets, 1, seconds)
