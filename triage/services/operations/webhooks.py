"""Outgoing webhooks: creates and ends them, and delivers outcomes at least once, signed by Standard Webhooks."""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.operations.errors import WebhookFailed, WebhookNotFound, WebhookUnfit
from triage.domain.operations.webhooks import Delivery, Webhook
from triage.domain.ports import Clock, DeedLog, WebhookPost, WebhookStore
from triage.policy.operations.webhooks import MARK, next_try, signed, why_unfit

LEASE: Final = timedelta(seconds=60)
"""Time that a delivery may take; after a crash another process delivers it then."""
AT_ONCE: Final = 10
GONE: Final = 410
"""The receiver wants nothing more (Standard Webhooks)."""
OK: Final = range(200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookService:
    """Called by the HTTP API, and run beside the worker. Methods raise `StoreDown`."""

    store: WebhookStore
    deeds: DeedLog
    clock: Clock
    allowed: Collection[str] = ()
    """WEBHOOK_HOSTS."""

    async def create(self, url: str, by: str) -> Webhook:
        """Store a webhook with a new secret. Raises `WebhookUnfit`."""
        if why := why_unfit(url, self.allowed):
            raise WebhookUnfit(why)
        secret = MARK + b64encode(secrets.token_bytes(32)).decode()
        made = await self.store.add(Webhook(url=url, secret=secret, made_by=by, made_at=self.clock.now()))
        await self.deeds.record("webhook_made", by, url)
        return made

    async def webhooks(self) -> tuple[Webhook, ...]:
        return await self.store.webhooks()

    async def end(self, webhook: int, by: str) -> Webhook:
        """Tell it nothing more. Raises `WebhookNotFound`."""
        ended = await self.store.end(webhook, self.clock.now())
        if ended is None:
            raise WebhookNotFound(webhook)
        await self.deeds.record("webhook_ended", by, ended.url)
        return ended

    async def deliveries(self, webhook: int, limit: int) -> tuple[Delivery, ...]:
        return await self.store.deliveries(webhook, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSender:
    """Sends due deliveries; several processes may run it, since each delivery is leased."""

    store: WebhookStore
    post: WebhookPost
    clock: Clock

    async def deliver_all(self) -> None:
        """Send due deliveries until none is left. Raises `StoreDown`."""
        while await self.deliver_due():
            pass

    async def deliver_due(self) -> int:
        """Send some due deliveries concurrently; return the number of attempts. Raises `StoreDown`."""
        now = self.clock.now()
        due = await self.store.claim(now, now + LEASE, AT_ONCE)
        if due:
            known = {one.id: one for one in await self.store.webhooks()}
            await asyncio.gather(*(self._deliver(one, known[one.webhook]) for one in due))
        return len(due)

    async def _deliver(self, delivery: Delivery, webhook: Webhook) -> None:
        body, now = delivery.payload.encode(), self.clock.now()
        try:
            status = await self.post.post(webhook.url, signed(webhook.secret, delivery.message_id, now, body), body)
        except WebhookFailed as e:
            await self._failed(delivery, e.detail)
            return
        if status in OK:
            await self.store.delivered(delivery.id)
        elif status == GONE:
            await self.store.end(webhook.id, now, "it answered 410 Gone")
        else:
            await self._failed(delivery, f"it answered {status}")

    async def _failed(self, delivery: Delivery, trouble: str) -> None:
        again = next_try(delivery.attempts, self.clock.now())
        logger.bind(webhook=delivery.webhook, case=delivery.case, attempt=delivery.attempts, error=trouble).warning(
            "webhook.failed" if again else "webhook.given_up"
        )
        await self.store.failed(delivery.id, trouble, again)
