"""Gmail in Polish from a telephone: neither the line of the telephone nor the history is the reply."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="pl-2@sklep.example",
    in_reply_to=("pl-1@acme.example",),
    subject=Untrusted("Re: Zamówienie"),
    sender=Address(address="kasia@sklep.example", name=Untrusted("Kasia")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 17, 8, 0, tzinfo=UTC),
    text=Untrusted(
        "Dalej nie działa, nawet po ponownym zalogowaniu.\n"
        "\n"
        "Wysłano z iPhone'a\n"
        "\n"
        "pon., 16 mar 2026 o 18:21 Support <support@acme.example> napisał(a):\n"
        "\n"
        "> Proszę się wylogować i zalogować ponownie.\n"
        ">"
    ),
    reply=Untrusted("Dalej nie działa, nawet po ponownym zalogowaniu."),
    quoted=Untrusted(
        "pon., 16 mar 2026 o 18:21 Support <support@acme.example> napisał(a):\n"
        "> Proszę się wylogować i zalogować ponownie.\n"
        ">"
    ),
)
