"""Builds what operators and programs ask: access tokens, and the rooms of the web application."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cli.wiring.channels import approve_room, secret_of
from cli.wiring.people.accounts import way_in_of
from cli.wiring.store import failpoint_of, opened_store, set_up_log
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.domain.ports import no_failpoint
from triage.policy.operations.webhooks import reachable
from triage.services.operations.retention import Retention
from triage.services.operations.spending import Spending
from triage.services.operations.tokens import TokenService
from triage.services.operations.webhooks import WebhookSender
from web.console.places import PLACES

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from integrations.sql.store import SqlStore
    from triage.domain.channels.notices import Notice
    from triage.domain.operations.audit import Budget
    from triage.services.accounts.first_run import FirstRun
    from triage.services.operations.agents import Permission
    from triage.services.operations.audit import AuditService
    from triage.services.operations.forgetting import ForgetService
    from web.context import WebContext


@asynccontextmanager
async def open_tokens(settings: Settings) -> AsyncIterator[TokenService]:
    """Open the service of access tokens."""
    set_up_log(settings, service=False)
    async with opened_store(settings, no_failpoint) as store:
        yield TokenService(store=store.tokens, clock=store.clock)


def rooms_of(
    context: "IntakeContext",
    later: AsyncExitStack,
    stop: asyncio.Event,
    app: "App | None" = None,
    first: "FirstRun | None" = None,
) -> "Mapping[str, ASGIApp]":
    """Return the rooms of the web application by path; each is imported when it is first asked for, once it is on.

    What they open `later` closes; streams end with `stop`; `first` has the token for the first account. Without `app`, where no worker runs, they get services of their own.
    """
    from web.room import Room

    tokens = TokenService(store=context.store.tokens, clock=SystemClock())

    @cache
    def services() -> "WebContext":
        return _web_context(context, tokens, later, stop, app)

    def api() -> "ASGIApp":
        from web.api.app import api_app

        return api_app(services())

    def console() -> "ASGIApp":
        from web.console.app import console_app

        return console_app(services(), way_in_of(context, tokens, secrets[-1], first, later))

    secrets: list[bytes] = []

    async def ready() -> bool:
        secrets.append(await secret_of(context))
        return True

    pages = Room(console, ready)
    if context.settings.enable_mcp:
        from cli.wiring.mcp.room import PATH, mcp_room

        more = {PATH: mcp_room(context, later, app)}
    else:
        more = {}
    return {
        **more,
        "/api": Room(api, tokens.usable),
        "/approve": approve_room(context, later, app.approvals if app else None),
        **({f"/{place}": pages for place in PLACES} if context.settings.console else {}),
    }


def _web_context(
    context: "IntakeContext",
    tokens: TokenService,
    later: AsyncExitStack,
    stop: asyncio.Event,
    app: "App | None",
) -> "WebContext":
    """Return the services of API and console; `triage serve --no-work` has them, too."""
    from cli.wiring.agents.live_config import LiveConfig
    from cli.wiring.mail import isolated_reader
    from cli.wiring.memory.agents import all_permissions
    from cli.wiring.memory.ask import room_of
    from cli.wiring.memory.build import builds_of
    from cli.wiring.people.approvals import approvals_alone, cases_of
    from cli.wiring.people.casework import amending_alone, dry_runs_of
    from cli.wiring.support.knowledge import article_service_of, editor_of
    from cli.wiring.support.room import support_of
    from cli.wiring.web.system import system_of
    from triage.services.case_lists.bulk import BulkService
    from triage.services.case_lists.inbox import InboxService
    from triage.services.casework.eval_cases import EvalCases
    from triage.services.casework.mail_views import MailViews
    from triage.services.letters.desk import LetterService
    from triage.services.operations.audit import AuditService
    from triage.services.operations.events import EventFeed
    from triage.services.operations.insights import InsightsService
    from triage.services.operations.stats import StatsService
    from triage.services.operations.webhooks import WebhookService
    from triage.services.routing.route_tester import RouteTester
    from web.context import WebContext

    settings, store = context.settings, context.store
    live, approvals = (app.live, app.approvals) if app else (LiveConfig(settings), None)
    if approvals is None and settings.jira_ready:
        approvals = approvals_alone(context, live, later)
    alone = amending_alone(context, live, approvals, later) if approvals and app is None else None
    reader, cases, notify = isolated_reader(), cases_of(context), context.notifier.notify
    inbox = InboxService(lists=store.case_lists, store=store.views, clock=SystemClock())
    later.push_async_callback(reader.close)

    def granted() -> "tuple[Permission, ...]":
        agents, _ = live.current()
        return all_permissions(settings, agents)

    builds = builds_of(settings, store, live, context.failpoint, later) if settings.enable_memory else None
    return WebContext(
        tokens=tokens,
        reports=context.reports,
        cases=cases,
        inbox=inbox,
        bulk=BulkService(reports=context.reports, cases=cases, approvals=approvals, inbox=inbox, notify=notify),
        mails=MailViews(archive=store.archive, viewer=reader),
        dry_runs=dry_runs_of(settings, service=True) if settings.jira_ready else None,
        eval_cases=EvalCases(archive=store.archive, domains=lambda: live.current()[1].domains),
        approvals=approvals,
        amending=app.amending if app else alone,
        notify=notify,
        letters=LetterService(store=store.letters, clock=SystemClock()),
        read=reader.read,
        route_tester=lambda: RouteTester(live.current()[1]),
        max_mail_bytes=settings.max_mail_bytes,
        health=context.health,
        stats=StatsService(
            archive=store.archive,
            log=store.audit,
            health=context.health,
            spending=spending_of(settings, store),
            clock=SystemClock(),
        ),
        insights=InsightsService(
            store=store.insights,
            log=store.audit,
            health=context.health,
            clock=SystemClock(),
            project=settings.jira_project_key,
        ),
        audit=AuditService(log=store.audit),
        permissions=granted,
        events=EventFeed(log=store.audit, clock=SystemClock()),
        webhooks=WebhookService(
            store=store.webhooks, clock=store.clock, allowed=settings.webhook_hosts.casefold().split()
        ),
        articles=article_service_of(store),
        editor=editor_of(live.latest, app.knowledge_sync if app else None),
        builds=builds,
        system=system_of(context, live, app),
        memory=room_of(context, live, approvals, app, builds, later) if builds else None,
        support=support_of(context, live),
        stop=stop,
        requests_per_minute=settings.api_requests_per_minute,
        tracker_url=settings.jira_base_url,
    )


def spending_of(
    settings: Settings, store: "SqlStore", tell: "Callable[[Notice], Awaitable[None]] | None" = None
) -> Spending:
    """Return what counts the cost of models."""
    return Spending(log=store.audit, clock=SystemClock(), cap=settings.max_cost_per_month, tell=tell)


def budget_of(context: "IntakeContext") -> "Callable[[], Awaitable[Budget]] | None":
    """Return what health asks for the month's budget, None without a cap."""
    capped = context.settings.max_cost_per_month is not None
    return spending_of(context.settings, context.store).budget if capped else None


@asynccontextmanager
async def open_audit(settings: Settings) -> AsyncIterator["AuditService"]:
    """Open the audit."""
    from triage.services.operations.audit import AuditService

    set_up_log(settings, service=False)
    async with opened_store(settings, no_failpoint) as store:
        yield AuditService(log=store.audit)


def retention_of(settings: Settings, store: "SqlStore") -> Retention | None:
    """Return what removes old mails; None without RETENTION_DAYS."""
    days = settings.retention_days
    return Retention(store=store.forgetting, clock=store.clock, days=days) if days else None


@asynccontextmanager
async def open_forgetting(settings: Settings) -> AsyncIterator["ForgetService"]:
    """Open what forgets people in the store and in this host's index."""
    from cli.wiring.index import index_of
    from cli.wiring.memory.notes import notes_of
    from triage.services.operations.forgetting import ForgetService

    set_up_log(settings, service=False)
    site = settings.jira_base_url.rstrip("/")
    async with opened_store(settings, failpoint_of(settings)) as store:
        index = index_of(settings, store.tickets)
        yield ForgetService(
            store=store.forgetting,
            copies=store.tickets,
            index=index,
            notes=notes_of(settings) if settings.enable_memory else None,
            page=lambda key: f"{site}/browse/{key}" if site else "",
        )
        await index.close()


@asynccontextmanager
async def open_forgetting_in(file: Path) -> AsyncIterator["ForgetService"]:
    """Open what forgets people in a backup of SQLite, whose tables are brought up to date first."""
    from integrations.sql.store import open_store
    from triage.services.operations.forgetting import ForgetService

    store = await open_store(f"sqlite:///{file}", SystemClock())
    try:
        yield ForgetService(store=store.forgetting, copies=store.tickets)
    finally:
        await store.close()


def webhook_sender_of(settings: Settings, store: "SqlStore", later: AsyncExitStack) -> WebhookSender:
    """Return what delivers webhooks; `later` closes its connections."""
    from integrations.webhooks_out.post import HttpWebhooks

    post = HttpWebhooks(settings.webhook_hosts.casefold().split(), reachable)
    later.push_async_callback(post.close)
    return WebhookSender(store=store.webhooks, post=post, clock=store.clock)
