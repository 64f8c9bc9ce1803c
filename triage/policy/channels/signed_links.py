"""Makes and reads the signed part of a link by which one person gives one answer about exactly what he was shown."""

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

HASH: Final = 32
"""128 bits: nobody finds other arguments with the same ones."""
SIGNED: Final = 16
"""Bytes of the signature."""
LONGEST: Final = 1_500
"""Characters of a token; longer ones are not ours."""
_DOMAIN: Final = b"approval-link\x1f"
"""Separates these signatures from those of marks and Message-IDs under the same key."""


class LinkAnswer(StrEnum):
    """The decision that a link stands for."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkClaims:
    """What a link is bound to: it can say nothing else, about nothing else, by nobody else, and not later."""

    approval: int
    hash: str
    """The first `HASH` digits of `Approval.hash` of what was shown."""
    answer: LinkAnswer
    person: str
    """Address of the approver."""
    expires: int
    """Seconds since 1970."""

    def is_over(self, now: datetime) -> bool:
        """Tell whether it has expired."""
        return now >= datetime.fromtimestamp(self.expires, UTC)


def token_of(pledge: LinkClaims, secret: bytes) -> str:
    payload = json.dumps(list(asdict(pledge).values()), separators=(",", ":")).encode()
    return f"{_text(payload)}.{_text(_signature(payload, secret))}"


def claims_of_token(token: str, secret: bytes) -> LinkClaims | None:
    """Return what a token is bound to; None if we have not made it."""
    head, _, tail = token[:LONGEST].partition(".")
    payload, signature = _bytes(head), _bytes(tail)
    if not payload or not hmac.compare_digest(_signature(payload, secret), signature):
        return None
    approval, shown, answer, person, expires = json.loads(payload)
    return LinkClaims(approval=approval, hash=shown, answer=LinkAnswer(answer), person=person, expires=expires)


def _signature(payload: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, _DOMAIN + payload, hashlib.sha256).digest()[:SIGNED]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Decode strictly: of several spellings of the same bytes only ours counts. Empty for anything else."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
    return raw if _text(raw) == text else b""
