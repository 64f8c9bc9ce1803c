"""Latin-1 on the label, Windows quotation marks in the bytes, a subject in two encoded words."""

# ruff: noqa: RUF001 - the dash of Windows is the point

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="20260302091405.4711@nordwind.example",
    subject=Untrusted("Rechnung lässt sich nicht öffnen"),
    sender=Address(address="jana.weiss@nordwind.example", name=Untrusted("Jana Weiß")),
    to=(Address(address="support@acme.example", name=Untrusted("Support")),),
    date=datetime(2026, 3, 2, 8, 14, 5, tzinfo=UTC),
    text=Untrusted(
        "Guten Tag,\n"
        "\n"
        "seit heute früh lässt sich keine Rechnung mehr öffnen. Es erscheint „Datei beschädigt“ – auch bei alten Rechnungen.\n"
        "\n"
        "Viele Grüße\n"
        "Jana\n"
        "\n"
        "--  \n"
        "Jana Weiß\n"
        "Nordwind GmbH, Tel. 040 1234567"
    ),
    reply=Untrusted(
        "Guten Tag,\n"
        "\n"
        "seit heute früh lässt sich keine Rechnung mehr öffnen. Es erscheint „Datei beschädigt“ – auch bei alten Rechnungen.\n"
        "\n"
        "Viele Grüße\n"
        "Jana"
    ),
)
