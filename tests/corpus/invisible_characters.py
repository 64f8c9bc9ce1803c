"""Zero-width, direction and tag characters leave, those of emoji stay."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="inv-1@example.com",
    subject=Untrusted("Reset my password"),
    sender=Address(address="ivan@example.com", name=Untrusted("Ivan")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 15, 9, 0, tzinfo=UTC),
    text=Untrusted("Family: 👨\u200d👩\u200d👧 and a heart ❤️ stay.\nPassword reset please."),
    reply=Untrusted("Family: 👨\u200d👩\u200d👧 and a heart ❤️ stay.\nPassword reset please."),
    flags=("invisible-characters",),
)
