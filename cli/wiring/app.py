"""Builds the `App` from the settings: intake, worker, tracker and services, with everything connected."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.agents.models import Models
from cli.wiring.channels import answers_of, approval_letters_of, conditions_of, notices_of, secret_of, talk_of
from cli.wiring.index import index_of
from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.jira import tracker_of
from cli.wiring.letters import changed_of, desk_of, sender_of, texts_of
from cli.wiring.mail import isolated_reader, signatures_of
from cli.wiring.memory.digest import digests_of
from cli.wiring.memory.schedule import schedules_of
from cli.wiring.operations import retention_of, spending_of, webhook_sender_of
from cli.wiring.people.approvals import approvals_of, cases_of
from cli.wiring.people.calendar import LiveSources
from cli.wiring.people.casework import amending_of
from cli.wiring.store import failpoint_of
from cli.wiring.support.hub import hub_of
from cli.wiring.support.knowledge import knowledge_sync_of
from cli.wiring.support.library import library_of
from cli.wiring.telemetry.tracing import tracing_of
from triage.config.mailboxes import specs_of
from triage.config.settings import Settings
from triage.domain.operations.figures import Durations
from triage.domain.ports import LeasedCase, TicketIndex, TrackerView
from triage.pipeline.context import Services
from triage.pipeline.worker import Worker
from triage.policy.routing.route import without_proof
from triage.services.approvals import ApprovalService
from triage.services.approvals.expiry import ApprovalExpiry
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService
from triage.services.casework.amending import AmendService
from triage.services.casework.dry_runs import AS_NOW, Otherwise
from triage.services.channels.notices import Notices
from triage.services.health import HealthService
from triage.services.heartbeat import LONGEST, Heartbeat
from triage.services.intake import Intake
from triage.services.operations.retention import Retention
from triage.services.operations.webhooks import WebhookSender
from triage.services.support.conversations import ConversationService
from triage.services.sweeper import Sweeper
from triage.services.ticket_index_sync import TicketIndexSync
from triage.services.written_tickets import WrittenTickets

if TYPE_CHECKING:
    import httpx2

    from integrations.sql.store import SqlStore
    from triage.services.channels.approval_letters import ApprovalLetters
    from triage.services.channels.conditions import Conditions
    from triage.services.channels.ticket_talk import TicketTalk
    from triage.services.knowledge.sync import KnowledgeSync
    from triage.services.letters.sender import LetterSender
    from triage.services.memory.build.schedule import BuildSchedule
    from triage.services.memory.digest import MemoryDigest
    from triage.services.telemetry.tracing import Tracing


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """All services of one process, connected."""

    context: IntakeContext
    live: LiveConfig
    tracker: TrackerView
    index: TicketIndex
    tracker_requests: Callable[[], Mapping[tuple[str, ...], Durations]]
    """Returns the durations of the requests to the tracker so far, by method and status."""
    worker: Worker
    tracing: "Tracing | None"
    """None without OTEL_EXPORTER_OTLP_ENDPOINT."""
    heartbeat: Heartbeat | None
    """None unless HEARTBEAT_FILE is set."""
    sweepers: tuple[Sweeper, ...]
    """One for each project; so are the syncs."""
    ticket_index_syncs: tuple[TicketIndexSync, ...]
    knowledge_sync: "KnowledgeSync | None"
    """None in a dry run."""
    cases: CaseService
    approvals: ApprovalService
    amending: AmendService
    expiry: ApprovalExpiry
    webhooks: WebhookSender
    retention: Retention | None
    """None without RETENTION_DAYS."""
    reports: CaseReports
    conversations: ConversationService
    health: HealthService
    written: WrittenTickets
    letter_sender: "LetterSender | None"
    """None without SMTP_HOST."""
    notices: Notices
    conditions: "tuple[Conditions, ...]"
    """Empty without NOTIFY_URLS."""
    talk: "tuple[TicketTalk, ...]"
    """Empty without ENABLE_JIRA_APPROVALS."""
    approval_letters: "tuple[ApprovalLetters, ...]"
    """Empty unless approvers are asked by letter."""
    digests: "tuple[MemoryDigest, ...]"
    """Empty without MEMORY_DIGEST."""
    memory_schedules: "tuple[BuildSchedule, ...]"
    """Empty without MEMORY_BUILD_HOURS."""

    @property
    def settings(self) -> Settings:
        """The settings that the app was opened with."""
        return self.context.settings

    @property
    def store(self) -> "SqlStore":
        """The adapter itself, for tests; commands ask the services."""
        return self.context.store

    @property
    def intake(self) -> Intake:
        """The service that stores mail."""
        return self.context.intake


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    dry_run: bool = False,
    service: bool = False,
    about: str | None = None,
    otherwise: Otherwise = AS_NOW,
    transport: "httpx2.AsyncBaseTransport | None" = None,
) -> AsyncIterator[App]:
    """Open the app. A dry run, about one case if `about` is given, writes nothing; a service logs at INFO.

    `otherwise` replaces model and agent.

    Models are asked over `transport` if one is given.
    """
    async with AsyncExitStack() as stack:
        live = LiveConfig(settings, dry_run=dry_run, otherwise=otherwise)
        config = live.config
        _, rules = live.current()
        for rule in without_proof(config.rules, checked=rules.edge.checks) if service and not dry_run else ():
            logger.warning("routing.unproven", rule=rule)
        tracker, models = (
            tracker_of(settings, failpoint_of(settings), config),
            Models(settings, transport, config.providers),
        )
        # Parsing is bound by the CPU: more processes than cores would only take memory.
        reader = isolated_reader(min(settings.workers, os.cpu_count() or 1))
        stack.push_async_callback(reader.close)
        reader.warm()
        stack.push_async_callback(tracker.close)
        stack.push_async_callback(models.close)
        signatures = signatures_of(settings)
        if signatures:
            stack.push_async_callback(signatures.close)
        context = await stack.enter_async_context(open_intake(settings, dry_run=dry_run, service=service, about=about))
        store, view = context.store, tracker.view()
        index = index_of(settings, store.tickets, read_only=dry_run)
        stack.push_async_callback(index.close)
        notices = notices_of(settings, store)
        secret = await secret_of(context)
        specs = specs_of(settings, config.mailboxes) if settings.smtp_host else ()
        writes = not settings.shadow  # in the shadow nothing leaves, whoever would write it
        letter_sender = None if dry_run or not writes else sender_of(settings, store, specs, context.failpoint)
        if letter_sender:
            stack.push_async_callback(letter_sender.outbox.close)
        desk = desk_of(settings, store, specs, rules.domains, secret)
        cases, approvals = cases_of(context), approvals_of(context, view, live)
        sources, library = LiveSources(config), library_of(store.articles)
        services = partial(
            Services,
            letters=desk,
            texts=texts_of(settings, config),
            ticket_store=store.tickets,
            index=index,
            people_index=store.people_index,
            reader=reader,
            signatures=signatures,
            model=models if models.any else None,
            clock=context.store.clock,
            secret=secret,
            answers=answers_of(settings, approvals, notices),
            budget_used_up=spending_of(settings, store, notices.tell).used_up
            if settings.max_cost_per_month is not None
            else None,
            failpoint=context.failpoint,
        )

        def of_case(leased: LeasedCase) -> Services:
            views = tracker.views()
            view = views[settings.jira_project_key]
            agents, rules = live.current()
            calendar, contacts = sources.of(live.config)
            return services(
                calendar=calendar,
                contacts=contacts,
                library=library if live.config.knowledge.sources else None,
                hub=hub_of(settings, live.config, library if live.config.knowledge.sources else None),
                toolbox=agents.toolbox,
                profiles=agents.profiles,
                rules=rules,
                cases=leased.cases,
                journal=leased.journal,
                ledger=leased.ledger,
                threads=leased.threads,
                throttle=leased.throttle,
                approvals=leased.approvals,
                history=leased.history,
                dialogue=leased.dialogue,
                tickets=view.tickets,
                writer=view.writer,
                comments=view.comments,
                people=view.people,
                sprints=view.sprints,
                metadata=view.metadata,
                projects=views if len(views) > 1 else {},
            )

        tracing = tracing_of(settings, store, secret, stack)
        worker = worker_of(context, of_case, tracing)
        health = replace(context.health, tracker_trouble=lambda: view.metadata.trouble, config_trouble=live.trouble)
        yield App(
            context=context,
            live=live,
            tracker=view,
            index=index,
            tracker_requests=lambda: tracker.requests,
            worker=worker,
            tracing=tracing,
            heartbeat=heartbeat_of(context, worker),
            sweepers=tuple(
                Sweeper(tracker=view, clock=context.store.clock, kill_switch=store.kill_switch)
                for view in tracker.views().values()
                if writes
            ),
            ticket_index_syncs=tuple(
                TicketIndexSync(
                    tracker=view,
                    store=store.tickets,
                    index=index,
                    clock=context.store.clock,
                    every=settings.jira_poll_seconds,
                    changed=changed_of(config, store, desk, tracker.discussion) if writes else None,
                )
                for view in tracker.views().values()
            ),
            knowledge_sync=knowledge_sync_of(live.latest, store, tracker.discussion) if not dry_run else None,
            cases=cases,
            approvals=approvals,
            amending=amending_of(context, tracker, approvals),
            expiry=ApprovalExpiry(
                decisions=store.decisions,
                notices=notices,
                clock=context.store.clock,
                rules=approvals.rules,
            ),
            webhooks=webhook_sender_of(settings, store, stack),
            retention=retention_of(settings, store) if writes else None,
            reports=context.reports,
            conversations=ConversationService(store.dialogues),
            health=health,
            written=WrittenTickets(view.tickets.details),
            letter_sender=letter_sender,
            notices=notices,
            digests=digests_of(settings, notices),
            memory_schedules=schedules_of(settings, store, live, context.failpoint, stack) if not dry_run else (),
            conditions=conditions_of(context, notices, health, approvals, secret),
            talk=talk_of(context, tracker, approvals, cases, secret) if writes else (),
            approval_letters=approval_letters_of(context, notices, approvals, secret) if writes else (),
        )


def worker_of(
    context: IntakeContext, services: Callable[[LeasedCase], Services], tracing: "Tracing | None" = None
) -> Worker:
    """Build the worker from the settings."""
    settings = context.settings
    return Worker(
        jobs=context.store.jobs,
        notifier=context.notifier,
        clock=context.store.clock,
        services=services,
        lease_seconds=settings.lease_seconds,
        max_attempts=settings.max_attempts,
        at_once=settings.workers,
        worked=tracing.worked if tracing else None,
    )


def heartbeat_of(context: IntakeContext, worker: Worker) -> Heartbeat | None:
    """Build the heartbeat; None unless HEARTBEAT_FILE is set."""
    settings = context.settings
    if not settings.heartbeat_file:
        return None
    most = LONGEST + timedelta(seconds=settings.max_seconds_per_mail)
    return Heartbeat(Path(settings.heartbeat_file), context.store.jobs, worker.in_hand, most)
