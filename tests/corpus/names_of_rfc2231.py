"""File names in sections, in encoded words, with folders and with a direction override."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="names-1@example.com",
    subject=Untrusted("Files"),
    sender=Address(address="frank@example.com", name=Untrusted("Frank")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 11, 9, 0, tzinfo=UTC),
    text=Untrusted("Five files."),
    reply=Untrusted("Five files."),
    attachments=(
        Attachment(
            name=Untrusted("Bericht für März.pdf"),
            content_type="application/pdf",
            size=5,
            inline=False,
            sha256="38523c087796e5d5dd1cf9bad1fb026781a838dd9dd2cf8af58b9f6502a46778",
        ),
        Attachment(
            name=Untrusted("Übersicht.xlsx"),
            content_type="application/octet-stream",
            size=1,
            inline=False,
            sha256="2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        ),
        Attachment(
            name=Untrusted("passwd"),
            content_type="text/plain",
            size=1,
            inline=False,
            sha256="a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa",
        ),
        Attachment(
            name=Untrusted("photogpj.exe"),
            content_type="image/jpeg",
            size=1,
            inline=False,
            sha256="594e519ae499312b29433b7dd8a97ff068defcba9755b6d5d00e84c524d67b06",
        ),
        Attachment(
            name=Untrusted("invite.ics"),
            content_type="text/calendar",
            size=15,
            inline=False,
            sha256="9daa8e24f9b759073687839a0aa7de2a2f09abc2a771e77a34e1a05dd4198387",
        ),
    ),
    flags=("invisible-characters",),
)
