"""What makes two mails belong together: the same people, the same matter, the same storm."""

import hashlib
import re
from typing import Final

from triage.domain.mail import Kind, Message, Trust
from triage.domain.traces import Trace
from triage.policy.identity import content_hash

UNIT: Final = "\x1f"
SAME_MAIL: Final = 3600.0
"""Seconds within which the same content is the same mail, by whatever addresses it came."""
SAME_TOPIC: Final = 7 * 86_400.0
"""Seconds within which a verified sender goes on about a subject."""

_PREFIX: Final = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|antw|sv|vs|rv|tr|odp)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\w*\d\w*")


def trace_of(message: Message, kind: Kind, trust: Trust, lane: str) -> Trace:
    """The keys of a mail. What is proven, claimed and forged never meet under one key."""
    address = canonical(message.sender.address) if message.sender else ""
    subject, standing = plain_subject(message.subject), _standing(trust)
    alike = " ".join(_NUMBER.sub("#", subject).split())
    says = message.sender is not None and any(letter.isalpha() for letter in alike)
    goes_on = trust is Trust.VERIFIED and kind is Kind.HUMAN and bool(subject)
    return Trace(
        content=content_hash(message),
        message_id=message.message_id or "",
        dated=message.date is not None,
        sender=_key("sender", standing, address) if address else "",
        thread=_key("thread", lane),
        storm=_key("storm", standing, address.rpartition("@")[2], alike) if says else "",
        topic=_key("topic", address, subject) if goes_on else "",
        people=people_of(message),
    )


def _standing(trust: Trust) -> str:
    return trust.value if trust in {Trust.VERIFIED, Trust.FAILED} else "claimed"


def people_of(message: Message) -> tuple[str, ...]:
    """Everybody the mail is from or to."""
    found = (*((message.sender,) if message.sender else ()), *message.to, *message.cc)
    return tuple(dict.fromkeys(person(one.address) for one in found))


def person(address: str) -> str:
    """Who stands behind an address."""
    return _key("person", canonical(address))


def canonical(address: str) -> str:
    """The address without the part behind a plus, in lower case: one person, one limit."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def plain_subject(subject: str) -> str:
    """Without the prefixes of answers, in lower case."""
    return " ".join(_PREFIX.sub("", subject).casefold().split())


def stranger(message: Message, trust: Trust, participants: frozenset[str], *, answers_us: bool = False) -> bool:
    """May the sender not speak in this thread? Proven senders may, and those who were part of it.

    So may who answers a mail of ours: its signed Message-ID is known to those who got it, and cannot be guessed.
    """
    if trust is Trust.VERIFIED or (answers_us and trust is not Trust.FAILED):
        return False
    if trust is Trust.FAILED or message.sender is None:
        return True
    return person(message.sender.address) not in participants


def _key(*parts: object) -> str:
    """Short enough for an index, and nothing that anybody could read."""
    return hashlib.sha256(UNIT.join(map(str, parts)).encode(errors="replace")).hexdigest()[:32]
