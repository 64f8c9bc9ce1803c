"""Two From fields: the first is shown, and the mail is marked."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="two-1@example.com",
    subject=Untrusted("Please close my account"),
    sender=Address(address="ada@example.com", name=Untrusted("Ada Byron")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 12, 9, 0, tzinfo=UTC),
    text=Untrusted("Close it today."),
    reply=Untrusted("Close it today."),
    flags=("many-from",),
)
