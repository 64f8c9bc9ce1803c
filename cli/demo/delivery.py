"""Brings what is written on the page of mailboxes to the running service, by its webhook for raw mail."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class DemoWebhook:
    """The service's webhook for raw mail."""

    service: str
    """Where it answers."""
    secret: str = field(repr=False)
    """Its WEBHOOK_SECRET."""

    async def deliver(self, raw: bytes) -> None:
        """Hand a mail over; it is stored when this returns. Raises `Undelivered`."""
        import httpx2

        from triage_sandbox.mail.writing import Undelivered
        from webhooks.signatures import SigningKeys

        keys = SigningKeys.read((self.secret,), "WEBHOOK_SECRET")
        headers = keys.sign(sha256(raw).hexdigest(), datetime.now(UTC), raw) | {"Content-Type": "message/rfc822"}
        try:
            async with httpx2.AsyncClient(timeout=_SECONDS, trust_env=False) as client:
                answer = await client.post(f"{self.service}/webhooks/mime", content=raw, headers=headers)
                answer.raise_for_status()
        except httpx2.HTTPError as e:
            raise Undelivered(f"Triage does not take it now; send it again in a moment ({e}).") from e
