"""An envelope line, unfolded lines, junk in the header, no blank line before the body, an impossible date."""

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="brackets@example.com",
    subject=Untrusted("Broken header"),
    sender=Address(address="hanna@example.com", name=Untrusted("Hanna")),
    text=Untrusted("The blank line is missing, and ä is an umlaut."),
    reply=Untrusted("The blank line is missing, and ä is an umlaut."),
    flags=("broken-header", "no-blank-line"),
)
