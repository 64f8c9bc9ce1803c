"""What people change about a case is done at once, whoever asks for it."""

from dataclasses import dataclass, field

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, due, full, opened, step
from triage.domain.findings import Disposition
from triage.services.cases import CaseService


@dataclass
class Woken:
    """A notifier that remembers."""

    cases: list[str] = field(default_factory=list)

    async def notify(self, case: str) -> None:
        """Remember the case."""
        self.cases.append(case)


async def test_a_correction_wakes_a_worker(store: SqlStore, clock: HeldClock) -> None:
    """The case is due, and a worker need not look for it."""
    leased, woken = await opened(store), Woken()
    await leased.cases.save(full(await leased.cases.load()), step())
    await store.jobs.open(leased.lease).cases.finish()
    cases = CaseService(
        jobs=store.jobs,
        archive=store.archive,
        decisions=store.decisions,
        deeds=store.deeds,
        notifier=woken,  # type: ignore[arg-type]
    )

    corrected = await cases.correct("1", Disposition.WORK, "ada")

    assert (corrected.case, woken.cases, await due(store, clock)) == ("case-1", ["case-1"], ("case-1",))
