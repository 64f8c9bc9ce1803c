"""Old mail is removed, hour by hour, and only what is over."""

import asyncio
from datetime import timedelta

import pytest

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore
from tests.contract.store.operations.forget_store import ended, lived
from tests.contract.store.store_samples import HeldClock
from triage.domain.errors import StoreDown
from triage.domain.operations.errors import MailGone
from triage.services.cases import CaseService
from triage.services.operations.retention import EVERY, Retention


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


async def test_a_store_that_is_down_is_tried_again(clock: HeldClock) -> None:
    """The hour after."""
    store = Down()
    turning = asyncio.create_task(Retention(store=store, clock=clock, days=1).run())  # type: ignore[arg-type]
    while store.asked < 2:
        await asyncio.sleep(0)
    turning.cancel()
    await asyncio.gather(turning, return_exceptions=True)

    assert (clock.now() - HeldClock().now()).total_seconds() >= EVERY


class Down:
    """A store that does not answer; and whose case is taken while it is looked for."""

    asked = 0

    async def grown_old(self, *_: object) -> tuple[str, ...]:
        """Down first, then one."""
        self.asked += 1
        if self.asked == 1:
            raise StoreDown("gone")
        return ("case-1",)

    async def age(self, case: str) -> bool:
        """Somebody took it."""
        del case
        await asyncio.sleep(0)
        return False
