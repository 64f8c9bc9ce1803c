"""Answers between quoted questions: the questions stay, without them the answers say nothing."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="inl-2@example.com",
    in_reply_to=("inl-1@acme.example",),
    subject=Untrusted("Re: Two questions"),
    sender=Address(address="gustav@example.com", name=Untrusted("Gustav")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 14, 9, 0, tzinfo=UTC),
    text=Untrusted(
        "Hello,\n"
        "\n"
        "On 13.03.2026 18:00, Support wrote:\n"
        "> Which version do you run?\n"
        "\n"
        "4.2.1, since Tuesday.\n"
        "\n"
        "> Does the error show for other users too?\n"
        "\n"
        "Yes, for all of them.\n"
        "\n"
        "Gustav"
    ),
    reply=Untrusted(
        "Hello,\n"
        "\n"
        "> Which version do you run?\n"
        "\n"
        "4.2.1, since Tuesday.\n"
        "\n"
        "> Does the error show for other users too?\n"
        "\n"
        "Yes, for all of them.\n"
        "\n"
        "Gustav"
    ),
    quoted=Untrusted("On 13.03.2026 18:00, Support wrote:"),
)
