"""What every `WebhookStore` must do."""

import asyncio
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, full, opened, step
from triage.domain.operations.webhooks import DeliveryState, Webhook
from triage.domain.ports import WebhookStore

LEASE = timedelta(seconds=60)


class WebhookStoreContract:
    """Webhooks out and their deliveries."""

    async def test_deliveries_come_with_the_end(self, store: SqlStore, second_store: SqlStore) -> None:
        """The commit that ends a case makes one delivery for each webhook; each is leased by one process at a time."""
        hooks: WebhookStore = store.webhooks
        made = [
            await hooks.add(Webhook(url=f"https://h{n}.example", secret="s", made_by="a", made_at=MORNING))
            for n in range(3)
        ]
        over = await hooks.end(made[2].id, MORNING, "gone")
        leased = await opened(store)
        case = full(await leased.cases.load())
        await leased.cases.save(case, step("review"))
        await leased.cases.save(case, step("dispatch"), ended=True)
        taken = await asyncio.gather(*(at.webhooks.claim(MORNING, MORNING + LEASE, 10) for at in (store, second_store)))
        got = [one for some in taken for one in some]

        assert sorted(one.webhook for one in got) == [made[0].id, made[1].id]
        assert {(one.attempts, one.case) for one in got} == {(1, "case-1")}
        assert over is not None
        assert await second_store.webhooks.webhooks() == (made[0], made[1], over)
        assert [one.name for one in await store.audit.events_after(0, MORNING + LEASE, 5)] == ["case.ended"]

        await hooks.delivered(got[0].id)
        await hooks.failed(got[1].id, "500", MORNING)
        (again,) = await hooks.claim(MORNING, MORNING + LEASE, 10)
        await hooks.failed(again.id, "500", None)
        assert (again.id, again.attempts, again.trouble) == (got[1].id, 2, "500")
        assert await hooks.claim(MORNING + LEASE, MORNING + LEASE, 10) == ()
        states = [one.state for hook in made[:2] for one in await hooks.deliveries(hook.id, 5)]
        assert sorted(states) == [DeliveryState.DELIVERED, DeliveryState.GIVEN_UP]
        assert await hooks.end(99, MORNING) is None
