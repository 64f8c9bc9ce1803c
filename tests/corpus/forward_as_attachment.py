"""A mail with nothing but an attached mail: that mail is what it has to say."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="fwd-2@acme.example",
    enclosed_ids=("inner@client.example",),
    subject=Untrusted("FW: Login loop"),
    sender=Address(address="ben@acme.example", name=Untrusted("Ben Boss")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 9, 8, 5, tzinfo=UTC),
    text=Untrusted("After logging in I am logged out again at once."),
    reply=Untrusted("After logging in I am logged out again at once."),
    quoted=Untrusted("After logging in I am logged out again at once."),
    attachments=(
        Attachment(
            name=Untrusted("Login-logout loop.eml"),
            content_type="message/rfc822",
            size=347,
            inline=False,
            sha256="9ea680e2a02cf43a9ccbd376ead62074dae9f52f12965f383a02d7621387f197",
        ),
    ),
    flags=("forward",),
)
