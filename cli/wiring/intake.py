"""Builds what accepts mail without Jira and models: store, notifier, intake, and their health checks."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.wiring.notifier import notifier_of
from cli.wiring.store import failpoint_of, leadership_of, opened_store, set_up_log
from integrations.local_notifier import LocalNotifier
from integrations.loguru_log import cleaned
from triage.config.settings import Settings
from triage.domain.ports import Failpoint, Leadership, Notifier
from triage.services.case_reports import CaseReports
from triage.services.health import HealthService
from triage.services.intake import Intake

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeContext:
    """The services that accept mail."""

    settings: Settings
    store: "SqlStore"
    """The adapter itself, for wiring and tests; commands ask the services."""
    notifier: Notifier
    leadership: Leadership
    intake: Intake
    health: HealthService
    reports: CaseReports
    mark_stale: Callable[[Sequence[str]], Awaitable[None]]
    """Has tickets read again by the next sync."""
    failpoint: Failpoint


async def secret_of(context: IntakeContext) -> bytes:
    """Return TRIAGE_SECRET, or the one in the store. Raises `StoreDown`."""
    return context.settings.triage_secret.get_secret_value().encode() or await context.store.health.secret()


@asynccontextmanager
async def open_intake(
    settings: Settings, *, dry_run: bool = False, service: bool = False, about: str | None = None
) -> AsyncIterator[IntakeContext]:
    """Open the context. A dry run works on a copy of the store and notifies nobody; a service logs at INFO."""
    set_up_log(settings, service=service)
    failpoint, notifier = failpoint_of(settings), LocalNotifier() if dry_run else notifier_of(settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(notifier.close)
        leadership = leadership_of(settings, dry_run=dry_run)
        stack.push_async_callback(leadership.close)
        store = await stack.enter_async_context(opened_store(settings, dry_run=dry_run, about=about))
        yield IntakeContext(
            settings=settings,
            store=store,
            notifier=notifier,
            leadership=leadership,
            intake=Intake(store.inbox, notifier, store.clock, settings.max_mail_bytes, failpoint),
            health=health_of(settings, store),
            reports=CaseReports(archive=store.archive),
            mark_stale=store.tickets.mark_stale,
            failpoint=failpoint,
        )


def health_of(settings: Settings, store: "SqlStore") -> HealthService:
    """Build the health service; it shortens addresses as the log does."""
    return HealthService(
        store=store.health,
        cursors=store.mailboxes,
        kill_switch=store.kill_switch,
        clock=store.clock,
        poll_seconds=settings.imap_poll_seconds,
        redact=cleaned,
    )
