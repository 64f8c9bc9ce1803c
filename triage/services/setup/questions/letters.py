"""Asks whether Triage may write letters, and over which server; sends one to itself."""

from typing import Final

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.services.setup.asking import Asker
from triage.services.setup.draft import Draft
from triage.services.setup.mail_servers import INSECURE, SMTP, server_at
from triage.services.setup.questions.mailbox import host_and_port
from triage.services.setup.trials import Trials

NONE: Final = "none"


class LetterQuestions:
    """The question about letters."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials

    async def server(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the server, with the mailbox's login; try it by a letter to ourselves."""
        ask.heading("Letters (optional)")
        found = draft.servers.smtp
        default = draft["SMTP_HOST"] or NONE
        ask.say(
            f"Replies and receipts need a mail server{f'; the mailbox has {found.host}' if found else ''}. It can be added later."
        )
        while True:
            host, port = host_and_port(await ask.text("Mail server for letters (host or host:port)", default))
            if host == NONE:
                return _off(draft)
            if not host:
                ask.say("That is no server's name, such as smtp.acme.example or smtp.acme.example:587")
                continue
            try:
                known = found.port if found and found.host == host else 0
                way = await server_at(self._trials.reach_smtp, host, port or known, SMTP)
            except (MailboxDown, MailboxDenied) as e:
                ask.say(f"✗ {host} cannot be used: {e.detail}")
                continue
            ask.say(f"It answers at {way.host}:{way.port} ({way.tls})")
            if way.tls != INSECURE or await ask.yes(
                "It has no TLS: send password and letters in clear?", default=False
            ):
                return await self._logged_in(
                    ask, draft.having(SMTP_HOST=host, SMTP_PORT=str(way.port), SMTP_TLS=way.tls)
                )

    async def _logged_in(self, ask: Asker, draft: Draft) -> Draft:
        """Try the mailbox's login, then ask for another one, until a letter to ourselves leaves."""
        user, password = draft["SMTP_USER"] or draft["IMAP_USER"], draft["SMTP_PASSWORD"] or draft["IMAP_PASSWORD"]
        command = draft["SMTP_TOKEN_COMMAND"] or ("" if password else draft["IMAP_TOKEN_COMMAND"])
        tokens = bool(draft["MAIL_OAUTH"]) and not password and not command
        sender = draft["MAIL_FROM"] or (user if "@" in user else "")
        while True:
            if "@" not in sender:
                sender = await ask.text("Address that letters come from", draft.address)
            if not password and not command and not tokens:
                user = await ask.text(f"User name there, or {NONE}", user)
                password = await ask.secret("Password") if user != NONE else ""
            known = user if password or command or tokens else ""
            tried = draft.having(MAIL_FROM=sender, SMTP_USER=known, SMTP_PASSWORD=password, SMTP_TOKEN_COMMAND=command)
            ask.say("A letter to ourselves is on its way …")
            if ask.show(await self._trials.letters(tried)):
                return tried
            sender = await ask.text("Address that letters come from", sender)
            password = command = ""
            tokens = False


def _off(draft: Draft) -> Draft:
    names = ("HOST", "PORT", "TLS", "USER", "PASSWORD", "TOKEN_COMMAND")
    return draft.having(MAIL_FROM="", **{f"SMTP_{name}": "" for name in names})
