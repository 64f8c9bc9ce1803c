"""Signs and verifies by Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`, with two keys during rotation."""

import binascii
import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from triage.domain.errors import BadSignature, SettingsInvalid

TOLERANCE: Final = 300
"""Seconds by which a timestamp may differ from our clock, in both directions."""
SHORTEST: Final = 24
"""Minimum length of a key in bytes."""

_ID: Final = re.compile(r"[!-\-/-~]{1,200}")
"""Visible ASCII without the full stop, which would make `id.timestamp.body` ambiguous."""
_STAMP: Final = re.compile(r"[0-9]{1,12}")
_PREFIX: Final = "whsec_"
_CURE: Final = 'make one with: echo "whsec_$(openssl rand -base64 32)"'


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """The keys that are valid now; the first one signs, each one verifies."""

    keys: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def read(cls, secrets: Sequence[str], variable: str) -> Self:
        """Decode the secrets of `variable`: `whsec_` and base64, or plain text. Raises `SettingsInvalid` with the cure."""
        if not secrets:
            raise SettingsInvalid((f"{variable}: empty; {_CURE}",))
        return cls(tuple(_key(secret, variable) for secret in secrets))

    def sign(self, delivery: str, at: datetime, body: bytes) -> dict[str, str]:
        """Return the three `webhook-…` headers of a signed request."""
        stamp = str(int(at.timestamp()))
        signature = b64encode(_digest(self.keys[0], delivery, stamp, body)).decode()
        return {"webhook-id": delivery, "webhook-timestamp": stamp, "webhook-signature": f"v1,{signature}"}

    def verify(self, provider: str, headers: Mapping[str, str], body: bytes, now: datetime) -> str:
        """Check signature and time and return the delivery's id. Raises `BadSignature`."""
        delivery, stamp, signatures = (headers.get(f"webhook-{part}", "") for part in ("id", "timestamp", "signature"))
        if not _ID.fullmatch(delivery):
            raise BadSignature(provider, "webhook-id is missing, longer than 200 characters or has a full stop in it")
        if not _STAMP.fullmatch(stamp):
            raise BadSignature(provider, "webhook-timestamp is missing or no number of seconds")
        if not self._signed(signatures, delivery, stamp, body):
            raise BadSignature(provider, "webhook-signature is missing or made with another key or over another body")
        # Checked last, so that the log blames the clock only where the key is right.
        if abs(off := int(stamp) - int(now.timestamp())) > TOLERANCE:
            raise BadSignature(provider, f"webhook-timestamp is {off} s off; a replay, or check both clocks")
        return delivery

    def _signed(self, signatures: str, delivery: str, stamp: str, body: bytes) -> bool:
        given = [raw for word in signatures.split() if (raw := _v1(word))]
        wanted = [_digest(key, delivery, stamp, body) for key in self.keys] if given else []
        return any(hmac.compare_digest(want, have) for want in wanted for have in given)


def _digest(key: bytes, delivery: str, stamp: str, body: bytes) -> bytes:
    mac = hmac.new(key, f"{delivery}.{stamp}.".encode(), "sha256")
    mac.update(body)
    return mac.digest()


def _v1(word: str) -> bytes | None:
    """Decode one `v1,…`; None for other versions and invalid base64."""
    version, _, encoded = word.partition(",")
    if version != "v1":
        return None
    try:
        return b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None


def _key(secret: str, variable: str) -> bytes:
    """Decode one secret. Raises `SettingsInvalid` if it is malformed or too short."""
    try:
        key = b64decode(secret.removeprefix(_PREFIX), validate=True) if secret.startswith(_PREFIX) else secret.encode()
    except (binascii.Error, ValueError):
        raise SettingsInvalid((f"{variable}: what follows {_PREFIX} is no base64; {_CURE}",)) from None
    if len(key) < SHORTEST:
        raise SettingsInvalid((f"{variable}: {len(key)} bytes are too few, {SHORTEST} are the least; {_CURE}",))
    return key
