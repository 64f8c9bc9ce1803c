"""An image inside the text is an attachment with its Content-ID; what is so small is not named in the text."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="img-1@example.com",
    subject=Untrusted("Chart is upside down"),
    sender=Address(address="ada@example.com", name=Untrusted("Ada Byron")),
    to=(Address(address="support@acme.example"),),
    cc=(Address(address="grace@example.com", name=Untrusted("Grace H.")), Address(address="ops@example.com")),
    date=datetime(2026, 3, 7, 20, 45, tzinfo=UTC),
    text=Untrusted("See the chart below, it is upside down."),
    reply=Untrusted("See the chart below, it is upside down."),
    attachments=(
        Attachment(
            name=Untrusted("chart.png"),
            content_type="image/png",
            size=48,
            inline=True,
            sha256="d6f004d63ad9ce4e78e793e227dcd1c9907d790bde6d5450f23bca1dda50c3b3",
            content_id="chart@example.com",
        ),
    ),
)
