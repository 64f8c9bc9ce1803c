"""Old mail is removed, hour by hour, and only what is over."""

from datetime import timedelta

import pytest

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore
from tests.contract.store.operations.forget_store import ended, lived
from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.errors import MailGone
from triage.services.cases import CaseService
from triage.services.operations.retention import Retention


async def test_mail_goes_when_its_days_are_over(store: SqlStore, clock: HeldClock) -> None:
    """Not before, and not while somebody works on it; the case stays, and nobody decides it again by a mail that is gone."""
    await ended(store, 1)
    retention = Retention(store=store.forgetting, clock=clock, days=30)
    early = await retention.remove()
    clock.time += timedelta(days=31)
    await lived(store, 2)
    removed = [await retention.remove(), await retention.remove()]
    cases = CaseService(
        jobs=store.jobs,
        archive=store.archive,
        decisions=store.decisions,
        deeds=store.deeds,
        notifier=LocalNotifier(),
    )

    assert (early, removed) == (0, [1, 0])
    assert (await store.archive.report("case-1")).case.ticket == "OPS-42"
    with pytest.raises(MailGone):
        await store.archive.raw("case-1")
    with pytest.raises(MailGone):
        await cases.replay("1")
    with pytest.raises(MailGone):
        await cases.correct("1", None, "ada")


async def test_a_case_that_is_worked_on_again_waits_for_the_next_turn(clock: HeldClock) -> None:
    """One turn looks once, although the mail is still old."""

    class Taken:
        async def grown_old(self, *_: object) -> tuple[str, ...]:
            return ("case-1",)

        async def age(self, _: str) -> bool:
            return False

    assert await Retention(store=Taken(), clock=clock, days=1).remove() == 0  # type: ignore[arg-type]
