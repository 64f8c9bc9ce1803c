"""format=flowed: paragraphs on one line again, a stuffed line is no quote, the signature goes."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="flow-2@example.com",
    in_reply_to=("flow-1@acme.example",),
    references=("flow-1@acme.example",),
    subject=Untrusted("Re: Build fails"),
    sender=Address(address="eve@example.com", name=Untrusted("Eve Engineer")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 10, 9, 0, tzinfo=UTC),
    text=Untrusted(
        "The build fails only when two jobs run at the same time on one agent, and only since we switched to the new cache.\n"
        "\n"
        "From the log:\n"
        "    >>> this is a stuffed line of the log, not a quote\n"
        "\n"
        "On Mon, 9 Mar 2026 at 17:02, Support <support@acme.example> wrote:\n"
        "> Does it fail every time or only now and then, and since when do you see it?\n"
        "> \n"
        "> Support\n"
        "\n"
        "-- \n"
        "Eve"
    ),
    reply=Untrusted(
        "The build fails only when two jobs run at the same time on one agent, and only since we switched to the new cache.\n"
        "\n"
        "From the log:\n"
        "    >>> this is a stuffed line of the log, not a quote"
    ),
    quoted=Untrusted(
        "On Mon, 9 Mar 2026 at 17:02, Support <support@acme.example> wrote:\n"
        "> Does it fail every time or only now and then, and since when do you see it?\n"
        "> \n"
        "> Support"
    ),
)
