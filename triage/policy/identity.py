"""Is this the same mail again, and which thread is it of? Answered from what the mail carries itself."""

import hashlib

from triage.domain.mail import Message

UNIT = "\x1f"


def content_hash(message: Message) -> str:
    """The same for the same mail by whatever way it came: sender, date, subject, words and attachments.

    A Message-ID alone would let anyone shadow another's mail by using its id first.
    """
    parts = (
        message.sender.address if message.sender else "",
        message.date.isoformat() if message.date else "",
        message.subject,
        " ".join(message.text.split()),
        *(a.sha256 for a in message.attachments),
    )
    return hashlib.sha256(UNIT.join(parts).encode(errors="surrogatepass")).hexdigest()


def fingerprint(message: Message) -> str:
    """What the marks of this mail's writes are made from: a hash, never the mail."""
    return hashlib.sha256(f"{message.message_id or ''}{UNIT}{content_hash(message)}".encode()).hexdigest()


def lane_of(message: Message) -> str:
    """The root of the thread as far as this mail knows it; its own id or content where it opens one."""
    roots = (*message.references[:1], *message.in_reply_to[:1], message.message_id or "")
    return next((root for root in roots if root), content_hash(message))
