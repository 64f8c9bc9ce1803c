"""Line breaks, NUL and ESC inside encoded words stay inside their line and lose their power."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="inj-1@example.com",
    subject=Untrusted("Hello Bcc: victim@example.com[2J"),
    sender=Address(address="eve@example.com", name=Untrusted("Eve Bcc: victim@example.com")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 13, 9, 0, tzinfo=UTC),
    text=Untrusted("One line, whatever it says."),
    reply=Untrusted("One line, whatever it says."),
    flags=("invisible-characters",),
)
