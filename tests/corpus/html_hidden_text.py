"""Every way to hide text that we know of, between text that is seen."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message, RichLine, TextMark
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="hid-1@partner.example",
    subject=Untrusted("Invoice question"),
    sender=Address(address="mallory@partner.example", name=Untrusted("Mallory")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 6, 10, 0, tzinfo=UTC),
    text=Untrusted(
        "The invoice of March is wrong.\n"
        "\n"
        "Sum: 120 EUR\n"
        "\n"
        "but this is seen\n"
        "\n"
        "Printed or not, this counts.\n"
        "\n"
        "Aria hides nothing from eyes.\n"
        "\n"
        "White on dark is fine."
    ),
    rich=(
        RichLine(Untrusted("The invoice of March is wrong.")),
        RichLine(Untrusted("")),
        RichLine(Untrusted("Sum: 120 EUR"), "row"),
        RichLine(Untrusted("")),
        RichLine(Untrusted("but this is seen"), marks=(TextMark(0, 16, "strong"),)),
        RichLine(Untrusted("")),
        RichLine(Untrusted("Printed or not, this counts.")),
        RichLine(Untrusted("")),
        RichLine(Untrusted("Aria hides nothing from eyes.")),
        RichLine(Untrusted("")),
        RichLine(Untrusted("White on dark is fine.")),
    ),
    reply=Untrusted(
        "The invoice of March is wrong.\n"
        "\n"
        "Sum: 120 EUR\n"
        "\n"
        "but this is seen\n"
        "\n"
        "Printed or not, this counts.\n"
        "\n"
        "Aria hides nothing from eyes.\n"
        "\n"
        "White on dark is fine."
    ),
    flags=("hidden-text",),
    hidden_text=True,
)
