"""The interface of a mail provider: `verify` and `read`; `webhooks/inbound.py` does everything else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from triage.domain.mail import Stub, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request with its whole body."""

    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes = field(repr=False)
    at: datetime
    method: str = "POST"
    path: str = "/"
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundDelivery:
    """One mail of a request."""

    id: str
    """The provider's id of the mail, or one made of its bytes; a retry must give the same."""
    raw: bytes = field(repr=False)
    verdict: Trust | None = None
    """The provider's check of the sender, if it is reported outside the mail's headers, which a sender can forge."""
    token: str = ""
    """The signed token, where the signature does not cover the mail; valid for one mail."""
    stub: Stub | None = None
    """Why `raw` only stands for the mail; None if it is the mail."""


class Provider(Protocol):
    """A mail service that posts inbound mail to us. `webhooks/inbound.py` calls `verify`, then `read`."""

    @property
    def name(self) -> str:
        """The last part of the webhook's URL."""

    @property
    def max_expansion(self) -> float:
        """Factor by which a request can be larger than the mail in it; limits the body."""

    @property
    def blocking(self) -> bool:
        """Whether `verify` or `read` may wait for the network, so that both are called in a thread."""

    @property
    def drops_on_4xx(self) -> bool:
        """Whether it drops a mail on any 4xx; it then gets 503, so that it retries until the settings are corrected."""

    def verify(self, request: Request) -> None:
        """Check that the provider sent the request. Raises `BadSignature`, or `ProviderDown` if it cannot tell now."""

    def read(self, request: Request) -> Sequence[InboundDelivery]:
        """Return the mails of a verified request, possibly none. Raises `NotAMail` if it cannot read them."""
