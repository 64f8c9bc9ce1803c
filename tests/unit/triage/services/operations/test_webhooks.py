"""Webhooks out over a real store, with a receiver that answers as a test wants."""

import json
from collections.abc import Mapping
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, full, opened, step
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.errors import WebhookFailed, WebhookNotFound, WebhookUnfit
from triage.domain.operations.webhooks import DeliveryState
from triage.policy.operations.webhooks import RETRIES
from triage.services.operations.webhooks import WebhookSender, WebhookService
from webhooks.signatures import SigningKeys

URL = "https://hooks.example.com/triage"


class Receiver:
    """The port `WebhookPost`; it remembers what it got."""

    def __init__(self) -> None:
        self.status = 204
        self.got: list[tuple[str, Mapping[str, str], bytes]] = []

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """As the port says."""
        self.got.append((url, headers, body))
        if not self.status:
            raise WebhookFailed("no answer")
        return self.status


async def ended(store: SqlStore, number: int = 1) -> str:
    """A case that ends."""
    leased = await opened(store, number)
    await leased.cases.save(full(await leased.cases.load()), step("dispatch"), ended=True)
    return leased.lease.case


async def test_outcomes_are_delivered_signed(store: SqlStore, clock: HeldClock) -> None:
    """Each webhook hears each outcome from its making on, once where it answers, under a signature that it can check."""
    service, receiver = WebhookService(store=store.webhooks, deeds=store.deeds, clock=clock), Receiver()
    sender = WebhookSender(store=store.webhooks, post=receiver, clock=clock)
    await ended(store, 1)
    made = [await service.create(URL, "ada") for _ in range(2)]
    case = await ended(store, 2)
    tried = [await sender.deliver_due() for _ in range(2)]

    assert tried == [2, 0]
    for (url, headers, body), webhook in zip(receiver.got, made, strict=True):
        assert SigningKeys.read([webhook.secret], "X").verify("t", headers, body, clock.now())
        assert url == URL
        assert json.loads(body) == {
            "type": "case.ended",
            "timestamp": clock.now().isoformat(),
            "data": {"case": case, "outcome": "ticketed", "ticket": "OPS-42", "reason": "a new bug"},
        }
    assert len({webhook.secret for webhook in made}) == 2
    assert [one.state for one in await service.deliveries(made[0].id, 5)] == [DeliveryState.DELIVERED]


@pytest.mark.parametrize("status", [0, 302, 404, 500])
async def test_what_fails_is_tried_again_under_the_same_id(store: SqlStore, clock: HeldClock, status: int) -> None:
    """After pauses that grow; in the end it is given up, visibly."""
    service, receiver = WebhookService(store=store.webhooks, deeds=store.deeds, clock=clock), Receiver()
    sender, webhook = WebhookSender(store=store.webhooks, post=receiver, clock=clock), await service.create(URL, "ada")
    await ended(store)
    receiver.status = status
    for pause in RETRIES:
        assert await sender.deliver_due() == 1
        assert await sender.deliver_due() == 0
        await clock.sleep(pause.total_seconds())
    assert await sender.deliver_due() == 1
    await clock.sleep(timedelta(days=9).total_seconds())

    assert await sender.deliver_due() == 0
    (delivery,) = await service.deliveries(webhook.id, 5)
    assert (delivery.state, delivery.attempts) == (DeliveryState.GIVEN_UP, len(RETRIES) + 1)
    assert delivery.trouble
    assert {headers["webhook-id"] for _, headers, _ in receiver.got} == {delivery.message_id}


async def test_a_crash_repeats_a_delivery(store: SqlStore, clock: HeldClock) -> None:
    """A process that dies while it delivers leaves it to another one, after its lease: at least once, under one id."""
    service, receiver = WebhookService(store=store.webhooks, deeds=store.deeds, clock=clock), Receiver()
    await service.create(URL, "ada")
    await ended(store)
    now = clock.now()
    lost = await store.webhooks.claim(now, now + timedelta(seconds=60), 10)
    sender = WebhookSender(store=store.webhooks, post=receiver, clock=clock)
    early = await sender.deliver_due()
    await clock.sleep(61)
    late = await sender.deliver_due()

    assert (len(lost), early, late) == (1, 0, 1)
    assert receiver.got[0][1]["webhook-id"] == lost[0].message_id


async def test_an_end(store: SqlStore, clock: HeldClock) -> None:
    """Whoever answers 410, or is ended by a person, hears nothing more; what waits for him is given up."""
    service, receiver = WebhookService(store=store.webhooks, deeds=store.deeds, clock=clock), Receiver()
    sender = WebhookSender(store=store.webhooks, post=receiver, clock=clock)
    first, second = await service.create(URL, "ada"), await service.create(URL, "ada")
    await ended(store, 1)
    await service.end(second.id, "ada")
    receiver.status = 410
    await sender.deliver_due()
    await ended(store, 2)

    assert await sender.deliver_due() == 0
    assert len(receiver.got) == 1
    assert [one.trouble for one in await service.webhooks()] == ["it answered 410 Gone", ""]
    assert {one.state for of in (first, second) for one in await service.deliveries(of.id, 5)} == {
        DeliveryState.GIVEN_UP
    }
    with pytest.raises(WebhookNotFound):
        await service.end(77, "ada")
    with pytest.raises(WebhookUnfit, match="https"):
        await service.create("http://hooks.example.com", "ada")
    changes = await store.deeds.deeds(AuditFilter(), 9, people=True)
    assert [(one.kind, one.by, one.detail) for one in changes] == [("webhook_ended", "ada", URL)] + [
        ("webhook_made", "ada", URL)
    ] * 2
