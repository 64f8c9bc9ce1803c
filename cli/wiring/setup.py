"""Builds what `triage init` finds out with, before there are settings: mail servers, folders, names of models."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, ImapSession, Tls
from integrations.mail_directory.directory import PublicMailDirectory
from triage.domain.errors import MailboxDenied, MailboxDown, TriageError
from triage.domain.mailboxes import MailServer
from triage.domain.operations.tokens import AccessScope
from triage.services.setup.mail_servers import MailServerSearch

if TYPE_CHECKING:
    from triage.config.mailboxes import MailboxSpec
    from triage.config.settings import Settings
    from triage.services.setup.page_access import SetupAccess

PATIENCE: Final = 15.0
"""Seconds to wait for one answer: somebody sits before the screen."""


def quiet_log() -> None:
    """Keep warnings of adapters from the screen: the wizard says what is wrong itself, and how to cure it."""
    from integrations.loguru_log import configure

    configure("CRITICAL", as_json=False, secrets=())


def mail_search(*, lookup: bool) -> MailServerSearch:
    """Return the search for mail servers; without `lookup` it asks neither DNS nor the domain."""
    return MailServerSearch(reach=_reach, directory=PublicMailDirectory() if lookup else None)


async def _reach(server: MailServer) -> None:
    account = ImapAccount(name=server.host, host=server.host, port=server.port, user="", tls=Tls(server.tls))
    mailbox = ImapMailbox(account, Password(""))
    try:
        await mailbox.reach()
    finally:
        await mailbox.close()


async def reach_smtp(server: MailServer) -> None:
    """Connect to a mail server without login. Raises `MailboxDown`, `MailboxDenied`, as the search for servers knows them."""
    from integrations.smtp.outbox import SmtpOutbox, SmtpServer
    from triage.domain.letters.errors import OutboxDenied, OutboxDown

    outbox = SmtpOutbox(SmtpServer(host=server.host, port=server.port, tls=Tls(server.tls), answer=PATIENCE))
    try:
        await outbox.check()
    except OutboxDown as e:
        raise MailboxDown(server.host, e.detail) from e
    except OutboxDenied as e:
        raise MailboxDenied(server.host, e.detail) from e
    finally:
        await outbox.close()


async def folders_in(settings: "Settings", spec: "MailboxSpec") -> tuple[str, ...]:
    """Log in and return the folders. Raises `MailboxDown`, `MailboxDenied`."""
    from cli.wiring.mailboxes import imap_of

    mailbox = imap_of(settings, replace(spec, folder="INBOX"), 0)
    try:
        await mailbox.open()
        return await mailbox.run(ImapSession.folders)
    finally:
        await mailbox.close()


async def model_names(url: str, key: str, seconds: float = PATIENCE) -> tuple[str, ...]:
    """Return the models that an OpenAI-compatible server offers; none if it does not tell them."""
    from integrations.models.catalogue import offered

    try:
        return await offered(url, key, seconds)
    except TriageError:
        return ()


async def page_access_of() -> "SetupAccess":
    """Return what lets a browser into the page of `triage init --browser`. Raises `SettingsInvalid` and `StoreDown`."""
    from integrations.system_clock import SystemClock
    from triage.services.setup.page_access import SetupAccess

    return SetupAccess(clock=SystemClock(), admin=await _admin_check())


async def _admin_check() -> "Callable[[str, str], Awaitable[None]] | None":
    """Return what checks an admin's address and password; None as long as there is no account.

    Nothing is made where there is no database yet. Raises `SettingsInvalid` and `StoreDown`: then nobody can tell.
    """
    from cli.wiring.people.accounts import open_accounts
    from integrations.sql.database.backup import sqlite_file
    from triage.config.settings import read

    settings = read()
    file = sqlite_file(settings.database_url.get_secret_value())
    if file is not None and not file.exists():
        return None
    async with open_accounts(settings) as accounts:
        if not await accounts.all():
            return None
    return partial(_check_admin, settings)


async def _check_admin(settings: "Settings", address: str, password: str) -> None:
    """Raise `SignInRefused` for anybody but an admin."""
    from cli.wiring.people.accounts import open_accounts
    from triage.domain.operations.errors import SignInRefused

    async with open_accounts(settings) as accounts:
        if (await accounts.with_password(address, password)).scope is not AccessScope.ADMIN:
            raise SignInRefused
