"""Opens what a process that works on mail holds open: parser, tracker, models, store, search index."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.agents.models import Models
from cli.wiring.index import index_of
from cli.wiring.intake import IntakeContext, open_intake, secret_of
from cli.wiring.jira import tracker_of
from cli.wiring.mail import isolated_reader, signatures_of
from cli.wiring.store import failpoint_of
from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore
from triage.config.mailboxes import MailboxSpec, specs_of
from triage.config.settings import Settings
from triage.domain.ports import MailReader, SignatureCheck, TicketIndex

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """Everything that is open and must be closed; services are built over it."""

    context: IntakeContext
    live: LiveConfig
    tracker: JiraTracker
    models: Models
    reader: MailReader
    signatures: SignatureCheck | None
    """None without ENABLE_DKIM_CHECK."""
    index: TicketIndex
    secret: bytes = field(repr=False)
    """Key of marks, letters and links."""
    dry_run: bool

    @property
    def settings(self) -> Settings:
        """The settings that everything was opened with."""
        return self.context.settings

    @property
    def store(self) -> SqlStore:
        return self.context.store

    @property
    def writes(self) -> bool:
        """Whether anything may leave; in the shadow nothing does, whoever would write it."""
        return not self.settings.shadow

    @property
    def letter_mailboxes(self) -> Sequence[MailboxSpec]:
        """The mailboxes that letters may come from; empty without SMTP_HOST."""
        settings = self.settings
        return specs_of(settings, self.live.config.mailboxes) if settings.smtp_host else ()


@asynccontextmanager
async def open_connections(
    settings: Settings,
    live: LiveConfig,
    *,
    dry_run: bool,
    service: bool,
    about: str | None,
    transport: "httpx2.AsyncBaseTransport | None",
    reader: MailReader | None,
) -> AsyncIterator[Connections]:
    """Open, in this order: parser unless one is given, tracker, models, DKIM check, store with intake, index. Closed in reverse."""
    async with AsyncExitStack() as later:
        tracker = tracker_of(settings, failpoint_of(settings), live.config)
        models = Models(settings, transport, live.config.providers)
        if reader is None:
            # Parsing is bound by the CPU: more processes than cores would only take memory.
            reader = isolated = isolated_reader(min(settings.workers, os.cpu_count() or 1))
            later.push_async_callback(isolated.close)
            if service:
                isolated.warm()
        later.push_async_callback(tracker.close)
        later.push_async_callback(models.close)
        if signatures := signatures_of(settings):
            later.push_async_callback(signatures.close)
        context = await later.enter_async_context(open_intake(settings, dry_run=dry_run, service=service, about=about))
        index = index_of(settings, context.store.tickets, read_only=dry_run)
        later.push_async_callback(index.close)
        yield Connections(
            context=context,
            live=live,
            tracker=tracker,
            models=models,
            reader=reader,
            signatures=signatures,
            index=index,
            secret=await secret_of(context),
            dry_run=dry_run,
        )
