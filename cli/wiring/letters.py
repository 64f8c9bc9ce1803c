"""Builds what writes and sends letters from the settings; nothing of it exists without SMTP_HOST."""

import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from email.utils import parseaddr
from typing import TYPE_CHECKING, Final

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.store import command_store
from integrations.sql.store import SqlStore
from triage.config.letters.texts import LetterTexts, letter_texts
from triage.config.mailboxes import MailboxSpec
from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.letters import MailFolder
from triage.domain.mail import Address
from triage.domain.ports import Comments, Failpoint, no_failpoint
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.effects.letter_writer import LetterWriter
from triage.policy.letters.compose import LetterRules
from triage.policy.letters.recipients import Ours
from triage.services.letters.comment_letters import CommentLetters
from triage.services.letters.sender import LetterSender
from triage.services.letters.service import LetterService
from triage.services.letters.ticket_letters import TicketLetters

if TYPE_CHECKING:
    from integrations.imap.folders import ImapFolders
    from integrations.imap.login import Login
    from integrations.smtp.outbox import SmtpOutbox

PORTS: Final = {"ssl": 465}
SUBMISSION: Final = 587


def sender_address(settings: Settings) -> Address:
    name, address = parseaddr(settings.mail_from)
    return Address(address=address.lower(), name=Untrusted(name))


def letter_writer_of(
    settings: Settings, store: SqlStore, specs: Sequence[MailboxSpec], live: LiveConfig, secret: bytes
) -> LetterWriter | None:
    """Return the service that queues letters; None without SMTP_HOST."""
    if not settings.smtp_host:
        return None
    rules = LetterRules(
        sender=sender_address(settings),
        ours=ours_of(settings, specs, live),
        delay=settings.letter_delay_seconds,
        per_person=settings.letters_per_person,
    )
    return LetterWriter(store=store.letters, rules=rules, clock=store.clock, secret=secret)


def ours_of(settings: Settings, specs: Sequence[MailboxSpec], live: LiveConfig) -> Ours:
    """Return our own addresses, to which no letter goes, and our domains, whose people may be in copy.

    Addresses by which routing rules select mails count as ours.
    """
    sender = sender_address(settings)
    routed = (one for rule in live.config.rules for one in rule.recipient if not one.startswith("@"))
    named = (sender.address, settings.smtp_user, settings.jira_email, *(spec.user for spec in specs), *routed)
    return Ours(
        addresses=frozenset(one.lower() for one in named if "@" in one),
        domains=frozenset({sender.domain, *live.current()[1].domains}),
    )


def texts_of(settings: Settings, config: Config) -> LetterTexts | None:
    """Return the texts of letters; None where no letter about a mail is on. Raises `SettingsInvalid`."""
    if not settings.smtp_host or not config.letters.any:
        return None
    return letter_texts(config.letters.templates)


def changed_of(
    config: Config, store: SqlStore, writer: LetterWriter | None, discussion: Callable[[], Comments]
) -> Callable[[Sequence[Ticket]], Awaitable[None]] | None:
    """Return the function that writes letters about changed tickets; None if triage.yaml turns on neither kind."""
    if writer is None or not (config.letters.status or config.letters.comments):
        return None
    texts, clock, letters = letter_texts(config.letters.templates), store.clock, config.letters
    status = TicketLetters(archive=store.archive, writer=writer, texts=texts, settings=letters, clock=clock)
    comments = CommentLetters(
        archive=store.archive,
        writer=writer,
        discussion=discussion(),
        letters=store.letters,
        texts=texts,
        settings=letters,
        clock=clock,
        started=clock.now(),
    )
    wanted = (*((status.changed,) if letters.status else ()), *((comments.changed,) if letters.comments else ()))

    async def changed(tickets: Sequence[Ticket]) -> None:
        for write in wanted:
            await write(tickets)

    return changed


def sender_of(
    settings: Settings, store: SqlStore, specs: Sequence[MailboxSpec], failpoint: Failpoint
) -> LetterSender | None:
    """Return the service that sends letters; None without SMTP_HOST."""
    if not settings.smtp_host:
        return None
    return LetterSender(
        store=store.letters,
        outbox=outbox_of(settings, failpoint, store),
        folders=folders_of(settings, specs, store),
        clock=store.clock,
        sender=sender_address(settings),
        per_minute=settings.letters_per_minute,
        failpoint=failpoint,
    )


def outbox_of(settings: Settings, failpoint: Failpoint = no_failpoint, store: SqlStore | None = None) -> "SmtpOutbox":
    from integrations.imap.session import Tls
    from integrations.smtp.outbox import SmtpOutbox, SmtpServer

    tls = Tls.NONE if settings.smtp_tls == "insecure" else Tls(settings.smtp_tls)
    server = SmtpServer(
        host=settings.smtp_host,
        port=settings.smtp_port or PORTS.get(tls, SUBMISSION),
        user=settings.smtp_user,
        tls=tls,
        hello=sender_address(settings).domain or "localhost",
    )
    return SmtpOutbox(server, _login_of(settings, store), failpoint)


def _login_of(settings: Settings, store: SqlStore | None) -> "Login | None":
    """Return how we log in there: not at all, by the token of a command, by tokens of our own, or by password."""
    from cli.wiring.mail_oauth.tokens import granted
    from integrations.imap.login import Password, TokenCommand

    if not settings.smtp_user:
        return None
    if command := tuple(shlex.split(settings.smtp_token_command)):
        return TokenCommand("SMTP", command)
    if not settings.smtp_password:
        return granted(settings, settings.smtp_user, settings.smtp_user, store)
    return Password(settings.smtp_password.get_secret_value())


def folders_of(settings: Settings, specs: Sequence[MailboxSpec], store: SqlStore | None = None) -> "ImapFolders | None":
    """Return drafts and sent mail of the mailbox that letters come from, else of the first one; None if none is watched."""
    if not specs:
        return None
    from cli.wiring.mailboxes import imap_of
    from integrations.imap.folders import ImapFolders

    sender = sender_address(settings).address
    spec = next((one for one in specs if one.user.lower() == sender), specs[0])
    names = {MailFolder.DRAFTS: settings.drafts_folder, MailFolder.SENT: settings.sent_folder}
    return ImapFolders(lambda: imap_of(settings, spec, settings.max_mail_bytes, store), names)


@asynccontextmanager
async def open_letters(settings: Settings) -> AsyncIterator[LetterService]:
    async with command_store(settings) as store:
        yield LetterService(store=store.letters, clock=store.clock)
