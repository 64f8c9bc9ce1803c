"""A display name that is an address itself: some programs take it for the sender."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="two-2@example.com",
    subject=Untrusted("Urgent transfer"),
    sender=Address(address="mallory@evil.example", name=Untrusted("ceo@acme.example")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 12, 9, 1, tzinfo=UTC),
    text=Untrusted("Please do it now."),
    reply=Untrusted("Please do it now."),
    flags=("from-disagrees",),
)
