"""Base64 without its padding and with foreign signs, in a charset that nobody knows."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="b64-1@example.com",
    subject=Untrusted("Damaged"),
    sender=Address(address="jo@example.com", name=Untrusted("Jo")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 16, 9, 0, tzinfo=UTC),
    text=Untrusted("The last letters of this text are lost.."),
    reply=Untrusted("The last letters of this text are lost.."),
    flags=("bad-base64", "unknown-charset"),
)
