"""Reads what came back to a letter of ours: a bounce, a delay, a notice of absence."""

import re
from typing import Final

from triage.domain.letters import Returned
from triage.domain.mail import Kind, KindVerdict, Message
from triage.policy.thread.signed_message_ids import SignedId

DELIVERY: Final = "delivery report"
_DELAYED: Final = re.compile(
    r"^action\s*:\s*delayed\b|\bdelay(?:ed)?\b.{0,80}\bwarning\b|\bwarning\b.{0,80}\bdelayed\b",
    re.IGNORECASE | re.MULTILINE,
)
_FAILED: Final = re.compile(r"^action\s*:\s*failed\b", re.IGNORECASE | re.MULTILINE)
_DELAY_SUBJECT: Final = re.compile(r"\bdelay(?:ed)?\b|\bwarning\b|verz[öo]gert|retard[ée]", re.IGNORECASE)
_DELIVERED: Final = re.compile(r"^action\s*:\s*(?:delivered|relayed|expanded)\b", re.IGNORECASE | re.MULTILINE)
READ: Final = 50_000
LONGEST: Final = 200


def returned(message: Message, kind: KindVerdict, sent: SignedId) -> Returned:
    """Return what the mail says of our letter; only a report that delivery failed makes it bounced."""
    why = kind.reason or str(kind.kind)
    bounced = kind.kind is Kind.BOUNCE and why in {DELIVERY, "refused by a mailing list"} and not late(message)
    subject = " ".join(message.subject.split())
    return Returned(key=f"{sent.case}:{sent.effect}", bounced=bounced, note=f"{why}: {subject}"[:LONGEST])


def late(message: Message) -> bool:
    """Tell whether a delivery report says that the mail is only late, or was delivered."""
    text = message.text[:READ]
    if _FAILED.search(text):
        return False
    return bool(_DELAYED.search(text) or _DELIVERED.search(text) or _DELAY_SUBJECT.search(message.subject))
