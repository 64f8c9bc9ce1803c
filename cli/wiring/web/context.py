"""Builds the services that console and API ask."""

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.intake import IntakeContext
from cli.wiring.mail import isolated_reader
from cli.wiring.memory.agents import all_permissions
from cli.wiring.memory.ask import memory_services_of
from cli.wiring.operations import spending_of
from cli.wiring.people.approvals import approvals_alone, cases_of, tickets_alone
from cli.wiring.people.casework import dry_runs_of
from cli.wiring.support.knowledge import article_service_of, editor_of
from cli.wiring.support.services import support_services_of
from cli.wiring.web.system import system_of
from triage.services.approvals import ApprovalService
from triage.services.case_lists.bulk import BulkService
from triage.services.case_lists.inbox import InboxService
from triage.services.casework.eval_cases import EvalCases
from triage.services.casework.mail_views import MailViews
from triage.services.letters.service import LetterService
from triage.services.operations.agents import Permission
from triage.services.operations.audit import AuditService, EventFeed
from triage.services.operations.insights import InsightsService
from triage.services.operations.stats import StatsService
from triage.services.operations.tokens import TokenService
from triage.services.operations.webhooks import WebhookService
from triage.services.routing.route_tester import RouteTester
from web.context import WebContext

if TYPE_CHECKING:
    from cli.wiring.app import App


def web_context(
    context: IntakeContext, tokens: TokenService, later: AsyncExitStack, stop: asyncio.Event, app: "App | None"
) -> WebContext:
    """Return the services of API and console; `triage serve --no-work` has them, too. `later` closes what they open."""
    settings, store, clock = context.settings, context.store, context.store.clock
    live = app.live if app else LiveConfig(settings)
    approvals = _approvals_of(context, live, later, app)
    alone = tickets_alone(context, live, approvals, later) if approvals and app is None else (None, None)
    reader = isolated_reader()
    cases = app.cases if app else cases_of(context, alone[0].tracker(settings.jira_project_key) if alone[0] else None)
    later.push_async_callback(reader.close)
    inbox = InboxService(lists=store.case_lists, store=store.views, clock=clock)

    def granted() -> tuple[Permission, ...]:
        agents, _ = live.current()
        return all_permissions(settings, agents)

    return WebContext(
        tokens=tokens,
        reports=context.reports,
        cases=cases,
        inbox=inbox,
        bulk=BulkService(reports=context.reports, cases=cases, approvals=approvals, inbox=inbox),
        mails=MailViews(archive=store.archive, viewer=reader),
        dry_runs=dry_runs_of(settings, service=True) if settings.jira_ready else None,
        eval_cases=EvalCases(archive=store.archive, domains=lambda: live.current()[1].domains),
        approvals=approvals,
        amending=app.amending if app else alone[0],
        merging=app.merging if app else alone[1],
        letters=LetterService(store=store.letters, clock=clock),
        read=reader.read,
        route_tester=lambda: RouteTester(live.current()[1]),
        max_mail_bytes=settings.max_mail_bytes,
        health=context.health,
        stats=_stats_of(context),
        insights=_insights_of(context),
        audit=AuditService(log=store.audit, done=store.deeds),
        permissions=granted,
        events=EventFeed(log=store.audit, clock=clock),
        webhooks=_webhooks_of(context),
        articles=article_service_of(store),
        editor=editor_of(live.latest, store.deeds, app.knowledge_sync if app else None),
        system=system_of(context, live, app),
        memory=memory_services_of(context, live, approvals, app, later) if settings.enable_memory else None,
        support=support_services_of(context, live),
        stop=stop,
        requests_per_minute=settings.api_requests_per_minute,
        tracker_url=settings.jira_base_url,
    )


def _approvals_of(
    context: IntakeContext, live: LiveConfig, later: AsyncExitStack, app: "App | None"
) -> ApprovalService | None:
    if app:
        return app.approvals
    return approvals_alone(context, live, later) if context.settings.jira_ready else None


def _stats_of(context: IntakeContext) -> StatsService:
    store = context.store
    return StatsService(
        archive=store.archive,
        log=store.audit,
        health=context.health,
        spending=spending_of(context.settings, store),
        clock=store.clock,
    )


def _insights_of(context: IntakeContext) -> InsightsService:
    return InsightsService(
        store=context.store.insights,
        log=context.store.audit,
        health=context.health,
        clock=context.store.clock,
        project=context.settings.jira_project_key,
    )


def _webhooks_of(context: IntakeContext) -> WebhookService:
    store, hosts = context.store, context.settings.webhook_hosts
    return WebhookService(store=store.webhooks, deeds=store.deeds, clock=store.clock, allowed=hosts.casefold().split())
