"""Traces over a real store."""

from collections.abc import Sequence
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from tests.unit.triage.services.operations.journal import answered
from triage.domain.operations.errors import TraceLost
from triage.domain.operations.traces import Span, Worked
from triage.services.telemetry.tracing import MOST, Tracing


class Kept:
    """A collector that keeps what it gets, or takes nothing."""

    def __init__(self, *, takes: bool = True) -> None:
        self.takes = takes
        self.spans: list[Span] = []

    async def send(self, spans: Sequence[Span]) -> None:
        """Take them."""
        if not self.takes:
            raise TraceLost("status 503")
        self.spans += spans


def tracing(store: SqlStore, kept: Kept) -> Tracing:
    """The service."""
    return Tracing(archive=store.archive, log=store.audit, export=kept, secret=b"s", redact=lambda text: text[:4])


async def test_a_case_is_told(store: SqlStore, clock: HeldClock) -> None:
    """What a worker has done is sent with its answers of models and a redacted error; an unknown case is left out."""
    case = await answered(store, 1, [0.5])
    kept, began = Kept(), clock.now()
    service = tracing(store, kept)
    service.worked(Worked(case, began, began + timedelta(seconds=9), 1, "help@example.com is away"))
    service.worked(Worked("case-99", began, began, 1))
    await service.rest()

    assert [one.name for one in kept.spans] == ["work", "chat some-model"]
    assert kept.spans[0].error == "help"


async def test_a_collector_that_is_down(store: SqlStore, clock: HeldClock) -> None:
    """A trace that is not taken is dropped; what waits is bounded, and the worker never waits for it."""
    case = await answered(store, 1, [])
    kept = Kept(takes=False)
    service = tracing(store, kept)
    for _ in range(MOST + 5):
        service.worked(Worked(case, clock.now(), clock.now(), 1))
    await service.send(Worked(case, clock.now(), clock.now(), 1))

    assert kept.spans == []
    assert service._waiting.qsize() == MOST
