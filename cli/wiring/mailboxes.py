"""Builds the IMAP adapter and the watch of each mailbox in the settings and `triage.yaml`."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from cli.wiring.intake import IntakeContext
from cli.wiring.mail_oauth.tokens import granted
from integrations.imap.login import Login, Password, TokenCommand
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from triage.config.mailboxes import MailboxSpec, specs_of
from triage.config.settings import Settings
from triage.config.triage_yaml import load_config
from triage.services.mailbox_sync import MailboxSync
from triage.services.mailbox_watch import Watch, WatchPace
from triage.services.operations.leader import Leader

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


def configured_mailboxes(settings: Settings) -> Sequence[MailboxSpec]:
    """Return the mailboxes to watch, if any. Raises `SettingsInvalid`."""
    return specs_of(settings, load_config(settings.triage_config).mailboxes)


def watches_of(context: IntakeContext, specs: Sequence[MailboxSpec], since: datetime | None = None) -> list[Watch]:
    """Build a watch per mailbox; with `since` they fetch older mails from that time on, too."""
    pace = WatchPace(look=context.settings.imap_poll_seconds)
    return [Watch(_sync_of(context, spec), pace, since) for spec in specs]


def watchers_of(context: IntakeContext, specs: Sequence[MailboxSpec], since: datetime | None = None) -> list[Leader]:
    """Build the leader of each mailbox's watch: of all processes that run it one watches, and another one takes over."""
    watches = zip(specs, watches_of(context, specs, since), strict=True)
    return [
        Leader(leadership=context.leadership, clock=context.store.clock, duty=f"mailbox {spec.name}", works=[watch.run])
        for spec, watch in watches
    ]


def _sync_of(context: IntakeContext, spec: MailboxSpec) -> MailboxSync:
    return MailboxSync(
        mailbox=imap_of(context.settings, spec, context.settings.max_mail_bytes, context.store),
        mailboxes=context.store.mailboxes,
        intake=context.intake,
        clock=context.store.clock,
    )


def imap_of(settings: Settings, spec: MailboxSpec, limit: int, store: "SqlStore | None" = None) -> ImapMailbox:
    """Build the adapter; of a mail larger than `limit` bytes it fetches only the headers. Without `store` it opens its own for tokens."""
    account = ImapAccount(
        name=spec.name,
        host=spec.host,
        port=spec.port,
        user=spec.user,
        folder=spec.folder,
        tls=Tls.NONE if spec.tls == "insecure" else Tls(spec.tls),
        seen=spec.after == "seen",
        move_to=spec.after.partition(":")[2],
        limit=limit,
    )
    return ImapMailbox(account, _login(settings, spec, store))


def _login(settings: Settings, spec: MailboxSpec, store: "SqlStore | None") -> Login:
    if spec.oauth:
        return granted(settings, spec.name, spec.user, store)
    return TokenCommand(spec.name, spec.token_command) if spec.token_command else Password(spec.secret())
