"""The interface of a mail provider: `verify` and `read`; the frame does everything else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from triage.domain.mail import Stub, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request, read to its end."""

    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = field(repr=False)
    at: datetime
    method: str = "POST"
    path: str = "/"
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One mail out of a request."""

    id: str
    """The provider's name for it; the same when the provider tries again."""
    raw: bytes = field(repr=False)
    verdict: Trust | None = None
    """What the provider says of the sender, where it says something itself, not in the mail's own headers."""
    token: str = ""
    """Where the signature does not cover the mail: what was signed instead. It is good for one mail, then used up."""
    stub: Stub | None = None
    """Why this is only a stub, where it is one."""


class Provider(Protocol):
    """Someone who calls us with mail."""

    @property
    def name(self) -> str:
        """The last part of its URL."""

    @property
    def max_expansion(self) -> float:
        """How many times larger than the mail a request with it can be."""

    @property
    def blocking(self) -> bool:
        """It may have to ask others before it can answer, so it is called in a thread."""

    @property
    def drops_on_4xx(self) -> bool:
        """It takes every 4xx for "never again" and drops the mail, so it hears 503 instead: mistakes get mended."""

    def verify(self, request: Request) -> None:
        """Is it really you? Raises `BadSignature`, or `ProviderDown` where that cannot be found out now."""

    def read(self, request: Request) -> Sequence[Delivery]:
        """What did you bring? Raises `NotAMail` where the request is authentic but cannot be read."""
