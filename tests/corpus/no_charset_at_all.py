"""Eight-bit bytes in header and body, and no word about their charset."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="nc-1@werk.example",
    subject=Untrusted("Drucker gibt Papierstörung"),
    sender=Address(address="karl@werk.example", name=Untrusted("Müller, Karl")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 4, 6, 30, tzinfo=UTC),
    text=Untrusted("Der Drucker im 2. Stock meldet ständig „Papierstörung“, obwohl nichts klemmt."),
    reply=Untrusted("Der Drucker im 2. Stock meldet ständig „Papierstörung“, obwohl nichts klemmt."),
)
