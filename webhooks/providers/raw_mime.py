"""Raw MIME signed by Standard Webhooks: for Cloudflare Email Workers and mail servers that can pipe."""

from collections.abc import Sequence
from hashlib import sha256
from typing import ClassVar, Self

from triage.config.settings import Settings
from webhooks.providers.base import InboundDelivery, Request
from webhooks.signatures import SigningKeys


class RawMime:
    """The body is the raw mail; three `webhook-…` headers sign it."""

    name: ClassVar[str] = "mime"
    needs: ClassVar[tuple[str, ...]] = ("WEBHOOK_SECRET",)
    max_expansion: ClassVar[float] = 1
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = False

    def __init__(self, secrets: Sequence[str]) -> None:
        self._keys = SigningKeys.read(secrets, self.needs[0])

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Read the secrets from the settings, two separated by a blank during rotation; None without one."""
        secrets = settings.webhook_secret.get_secret_value().split()
        return cls(secrets) if secrets else None

    def verify(self, request: Request) -> None:
        """Check the signature of id, time and body. Raises `BadSignature`."""
        self._keys.verify(self.name, request.headers, request.body, request.at)

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return the body as the mail.

        Its id includes a hash of the bytes, so that a script which gives all mails the same id loses none.
        """
        digest = sha256(request.body).hexdigest()[:32]
        return [InboundDelivery(id=f"{request.headers['webhook-id']}:{digest}", raw=request.body)]
