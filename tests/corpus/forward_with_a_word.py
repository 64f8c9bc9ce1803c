"""A forward with a word of introduction: the word is the reply, the forwarded mail is kept apart."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="fwd-1@acme.example",
    subject=Untrusted("Fwd: Export broken"),
    sender=Address(address="ben@acme.example", name=Untrusted("Ben Boss")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 9, 8, 0, tzinfo=UTC),
    text=Untrusted(
        "Can somebody take this one please? It is a big customer.\n"
        "\n"
        "---------- Forwarded message ---------\n"
        "From: Carla Client <carla@client.example>\n"
        "Date: Sun, 8 Mar 2026 at 22:10\n"
        "Subject: Export broken\n"
        "To: Ben Boss <ben@acme.example>\n"
        "\n"
        "\n"
        "The CSV export stops after 1000 rows since the last update."
    ),
    reply=Untrusted("Can somebody take this one please? It is a big customer."),
    quoted=Untrusted(
        "---------- Forwarded message ---------\n"
        "From: Carla Client <carla@client.example>\n"
        "Date: Sun, 8 Mar 2026 at 22:10\n"
        "Subject: Export broken\n"
        "To: Ben Boss <ben@acme.example>\n"
        "\n"
        "\n"
        "The CSV export stops after 1000 rows since the last update."
    ),
    flags=("forward",),
)
