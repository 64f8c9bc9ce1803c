"""Builds the `App` from the settings: intake, worker, tracker and services, with everything connected."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.channels import answers_of, approval_letters_of, conditions_of, notices_of, response_times_of, talk_of
from cli.wiring.intake import IntakeContext
from cli.wiring.letters import changed_of, letter_writer_of, sender_of
from cli.wiring.memory.duties import digests_of, schedules_of
from cli.wiring.operations import archiving_of, retention_of, webhook_sender_of
from cli.wiring.people.approvals import amending_of, approvals_of, cases_of, merging_of
from cli.wiring.support.knowledge import knowledge_sync_of
from cli.wiring.telemetry.tracing import tracing_of
from cli.wiring.work.case_services import CaseServices
from cli.wiring.work.connections import Connections, open_connections
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.domain.operations.figures import Durations
from triage.domain.ports import LeasedCase, MailReader, TicketIndex, TrackerView
from triage.effects.letter_writer import LetterWriter
from triage.pipeline.context import Services
from triage.pipeline.worker import Worker
from triage.policy.routing.route import without_proof
from triage.services.approvals import ApprovalService
from triage.services.archiving import MailArchiving
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService
from triage.services.casework.amending import AmendService
from triage.services.casework.dry_runs import NO_OVERRIDES, ReplayOverrides
from triage.services.casework.merging import MergeService
from triage.services.channels.approval_letters import ApprovalLetters
from triage.services.channels.conditions import Conditions
from triage.services.channels.notices import Notices
from triage.services.channels.ticket_talk import TicketTalk
from triage.services.health import HealthService
from triage.services.heartbeat import LONGEST, Heartbeat
from triage.services.installation.tracker_claim import SHADOW, TrackerClaim
from triage.services.intake import Intake
from triage.services.knowledge.sync import KnowledgeSync
from triage.services.letters.sender import LetterSender
from triage.services.memory.digest import MemoryDigest
from triage.services.operations.retention import Retention
from triage.services.operations.webhooks import WebhookSender
from triage.services.support.conversations import ConversationService
from triage.services.sweeper import Sweeper
from triage.services.telemetry.tracing import Tracing
from triage.services.ticket_index_sync import TicketIndexSync
from triage.services.written_tickets import WrittenTickets

if TYPE_CHECKING:
    import httpx2

    from triage.services.memory.build.service import BuildSchedule


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
    tracing: Tracing | None
    """None without OTEL_EXPORTER_OTLP_ENDPOINT."""
    heartbeat: Heartbeat | None
    """None unless HEARTBEAT_FILE is set."""
    sweepers: tuple[Sweeper, ...]
    """One for each project; so are the syncs."""
    ticket_index_syncs: tuple[TicketIndexSync, ...]
    knowledge_sync: KnowledgeSync | None
    """None in a dry run."""
    cases: CaseService
    approvals: ApprovalService
    amending: AmendService
    merging: MergeService
    webhooks: WebhookSender
    retention: Retention | None
    """None without RETENTION_DAYS."""
    archiving: MailArchiving | None
    """None without ARCHIVE_TO."""
    reports: CaseReports
    conversations: ConversationService
    health: HealthService
    tracker_claim: TrackerClaim
    written: WrittenTickets
    letter_sender: LetterSender | None
    """None without SMTP_HOST."""
    notices: Notices
    conditions: tuple[Conditions, ...]
    """Empty without NOTIFY_URLS."""
    talk: tuple[TicketTalk, ...]
    """Empty without ENABLE_JIRA_APPROVALS."""
    approval_letters: tuple[ApprovalLetters, ...]
    """Empty unless approvers are asked by letter."""
    digests: tuple[MemoryDigest, ...]
    """Empty without MEMORY_DIGEST."""
    memory_schedules: "tuple[BuildSchedule, ...]"
    """Empty without MEMORY_BUILD_HOURS."""

    @property
    def settings(self) -> Settings:
        return self.context.settings

    @property
    def store(self) -> SqlStore:
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
    overrides: ReplayOverrides = NO_OVERRIDES,
    transport: "httpx2.AsyncBaseTransport | None" = None,
    reader: MailReader | None = None,
) -> AsyncIterator[App]:
    """Open the app. A dry run, about one case if `about` is given, writes nothing; a service logs at INFO.

    Raises `SettingsInvalid` where workers on this database write elsewhere than a command would; services only warn of it.

    `overrides` replaces model and agent. Models are asked over `transport` if one is given, and mails read by `reader`.
    Opened in this order and closed in reverse: configuration, connections, services.
    """
    live = LiveConfig(settings, dry_run=dry_run, overrides=overrides)
    if service and not dry_run:
        _warn_of_unproven(live)
    connections = open_connections(
        settings, live, dry_run=dry_run, service=service, about=about, transport=transport, reader=reader
    )
    async with connections as at, AsyncExitStack() as later:
        app = _app_of(at, later)
        if not service and not dry_run:
            await app.tracker_claim.check()
        yield app


def _warn_of_unproven(live: LiveConfig) -> None:
    _, rules = live.current()
    for rule in without_proof(live.config.rules, checked=rules.edge.checks):
        logger.warning("routing.unproven", rule=rule)


def _app_of(at: Connections, later: AsyncExitStack) -> App:
    """Build the services over what is open; `later` closes what they open themselves."""
    context, settings, store, live, view = at.context, at.settings, at.store, at.live, at.tracker.view()
    notices, cases, approvals = notices_of(settings, store), cases_of(context, view), approvals_of(context, view, live)
    writer = letter_writer_of(settings, store, at.letter_mailboxes, live, at.secret)
    tracing = tracing_of(settings, store, at.secret, later)
    services = CaseServices(at, notices, writer, answers_of(settings, approvals, notices))
    worker = worker_of(context, services, tracing)
    claim = TrackerClaim(
        claims=store.tracker_claims,
        clock=store.clock,
        tracker=f"{settings.jira_project_key} at {settings.jira_base_url}" if at.writes else SHADOW,
    )
    health = replace(
        context.health,
        tracker_trouble=lambda: claim.trouble() or view.metadata.trouble,
        settings_conflict=claim.trouble,
        config_trouble=live.trouble,
    )
    return App(
        context=context,
        live=live,
        tracker=view,
        index=at.index,
        tracker_requests=lambda: at.tracker.requests,
        worker=worker,
        tracing=tracing,
        heartbeat=heartbeat_of(context, worker),
        sweepers=_sweepers_of(at),
        ticket_index_syncs=_syncs_of(at, writer),
        knowledge_sync=None if at.dry_run else knowledge_sync_of(live.latest, store, at.tracker.discussion),
        cases=cases,
        approvals=approvals,
        amending=amending_of(context, at.tracker, approvals),
        merging=merging_of(context, at.tracker, approvals),
        webhooks=webhook_sender_of(settings, store, later),
        retention=retention_of(settings, store) if at.writes else None,
        archiving=archiving_of(settings, store, later) if at.writes and settings.archive_to else None,
        reports=context.reports,
        conversations=ConversationService(store.dialogues),
        health=health,
        tracker_claim=claim,
        written=WrittenTickets(view.tickets.details),
        letter_sender=_letter_sender_of(at, later),
        notices=notices,
        digests=digests_of(settings, notices),
        memory_schedules=() if at.dry_run else schedules_of(settings, store, live, context.failpoint, later),
        conditions=conditions_of(
            context, notices, health, approvals, at.secret, response_times_of(context, live, at.tracker)
        ),
        talk=talk_of(context, at.tracker, approvals, cases, at.secret) if at.writes else (),
        approval_letters=approval_letters_of(context, notices, approvals, at.secret) if at.writes else (),
    )


def _sweepers_of(at: Connections) -> tuple[Sweeper, ...]:
    if not at.writes:
        return ()
    store = at.store
    return tuple(Sweeper(tracker=view, kill_switch=store.kill_switch) for view in at.tracker.views().values())


def _syncs_of(at: Connections, writer: LetterWriter | None) -> tuple[TicketIndexSync, ...]:
    store, config = at.store, at.live.config
    return tuple(
        TicketIndexSync(
            tracker=view,
            store=store.tickets,
            index=at.index,
            clock=store.clock,
            every=at.settings.jira_poll_seconds,
            changed=changed_of(config, store, writer, at.tracker.discussion) if at.writes else None,
        )
        for view in at.tracker.views().values()
    )


def _letter_sender_of(at: Connections, later: AsyncExitStack) -> LetterSender | None:
    if at.dry_run or not at.writes:
        return None
    sender = sender_of(at.settings, at.store, at.letter_mailboxes, at.context.failpoint)
    if sender:
        later.push_async_callback(sender.outbox.close)
    return sender


def worker_of(
    context: IntakeContext, services: Callable[[LeasedCase], Services], tracing: Tracing | None = None
) -> Worker:
    settings = context.settings
    return Worker(
        jobs=context.store.jobs,
        notifier=context.notifier,
        clock=context.store.clock,
        services=services,
        lease_seconds=settings.lease_seconds,
        max_attempts=settings.max_attempts,
        at_once=settings.workers,
        on_work=tracing.worked if tracing else None,
    )


def heartbeat_of(context: IntakeContext, worker: Worker) -> Heartbeat | None:
    """Build the heartbeat; None unless HEARTBEAT_FILE is set."""
    settings = context.settings
    if not settings.heartbeat_file:
        return None
    most = LONGEST + timedelta(seconds=settings.max_seconds_per_mail)
    return Heartbeat(Path(settings.heartbeat_file), context.store.jobs, worker.running, most)
