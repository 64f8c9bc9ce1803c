"""Builds what operators ask: access tokens, cost, audit, retention, archive, forgetting, and webhooks to other programs."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from cli.wiring.intake import IntakeContext
from cli.wiring.store import command_store, objects_of, opened_store
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.domain.channels.notices import Notice
from triage.domain.operations.audit import Budget
from triage.policy.operations.webhooks import reachable
from triage.services.archiving import MailArchiving
from triage.services.operations.audit import AuditService
from triage.services.operations.forgetting import ForgetService
from triage.services.operations.retention import Retention
from triage.services.operations.stats import Spending
from triage.services.operations.tokens import TokenService
from triage.services.operations.webhooks import WebhookSender


@asynccontextmanager
async def open_tokens(settings: Settings) -> AsyncIterator[TokenService]:
    from cli.wiring.people.accounts import account_letters_of

    async with command_store(settings) as store:
        yield TokenService(
            store=store.tokens, deeds=store.deeds, clock=store.clock, letters=account_letters_of(settings, store)
        )


def tokens_of(store: SqlStore) -> TokenService:
    """Return what knows the holder of an access token."""
    return TokenService(store=store.tokens, deeds=store.deeds, clock=store.clock)


def spending_of(
    settings: Settings, store: SqlStore, tell: Callable[[Notice], Awaitable[None]] | None = None
) -> Spending:
    """Return what counts the cost of models."""
    return Spending(log=store.audit, clock=store.clock, cap=settings.max_cost_per_month, tell=tell)


def budget_of(context: IntakeContext) -> Callable[[], Awaitable[Budget]] | None:
    """Return what health asks for the month's budget, None without a cap."""
    capped = context.settings.max_cost_per_month is not None
    return spending_of(context.settings, context.store).budget if capped else None


@asynccontextmanager
async def open_audit(settings: Settings) -> AsyncIterator[AuditService]:
    async with command_store(settings) as store:
        yield AuditService(log=store.audit, done=store.deeds)


def retention_of(settings: Settings, store: SqlStore) -> Retention | None:
    """Return what removes old mails; None without RETENTION_DAYS."""
    days = settings.retention_days
    return Retention(store=store.forgetting, clock=store.clock, days=days) if days else None


def archiving_of(settings: Settings, store: SqlStore, later: AsyncExitStack) -> MailArchiving:
    """Return what moves raw mails to the archive; `later` closes its connections."""
    objects = objects_of(settings)
    later.push_async_callback(objects.close)
    return MailArchiving(store=store.mail_archive, objects=objects, clock=store.clock, days=settings.archive_after_days)


@asynccontextmanager
async def open_archiving(settings: Settings) -> AsyncIterator[MailArchiving]:
    async with opened_store(settings) as store, AsyncExitStack() as later:
        yield archiving_of(settings, store, later)


@asynccontextmanager
async def open_forgetting(settings: Settings) -> AsyncIterator[ForgetService]:
    """Open what forgets people in the store and in this host's index."""
    from cli.wiring.index import index_of
    from cli.wiring.memory.notes import notes_of

    site = settings.jira_base_url.rstrip("/")
    async with command_store(settings) as store, AsyncExitStack() as later:
        index = index_of(settings, store.tickets)
        yield ForgetService(
            store=store.forgetting,
            copies=store.tickets,
            deeds=store.deeds,
            index=index,
            notes=notes_of(settings) if settings.enable_memory else None,
            archive=archiving_of(settings, store, later),
            page=lambda key: f"{site}/browse/{key}" if site else "",
        )
        await index.close()


@asynccontextmanager
async def open_forgetting_in(file: Path) -> AsyncIterator[ForgetService]:
    """Open what forgets people in a backup of SQLite, whose tables are brought up to date first."""
    store = await open_store(f"sqlite:///{file}", SystemClock())
    try:
        yield ForgetService(store=store.forgetting, copies=store.tickets, deeds=store.deeds)
    finally:
        await store.close()


def webhook_sender_of(settings: Settings, store: SqlStore, later: AsyncExitStack) -> WebhookSender:
    """Return what delivers webhooks; `later` closes its connections."""
    from integrations.webhooks_out.post import HttpWebhooks

    post = HttpWebhooks(settings.webhook_hosts.casefold().split(), reachable)
    later.push_async_callback(post.close)
    return WebhookSender(store=store.webhooks, post=post, clock=store.clock)
