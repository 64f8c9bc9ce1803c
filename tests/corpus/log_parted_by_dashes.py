"""An answer with a log that `grep` parted by `--`: the log stays whole, the line of the mail program goes."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

OWN = (
    "That is all there is:\n"
    "\n"
    "2026-11-16 09:01:11 syncd: read 40 rows\n"
    "2026-11-16 09:01:12 syncd: wrote 0 rows\n"
    "--\n"
    "2026-11-16 09:31:11 syncd: read 41 rows\n"
    "\n"
    "Nothing in between."
)
ABOVE = "On Monday, November 16th, 2026 at 9:12 AM, Support <support@acme.example> wrote:"
ASKED = "> Could you send us the log?"

EXPECTED = Message(
    message_id="dash-2@example.com",
    in_reply_to=("dash-1@acme.example",),
    subject=Untrusted("Re: Nothing is synced"),
    sender=Address(address="ines@example.com", name=Untrusted("Ines")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 11, 16, 9, 40, tzinfo=UTC),
    text=Untrusted(
        f"{OWN}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n{ABOVE}\n\n{ASKED}"
    ),
    reply=Untrusted(OWN),
    quoted=Untrusted(f"{ABOVE}\n{ASKED}"),
)
