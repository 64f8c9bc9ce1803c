"""Asks whether Triage may write letters, and over which server; sends one to itself."""

import asyncio
from typing import TYPE_CHECKING, Final

from cli.setup import trying
from cli.setup.mailbox import host_and_port
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.services.setup.mail_servers import INSECURE, SMTP, way_to

if TYPE_CHECKING:
    from cli.setup.asking import Asker
    from cli.setup.draft import Draft

NONE: Final = "none"


def server(ask: "Asker", draft: "Draft") -> "Draft":
    """Ask for the server, with the mailbox's login; try it by a letter to ourselves."""
    from cli.wiring.setup import reach_smtp

    ask.heading("Letters (optional)")
    found = draft.servers.smtp
    default = draft["SMTP_HOST"] or NONE
    ask.say(
        f"Replies and receipts need a mail server{f'; the mailbox has {found.host}' if found else ''}. It can be added later."
    )
    while True:
        host, port = host_and_port(ask.text("Mail server for letters (host or host:port)", default))
        if host == NONE:
            return _off(draft)
        if not host:
            ask.say("That is no server's name, such as smtp.acme.example or smtp.acme.example:587")
            continue
        try:
            way = asyncio.run(
                way_to(reach_smtp, host, port or (found.port if found and found.host == host else 0), SMTP)
            )
        except (MailboxDown, MailboxDenied) as e:
            ask.say(f"✗ {host} cannot be used: {e.detail}")
            continue
        ask.say(f"It answers at {way.host}:{way.port} ({way.tls})")
        if way.tls != INSECURE or ask.yes("It has no TLS: send password and letters in clear?", default=False):
            return _logged_in(ask, draft.having(SMTP_HOST=host, SMTP_PORT=str(way.port), SMTP_TLS=way.tls))


def _logged_in(ask: "Asker", draft: "Draft") -> "Draft":
    """Try the mailbox's login, then ask for another one, until a letter to ourselves leaves."""
    user, password = draft["SMTP_USER"] or draft["IMAP_USER"], draft["SMTP_PASSWORD"] or draft["IMAP_PASSWORD"]
    sender = draft["MAIL_FROM"] or user
    while True:
        if "@" not in sender:
            sender = ask.text("Address that letters come from")
        if not password:
            user = ask.text(f"User name there, or {NONE}", user)
            password = ask.secret("Password") if user != NONE else ""
        login = {"SMTP_USER": user, "SMTP_PASSWORD": password} if password else {"SMTP_USER": "", "SMTP_PASSWORD": ""}
        tried = draft.having(MAIL_FROM=sender, SMTP_TOKEN_COMMAND="", **login)
        ask.say("A letter to ourselves is on its way …")
        findings = asyncio.run(trying.letters(tried))
        if ask.show(findings):
            return tried
        sender = ask.text("Address that letters come from", sender)
        password = ""


def _off(draft: "Draft") -> "Draft":
    return draft.having(SMTP_HOST="", SMTP_USER="", SMTP_PASSWORD="", SMTP_PORT="", SMTP_TLS="", MAIL_FROM="")
