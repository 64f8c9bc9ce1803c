"""Raw MIME, signed as Standard Webhooks say: for Cloudflare Email Workers and any mail server that can pipe."""

from collections.abc import Sequence
from hashlib import sha256
from typing import ClassVar, Self

from triage.config.settings import Settings
from webhooks.providers.base import Delivery, Request
from webhooks.signatures import SigningKeys


class RawMime:
    """The body is the mail, byte for byte; three `webhook-…` headers prove it."""

    name: ClassVar[str] = "mime"
    needs: ClassVar[tuple[str, ...]] = ("WEBHOOK_SECRET",)
    max_expansion: ClassVar[float] = 1
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = False

    def __init__(self, secrets: Sequence[str]) -> None:
        self._keys = SigningKeys.read(secrets, self.needs[0])

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """As set; two secrets are separated by a blank while they are rotated."""
        secrets = settings.webhook_secret.get_secret_value().split()
        return cls(secrets) if secrets else None

    def verify(self, request: Request) -> None:
        """One of the keys has signed id, time and body."""
        self._keys.verify(self.name, request.headers, request.body, request.at)

    def read(self, request: Request) -> list[Delivery]:
        """The mail, whatever its bytes are.

        Its name holds a hash of the bytes: a script that signs well but gives each mail the same id loses none.
        """
        digest = sha256(request.body).hexdigest()[:32]
        return [Delivery(id=f"{request.headers['webhook-id']}:{digest}", raw=request.body)]
