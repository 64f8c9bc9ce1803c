"""An envelope line, unfolded lines, junk in the header, no blank line before the body, an impossible date."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Hop, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="brackets@example.com",
    subject=Untrusted("Broken header"),
    sender=Address(address="hanna@example.com", name=Untrusted("Hanna")),
    text=Untrusted("The blank line is missing, and ä is an umlaut."),
    reply=Untrusted("The blank line is missing, and ä is an umlaut."),
    hops=(
        Hop(
            sender=Untrusted("mx.example.com"),
            by=Untrusted("mail.acme.example"),
            protocol=Untrusted("ESMTP"),
            at=datetime(2026, 3, 14, 9, 0, tzinfo=UTC),
        ),
    ),
    flags=("broken-header", "no-blank-line"),
)
