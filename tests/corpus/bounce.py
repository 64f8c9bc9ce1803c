"""A delivery report: its parts are attachments, only the first one is text."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="dsn-1@mx.example.com",
    enclosed_ids=("ours-1@acme.example",),
    subject=Untrusted("Undelivered Mail Returned to Sender"),
    sender=Address(address="mailer-daemon@mx.example.com", name=Untrusted("Mail Delivery System")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 18, 9, 0, tzinfo=UTC),
    text=Untrusted("<nobody@example.com>: unknown user"),
    reply=Untrusted("<nobody@example.com>: unknown user"),
    attachments=(
        Attachment(
            name=Untrusted("delivery-status.txt"),
            content_type="message/delivery-status",
            size=108,
            inline=False,
            sha256="59283f08dcca278c8197f831d492c07b2558fd0638a509e502a066b235c8a128",
        ),
        Attachment(
            name=Untrusted("headers.txt"),
            content_type="text/rfc822-headers",
            size=60,
            inline=False,
            sha256="88753a9031059cc7f5ffc3643e079a77c1f8aeb33b0887da3862806e157d93a2",
        ),
    ),
)
