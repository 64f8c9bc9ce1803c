"""One-time tokens of webhooks, checked in the transaction that accepts the mail."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select

from integrations.sql.database.schema import webhook_seen
from integrations.sql.database.types import UtcDateTime
from triage.domain.mail import Received

KEPT: Final = timedelta(days=14)
"""Longer than any provider retries, and than any signature is valid."""

SEEN: Final = select(webhook_seen.c.sha256).where(
    webhook_seen.c.source == bindparam("source"), webhook_seen.c.token == bindparam("token")
)
FORGET: Final = delete(webhook_seen).where(webhook_seen.c.seen_at < bindparam("old", type_=UtcDateTime))


def refused(connection: Connection, batch: Sequence[Received], now: datetime) -> frozenset[int]:
    """Indexes of mails whose token another mail has used; the tokens of the others are stored as used."""
    tokens = [(place, received) for place, received in enumerate(batch) if received.token]
    if not tokens:
        return frozenset()
    connection.execute(FORGET, {"old": now - KEPT})
    return frozenset(place for place, received in tokens if not _good(connection, received, now))


def _good(connection: Connection, received: Received, now: datetime) -> bool:
    """Whether the token is new, or was used for the same bytes."""
    digest = hashlib.sha256(received.raw).hexdigest()
    key = {"source": received.source, "token": received.token}
    seen = connection.scalar(SEEN, key)
    if seen is None:
        connection.execute(insert(webhook_seen), key | {"sha256": digest, "seen_at": now})
    return seen in {None, digest}
