"""HTML alone, by Outlook in Spanish: list, table, link, and a header block above the history."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message, RichLine, TextMark
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="out-1@tienda.example",
    in_reply_to=("acme-17@acme.example",),
    references=("first@tienda.example", "acme-17@acme.example"),
    subject=Untrusted("RE: [ACME-17] Error al pagar"),
    sender=Address(address="lucia@tienda.example", name=Untrusted("Lucía Pérez")),
    to=(Address(address="support@acme.example", name=Untrusted("Soporte")),),
    date=datetime(2026, 3, 5, 11, 0, tzinfo=UTC),
    text=Untrusted(
        "Hola:\n"
        "\n"
        "Sigue fallando con Visa:\n"
        "\n"
        "1. Abrir el carrito\n"
        "2. Pulsar Pagar\n"
        "\n"
        "Tarjeta | Resultado\n"
        "Visa | error 402\n"
        "\n"
        "Más en el registro (https://pagos.tienda.example/log/9).\n"
        "De: Soporte <support@acme.example>\n"
        "Enviado el: miércoles, 4 de marzo de 2026 18:20\n"
        "Para: Lucía Pérez <lucia@tienda.example>\n"
        "Asunto: [ACME-17] Error al pagar\n"
        "¿Qué tarjeta usa?"
    ),
    rich=(
        RichLine(Untrusted("Hola:")),
        RichLine(Untrusted("")),
        RichLine(Untrusted("Sigue fallando con Visa:"), marks=(TextMark(19, 23, "strong"),)),
        RichLine(Untrusted("")),
        RichLine(Untrusted("1. Abrir el carrito")),
        RichLine(Untrusted("2. Pulsar Pagar")),
        RichLine(Untrusted("")),
        RichLine(Untrusted("Tarjeta | Resultado"), "head"),
        RichLine(Untrusted("Visa | error 402"), "row"),
        RichLine(Untrusted("")),
        RichLine(
            Untrusted("Más en el registro (https://pagos.tienda.example/log/9)."),
            marks=(TextMark(7, 55, "https://pagos.tienda.example/log/9"),),
        ),
    ),
    reply=Untrusted(
        "Hola:\n"
        "\n"
        "Sigue fallando con Visa:\n"
        "\n"
        "1. Abrir el carrito\n"
        "2. Pulsar Pagar\n"
        "\n"
        "Tarjeta | Resultado\n"
        "Visa | error 402\n"
        "\n"
        "Más en el registro (https://pagos.tienda.example/log/9)."
    ),
    quoted=Untrusted(
        "De: Soporte <support@acme.example>\n"
        "Enviado el: miércoles, 4 de marzo de 2026 18:20\n"
        "Para: Lucía Pérez <lucia@tienda.example>\n"
        "Asunto: [ACME-17] Error al pagar\n"
        "¿Qué tarjeta usa?"
    ),
)
