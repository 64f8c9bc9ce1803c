"""Asks for the mailbox: its address, its server where that cannot be found, the password, the folder."""

from dataclasses import replace
from typing import Final

from triage.domain.errors import MailboxDenied, MailboxDown, SettingsInvalid
from triage.domain.mailboxes import MailServer, MailServers
from triage.domain.operations.errors import GrantRefused, IdentityProviderDown
from triage.services.setup.asking import Asker
from triage.services.setup.draft import Draft
from triage.services.setup.mail_servers import INSECURE, MailServerSearch, server_at
from triage.services.setup.trials import Trials

ANY_TENANT: Final = "organizations"
GOOGLE_CLIENT: Final = ".apps.googleusercontent.com"
"""How the ids of Google's applications end."""


class MailboxQuestions:
    """The questions, with the search for servers that they share."""

    def __init__(self, trials: Trials, search: MailServerSearch) -> None:
        self._trials, self._search = trials, search

    async def address(self, ask: Asker, draft: Draft) -> Draft:
        """Ask whose mails become tickets, and look for the servers."""
        ask.heading("Mailbox")
        kept = draft["IMAP_USER"] if "@" in draft["IMAP_USER"] else ""
        while not _is_address(address := await ask.text("Address of the mailbox whose mails become tickets", kept)):
            ask.say("That is no mail address, such as support@acme.example")
        found = await self._search.of(address) or MailServers()
        server = found.imap
        if server:
            ask.say(f"Its server: {server.host}:{server.port} ({server.tls})")
        if found.note:
            ask.say(found.note)
        user = found.user or address
        draft = draft.having(IMAP_USER=user)
        draft = _at(draft, server) if server else draft.having(IMAP_HOST="")
        return replace(draft, address=address, servers=found)

    async def server(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the server, unless it was found."""
        if draft["IMAP_HOST"]:
            return draft
        ask.say("Its server could not be found out.")
        kept = draft.kept.get("IMAP_HOST", "")
        port = draft.kept.get("IMAP_PORT", "")
        while True:
            host, number = host_and_port(
                await ask.text("IMAP server (host or host:port)", f"{kept}:{port}" if port else kept)
            )
            if not host:
                ask.say("That is no server's name, such as imap.acme.example or imap.acme.example:993")
                continue
            try:
                server = await server_at(self._search.reach, host, number)
            except (MailboxDown, MailboxDenied) as e:
                ask.say(f"✗ {host} cannot be used: {e.detail}")
                if "certificate" in e.detail:
                    ask.say(e.cure)
                continue
            ask.say(f"It answers at {server.host}:{server.port} ({server.tls})")
            if server.tls != INSECURE or await ask.yes(
                "It has no TLS: send password and mails in clear?", default=False
            ):
                return _at(draft, server)

    async def login(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the password, or for the application that gets tokens, until the server lets us in; then for the user, too."""
        while True:
            tried = (await _with_login(ask, draft)).having(IMAP_FOLDER="INBOX")
            try:
                folders = await self._trials.folders(tried, ask)
            except (SettingsInvalid, GrantRefused, IdentityProviderDown) as e:
                ask.say(f"✗ {e}")
                continue
            except (MailboxDown, MailboxDenied) as e:
                ask.say(f"✗ {draft['IMAP_HOST']}: {e.detail}")
                if isinstance(e, MailboxDenied):
                    ask.say(draft.servers.note or "Is the password of this mailbox, and is the user name its address?")
                    draft = draft.having(IMAP_USER=await ask.text("User name there", draft["IMAP_USER"]))
                continue
            ask.say(f"✓ logged in; folders: {len(folders)}")
            return replace(tried, folders=folders)

    async def folder(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the folder, and learn who stamps its mails."""
        while True:
            name = await ask.text("Folder that is watched", draft.kept.get("IMAP_FOLDER", "INBOX"))
            name = next((one for one in draft.folders if one.casefold() == name.casefold()), name)
            findings, known = await self._trials.mailbox(draft.having(IMAP_FOLDER=name))
            if ask.show(findings):
                return known


async def _with_login(ask: Asker, draft: Draft) -> Draft:
    """Ask for a password; for an application where only tokens do; for the command that prints them where the file has one."""
    if command := draft["IMAP_TOKEN_COMMAND"]:
        return draft.having(
            IMAP_TOKEN_COMMAND=await ask.text("Command that prints an OAuth token", command), IMAP_PASSWORD=""
        )
    by_token = bool(draft["MAIL_OAUTH"]) and not draft["IMAP_PASSWORD"]
    if draft.servers.tokens_only or by_token:
        return await _with_application(
            ask, draft, await ask.text("Application (client) ID", draft["MAIL_OAUTH_CLIENT_ID"])
        )
    google = draft["IMAP_HOST"] == "imap.gmail.com"
    other = ", or the client ID of an application" if google else ""
    secret = await ask.secret(f"Password of {draft['IMAP_USER']}{other}", draft["IMAP_PASSWORD"])
    if google and secret.endswith(GOOGLE_CLIENT):
        return await _with_application(ask, draft, secret)
    if google:
        secret = "".join(secret.split())  # Google shows app passwords in groups of four
    return draft.having(IMAP_PASSWORD=secret)


async def _with_application(ask: Asker, draft: Draft, client: str) -> Draft:
    """Ask for what the provider wants to know of the application besides its id."""
    provider = draft.servers.oauth or draft["MAIL_OAUTH"]
    draft = draft.having(MAIL_OAUTH=provider, MAIL_OAUTH_CLIENT_ID=client, IMAP_PASSWORD="")
    if provider == "microsoft":
        tenant = await ask.text("Directory (tenant) ID", draft["MAIL_OAUTH_TENANT"] or ANY_TENANT)
        return draft.having(MAIL_OAUTH_TENANT="" if tenant == ANY_TENANT else tenant)
    if provider == "google":
        return draft.having(
            MAIL_OAUTH_CLIENT_SECRET=await ask.secret(
                "Client secret of the application", draft["MAIL_OAUTH_CLIENT_SECRET"]
            )
        )
    return draft


def _is_address(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    return bool(name and domain) and not any(sign.isspace() for sign in text)


def host_and_port(text: str) -> tuple[str, int]:
    """Return host and port (0: the usual one) of `host`, `host:port` or `imaps://host`; an empty host for anything else, such as a port alone."""
    host, _, port = text.rpartition("://")[2].rstrip("/").partition(":")
    if host.isdecimal() or any(sign.isspace() or sign in "/@" for sign in host) or (port and not port.isdecimal()):
        return "", 0
    return host.lower(), int(port or 0) if int(port or 0) < 1 << 16 else 0


def _at(draft: Draft, server: MailServer) -> Draft:
    return draft.having(IMAP_HOST=server.host, IMAP_PORT=str(server.port), IMAP_TLS=server.tls)
