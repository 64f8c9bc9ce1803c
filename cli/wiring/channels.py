"""Builds the ways to people from the settings: notices and the channels that carry them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.utils import parseaddr
from functools import partial

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.intake import IntakeContext
from cli.wiring.store import command_store
from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.domain.approvals import Approval
from triage.domain.errors import SettingsInvalid
from triage.domain.extras import missing
from triage.domain.ports import Notify
from triage.services.approvals import ApprovalService
from triage.services.cases import CaseService
from triage.services.channels.approval_letters import ApprovalLetters
from triage.services.channels.conditions import Conditions, no_links
from triage.services.channels.links import ApprovalLinks
from triage.services.channels.mail_answers import MailAnswers
from triage.services.channels.notices import Notices
from triage.services.channels.ticket_commands import TicketCommands
from triage.services.channels.ticket_notes import ProposalNotes
from triage.services.channels.ticket_talk import TicketTalk
from triage.services.health import HealthService
from triage.services.support.response_times import ResponseTimes

NO_EXTRA = f"NOTIFY_URLS: {missing('notify')}"


def channels_of(settings: Settings) -> tuple[Notify, ...]:
    """Build the channels of NOTIFY_URLS; empty if it is. Raises `SettingsInvalid`."""
    urls = settings.notify_urls.get_secret_value().split()
    if not urls:
        return ()
    try:
        from integrations.notify import apprise_channel
    except ModuleNotFoundError:
        raise SettingsInvalid((NO_EXTRA,)) from None
    return apprise_channel.channels_of(urls)


def notices_of(settings: Settings, store: SqlStore) -> Notices:
    """Build the service that sends notices to people. Raises `SettingsInvalid`."""
    return Notices(store=store.notices, clock=store.clock, channels=channels_of(settings))


def conditions_of(
    context: IntakeContext,
    notices: Notices,
    health: HealthService,
    approvals: ApprovalService,
    secret: bytes,
    response_times: ResponseTimes | None,
) -> tuple[Conditions, ...]:
    """Build the service that looks for conditions that people must know of; empty without channels."""
    if not notices.channels:
        return ()
    store, links = context.store, no_links
    if context.settings.public_url:
        links = partial(_lines, context.settings, links_of(context, notices, approvals, secret))
    return (
        Conditions(
            notices=notices,
            health=health,
            troubles=store.notices,
            archive=store.archive,
            letters=store.letters,
            clock=store.clock,
            links=links,
            approvals=approvals.rules,
            response_times=response_times,
        ),
    )


def _lines(settings: Settings, links: ApprovalLinks, approval: Approval) -> str:
    """Return where the approval stands in the console, which asks who is there, and what decides at once in one person's name."""
    page = f"open: {settings.public_url.rstrip('/')}/approvals/{approval.id}" if settings.console else ""
    person = settings.notify_approver
    return "\n".join(filter(None, (page, links.lines(approval, person) if person else "")))


def response_times_of(context: IntakeContext, live: LiveConfig, tracker: JiraTracker) -> ResponseTimes | None:
    """Build the service that watches response times of escalations; None without the support hub."""
    if not context.settings.enable_support:
        return None
    store = context.store
    return ResponseTimes(
        dialogues=store.dialogues,
        tickets=store.tickets,
        reader=tracker.view().tickets,
        clock=store.clock,
        sla=lambda: live.config.support.sla,
    )


def links_of(context: IntakeContext, notices: Notices, approvals: ApprovalService, secret: bytes) -> ApprovalLinks:
    """Build the service that signs approval links and carries out the decisions that they stand for."""
    return ApprovalLinks(
        approvals=approvals,
        commands=context.store.ticket_notes,
        notices=notices,
        clock=context.store.clock,
        secret=secret,
        address=context.settings.public_url.rstrip("/"),
    )


def by_letter(settings: Settings, approvals: ApprovalService) -> tuple[str, ...]:
    """Return the addresses of approvers who are asked by letter; none without SMTP_HOST and `approvals.letters`."""
    rules = approvals.rules()
    people = rules.approvers.people if rules.letters and settings.smtp_host else ()
    return tuple(sorted(person for person in people if "@" in person))


def answers_of(settings: Settings, approvals: ApprovalService, notices: Notices) -> MailAnswers | None:
    """Build the service that carries out replies to approval letters; None if none are sent."""
    if not by_letter(settings, approvals):
        return None
    return MailAnswers(approvals=approvals, notices=notices)


def approval_letters_of(
    context: IntakeContext, notices: Notices, approvals: ApprovalService, secret: bytes
) -> tuple[ApprovalLetters, ...]:
    """Build the service that asks approvers by letter; empty if nobody is asked so."""
    if not by_letter(context.settings, approvals):
        return ()
    links = links_of(context, notices, approvals, secret).lines if context.settings.public_url else no_links
    domain = parseaddr(context.settings.mail_from)[1].rpartition("@")[2].lower()
    store, clock = context.store, context.store.clock
    return (
        ApprovalLetters(
            archive=store.archive,
            letters=store.letters,
            clock=clock,
            people=partial(by_letter, context.settings, approvals),
            links=links,
            recipients=approvals.recipients,
            domain=domain,
            secret=secret,
        ),
    )


def talk_of(
    context: IntakeContext, tracker: JiraTracker, approvals: ApprovalService, cases: CaseService, secret: bytes
) -> tuple[TicketTalk, ...]:
    """Build the service that writes proposals as comments and reads commands in comments; empty without ENABLE_JIRA_APPROVALS."""
    if not context.settings.enable_jira_approvals:
        return ()
    store, clock, discussion = context.store, context.store.clock, tracker.discussion()
    notes = ProposalNotes(
        archive=store.archive,
        notes=store.ticket_notes,
        discussion=discussion,
        metadata=tracker.metadata,
        clock=clock,
        secret=secret,
        recipients=approvals.recipients,
    )
    commands = TicketCommands(
        feed=store.tickets,
        commands=store.ticket_notes,
        notes=store.ticket_notes,
        discussion=discussion,
        approvals=approvals,
        cases=cases,
        clock=clock,
        projects=tuple(tracker.views()),
    )
    return (TicketTalk(notes=notes, commands=commands, kill_switch=store.kill_switch),)


@asynccontextmanager
async def open_notices(settings: Settings) -> AsyncIterator[Notices]:
    """Open the service alone, for `triage notify`. Raises `SettingsInvalid`."""
    async with command_store(settings) as store:
        yield notices_of(settings, store)
