"""Signed Message-IDs of Triage's own mails, so that an answer to one can be proven."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case
from triage.domain.mail import OWN_HEADER, Message

UNIT: Final = "\x1f"
LOOKED_AT: Final = 100
"""Most ids of one mail that are checked."""
READ: Final = 200_000
"""Characters of a report's text that are searched; a report copies the mail from its header on."""

_DOMAIN: Final = r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}"
_ID: Final = re.compile(
    rf"triage\.([0-9]{{1,9}})\.([0-9a-f]{{1,12}})\.([a-z0-9_-]{{1,40}})\.([0-9a-f]{{20}})@({_DOMAIN})",
    re.IGNORECASE | re.ASCII,
)
_EFFECT: Final = re.compile(r"(?=.{1,40}\Z)[a-z0-9-]+(?::[a-z0-9-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedId:
    """A mail of ours as its Message-ID names it."""

    case: str
    since: int
    """Time of the case's own mail; a database restored from a backup assigns case numbers a second time."""
    effect: str
    """Which of the case's mails it is: `reply:1`."""

    def of(self, case: Case) -> bool:
        """Tell whether the mail was written for this case, not for an earlier one with the same number."""
        return (case.id, _second(case)) == (self.case, self.since)


def own_id(case: Case, effect: str, domain: str, secret: bytes) -> str:
    """Return the Message-ID, without brackets, of a mail that is an effect of the case; always the same one.

    The effect is its key without the case: `reply:1` of `case-17:reply:1`.
    """
    if not _EFFECT.fullmatch(effect):
        raise ValueError(effect)
    number, since, word = case.id.removeprefix("case-"), f"{_second(case):x}", effect.replace(":", "_")
    return f"triage.{number}.{since}.{word}.{_signature(secret, number, since, word, domain.lower())}@{domain.lower()}"


def sent_of(message_id: str, secret: bytes) -> SignedId | None:
    """Read an id that we have signed, else None. Relays may change the case of its letters."""
    found = _ID.fullmatch(message_id.strip("<>"))
    return _verified(found, secret) if found else None


def written_by_us(message: Message, secret: bytes) -> SignedId | None:
    """Return the mail of ours that this mail is, if it is one."""
    return _first((message.message_id or "", message.header(OWN_HEADER)), secret)


def answered_by(message: Message, secret: bytes) -> SignedId | None:
    """Return the mail of ours that this mail answers."""
    return _first(message.thread, secret)


def reported_by(message: Message, secret: bytes) -> SignedId | None:
    """Return the mail of ours that a report is about.

    Standard reports attach the mail or its header. Others name it in In-Reply-To or References or copy it into their text,
    as qmail and Exchange do.
    """
    return _first((*message.enclosed_ids, *message.thread), secret) or _first(
        (found[0] for found in _ID.finditer(message.text[:READ])), secret
    )


def _first(ids: Iterable[str], secret: bytes) -> SignedId | None:
    looked_at = (one for one, _ in zip(ids, range(LOOKED_AT), strict=False))
    return next((sent for one in looked_at if (sent := sent_of(one, secret))), None)


def _verified(found: "re.Match[str]", secret: bytes) -> SignedId | None:
    number, since, word, signature, domain = (part.lower() for part in found.groups())
    if not hmac.compare_digest(_signature(secret, number, since, word, domain), signature):
        return None
    return SignedId(case=f"case-{number}", since=int(since, 16), effect=word.replace("_", ":"))


def _signature(secret: bytes, *parts: str) -> str:
    """Sign with 80 bits of HMAC; the first word separates these signatures from the markers under the same key."""
    return hmac.new(secret, UNIT.join(("message-id", *parts)).encode(), hashlib.sha256).hexdigest()[:20]


def _second(case: Case) -> int:
    return int(case.received_at.timestamp())
