"""The port `WebhookStore`, and the statement that makes deliveries when a case ends."""

import json
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Text, bindparam, insert, literal, select, update
from sqlalchemy.types import Integer

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, case_name, noun_of, values_of
from integrations.sql.database.types import SafeText, UtcDateTime
from integrations.sql.operations.tables import webhook_deliveries, webhooks_out
from triage.domain.cases import Case
from triage.domain.operations.webhooks import Delivery, DeliveryState, Webhook

_NOW: Final = bindparam("now", type_=UtcDateTime)
_ADD: Final = insert(webhooks_out).returning(*webhooks_out.c)
_ALL: Final = select(webhooks_out).order_by(webhooks_out.c.id)
_OF: Final[BindParameter[Any]] = bindparam("of")
_TROUBLE: Final = bindparam("why", type_=SafeText)
_END: Final = (
    update(webhooks_out)
    .where(webhooks_out.c.id == _OF)
    .values(ended_at=_NOW, trouble=_TROUBLE)
    .returning(*webhooks_out.c)
)
_GIVE_UP_ALL: Final = (
    update(webhook_deliveries)
    .where(webhook_deliveries.c.webhook == _OF, webhook_deliveries.c.state == DeliveryState.WAITING)
    .values(state=DeliveryState.GIVEN_UP.value)
)
_DUE: Final = (
    select(webhook_deliveries.c.id)
    .where(webhook_deliveries.c.state == DeliveryState.WAITING, webhook_deliveries.c.due_at <= _NOW)
    .order_by(webhook_deliveries.c.due_at)
    .limit(bindparam("most"))
)
_ONE: Final = update(webhook_deliveries).where(webhook_deliveries.c.id == _OF)

TELL: Final = insert(webhook_deliveries).from_select(
    ["webhook", "case_id", "payload", "state", "attempts", "due_at", "made_at", "trouble"],
    select(
        webhooks_out.c.id,
        bindparam("job", type_=Integer),
        bindparam("payload", type_=SafeText),
        literal(DeliveryState.WAITING.value, Text),
        literal(0, Integer),
        _NOW,
        _NOW,
        literal("", Text),
    ).where(webhooks_out.c.ended_at.is_(None)),
)
"""Makes a delivery for each webhook, in the commit that ends a case."""


def payload_of(case: Case, at: datetime) -> str:
    """Return what webhooks are told, by Standard Webhooks: type, timestamp, data."""
    data = {"case": case.id, "outcome": str(case.outcome), "ticket": case.ticket or "", "reason": case.reason}
    return json.dumps({"type": "case.ended", "timestamp": at.isoformat(), "data": data})


class SqlWebhooks(StorePart):
    """The port `WebhookStore`: rows of webhooks and of their deliveries."""

    async def add(self, webhook: Webhook) -> Webhook:
        row = values_of(webhook, "id")
        return noun_of(Webhook, await self._database.write(lambda c: c.execute(_ADD, row).one()))

    async def webhooks(self) -> tuple[Webhook, ...]:
        """All webhooks, oldest first."""
        return await self._database.read(lambda c: tuple(noun_of(Webhook, row) for row in c.execute(_ALL)))

    async def end(self, webhook: int, at: datetime, trouble: str = "") -> Webhook | None:
        """Tell it nothing more."""

        def ended(connection: Connection) -> AnyRow | None:
            row = connection.execute(_END, {"of": webhook, "now": at, "why": trouble}).first()
            connection.execute(_GIVE_UP_ALL, {"of": webhook})
            return row

        row = await self._database.write(ended)
        return noun_of(Webhook, row) if row else None

    async def claim(self, now: datetime, until: datetime, limit: int) -> tuple[Delivery, ...]:
        """Lease due deliveries; nothing is written where none is due."""
        due, values = _DUE, {"now": now, "most": limit}
        if await self._database.read(lambda c: c.scalar(due, values)) is None:
            return ()
        if self._database.postgres:
            due = due.with_for_update(skip_locked=True)
        leased = (
            update(webhook_deliveries)
            .where(webhook_deliveries.c.id.in_(due))
            .values(due_at=bindparam("until", type_=UtcDateTime), attempts=webhook_deliveries.c.attempts + 1)
            .returning(*webhook_deliveries.c)
        )
        rows = await self._database.write(lambda c: c.execute(leased, values | {"until": until}).all())
        return tuple(sorted(map(_delivery, rows), key=lambda one: one.id))

    async def delivered(self, delivery: int) -> None:
        await self._set(delivery, state=DeliveryState.DELIVERED.value, trouble="")

    async def failed(self, delivery: int, trouble: str, again: datetime | None) -> None:
        state = {"state": DeliveryState.GIVEN_UP.value} if again is None else {"due_at": again}
        await self._set(delivery, trouble=trouble, **state)

    async def deliveries(self, webhook: int, limit: int) -> tuple[Delivery, ...]:
        wanted = select(webhook_deliveries).where(webhook_deliveries.c.webhook == webhook)
        wanted = wanted.order_by(webhook_deliveries.c.id.desc()).limit(limit)
        return await self._database.read(lambda c: tuple(_delivery(row) for row in c.execute(wanted)))

    async def _set(self, delivery: int, **values: Any) -> None:
        await self._database.write(lambda c: c.execute(_ONE.values(**values), {"of": delivery}))


def _delivery(row: AnyRow) -> Delivery:
    return noun_of(Delivery, row, case=case_name(row.case_id), state=DeliveryState(row.state))
