"""Builds the `App` from the settings: the only place that chooses adapters."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from loguru import logger

from cli.wiring.models import Models
from cli.wiring.store import failpoint_of, opened_store, set_up_log
from integrations.dkim import missing
from integrations.jira.tracker import JiraTracker
from integrations.local_notifier import LocalNotifier
from integrations.parser_process.reader import IsolatedMailReader
from integrations.system_clock import SystemClock
from prompts import names, read
from triage.agent.loop import Limits
from triage.agent.profiles import Profile, profile_of
from triage.agent.toolbox import Toolbox
from triage.config.profiles import ProfileSpec
from triage.config.setting_checks import nameserver_of
from triage.config.settings import Settings
from triage.config.triage_yaml import Config, load_assignment, load_config
from triage.domain.conversation import Json
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import (
    Failpoint,
    LeasedCase,
    Mailboxes,
    Notifier,
    SignatureCheck,
    TicketIndex,
    TrackerView,
)
from triage.pipeline.context import Rules, Services
from triage.pipeline.worker import Worker
from triage.policy.decision.permission import Budget
from triage.policy.decision.routing import without_proof
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.throttle import RateLimits
from triage.policy.ticket.attachments import RawMail
from triage.services.cases import CaseService
from triage.services.intake import Intake
from triage.services.sweeper import Sweeper
from triage.services.ticket_index_sync import TicketIndexSync
from triage.toolsets.table import PEOPLE, SPRINTS, toolbox

if TYPE_CHECKING:
    from integrations.jira.diagnostics.jira_probe import JiraProbe
    from integrations.sql.store import SqlStore

NO_JIRA: Final = (
    "JIRA_BASE_URL, JIRA_PROJECT_KEY and JIRA_API_TOKEN (or JIRA_TOKEN) are needed to write tickets; "
    "copy .env.example to .env and fill them in, or try `triage demo`"
)

NO_DKIM: Final = (
    "ENABLE_DKIM_CHECK: the extra `dkim` is not installed; install Triage with it (pip install 'triage[dkim]', or "
    "uv sync --extra dkim in a checkout), or leave the check to your mail server and set AUTHSERV_ID"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeContext:
    """What taking mail in needs: a store and a bell. Jira and models may be away."""

    settings: Settings
    store: "SqlStore"
    mailboxes: Mailboxes
    index: TicketIndex
    notifier: Notifier
    intake: Intake
    failpoint: Failpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything connected."""

    door: IntakeContext
    tracker: TrackerView
    worker: Worker
    sweeper: Sweeper
    ticket_index_sync: TicketIndexSync
    desk: CaseService

    @property
    def settings(self) -> Settings:
        """Those it was opened with."""
        return self.door.settings

    @property
    def store(self) -> "SqlStore":
        """The cases."""
        return self.door.store

    @property
    def intake(self) -> Intake:
        """The one way in."""
        return self.door.intake


@asynccontextmanager
async def open_intake(
    settings: Settings, *, dry_run: bool = False, service: bool = False, about: str | None = None
) -> AsyncIterator[IntakeContext]:
    """The door while it is open. A dry run works on a copy and rings at nobody's; a service logs what it does."""
    set_up_log(settings, service=service)
    failpoint, notifier = failpoint_of(settings), LocalNotifier() if dry_run else notifier_of(settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(notifier.close)
        store = await stack.enter_async_context(opened_store(settings, failpoint, dry_run=dry_run, about=about))
        yield IntakeContext(
            settings=settings,
            store=store,
            mailboxes=store.mailboxes,
            index=store.index,
            notifier=notifier,
            intake=Intake(store.inbox, notifier, SystemClock(), settings.max_mail_bytes, failpoint),
            failpoint=failpoint,
        )


@asynccontextmanager
async def open_app(
    settings: Settings, *, dry_run: bool = False, service: bool = False, about: str | None = None
) -> AsyncIterator[App]:
    """The house while it is open. A dry run writes nowhere (it may be `about` a case); a service logs what it does."""
    async with AsyncExitStack() as stack:
        config = load_config(settings.triage_config)
        profiles = profiles_of(config)
        check_rules(config, profiles)
        for told in without_proof(config.rules, checked=rules_of(settings, config).edge.checks) if service else ():
            logger.warning("routing.unproven", rule=told)
        tracker, models = tracker_of(settings, failpoint_of(settings), config.jira_fields), Models(settings)
        # Reading is work for processors: more children than those would only take memory.
        reader = IsolatedMailReader(min(settings.workers, os.cpu_count() or 1))
        stack.push_async_callback(reader.close)
        reader.warm()
        stack.push_async_callback(tracker.close)
        stack.push_async_callback(models.close)
        signatures = signatures_of(settings)
        if signatures:
            stack.push_async_callback(signatures.close)
        door = await stack.enter_async_context(open_intake(settings, dry_run=dry_run, service=service, about=about))
        services = partial(
            Services,
            index=door.index,
            people_index=door.store.people_index,
            reader=reader,
            signatures=signatures,
            model=models if models.any else None,
            toolbox=toolbox_of(settings),
            profiles=profiles,
            clock=SystemClock(),
            secret=settings.triage_secret.get_secret_value().encode() or await door.store.health.secret(),
            rules=replace(rules_of(settings, config), dry_run=dry_run),
            failpoint=door.failpoint,
        )

        def of_case(leased: LeasedCase) -> Services:
            view = tracker.view()
            return services(
                cases=leased.cases,
                journal=leased.journal,
                ledger=leased.ledger,
                threads=leased.threads,
                throttle=leased.throttle,
                approvals=leased.approvals,
                tickets=view.tickets,
                writer=view.writer,
                comments=view.comments,
                people=view.people,
                sprints=view.sprints,
                metadata=view.metadata,
            )

        desk = CaseService(
            jobs=door.store.jobs,
            archive=door.store.archive,
            decisions=door.store.decisions,
            lease_seconds=settings.lease_seconds,
        )
        yield App(
            door=door,
            tracker=tracker.view(),
            worker=worker_of(door, of_case),
            sweeper=Sweeper(tracker=tracker.view(), clock=SystemClock()),
            ticket_index_sync=TicketIndexSync(
                tracker=tracker.view(), index=door.index, clock=SystemClock(), every=settings.jira_poll_seconds
            ),
            desk=desk,
        )


def worker_of(door: IntakeContext, services: Callable[[LeasedCase], Services]) -> Worker:
    """The worker with the numbers of the settings."""
    settings = door.settings
    return Worker(
        jobs=door.store.jobs,
        notifier=door.notifier,
        clock=SystemClock(),
        services=services,
        lease_seconds=settings.lease_seconds,
        max_attempts=settings.max_attempts,
        at_once=settings.workers,
    )


def tracker_of(settings: Settings, failpoint: Failpoint, fields: Mapping[str, Json] | None = None) -> JiraTracker:
    """Jira; `fields` is what triage.yaml gives new tickets. Raises `SettingsInvalid` where it is not set."""
    if not settings.jira_ready:
        raise SettingsInvalid((NO_JIRA,))
    return JiraTracker(
        settings.jira_base_url,
        settings.jira_project_key,
        email=settings.jira_email,
        token=settings.jira_api_token.get_secret_value(),
        personal_token=settings.jira_token.get_secret_value(),
        timeout=settings.jira_timeout,
        request_type=settings.jira_request_type,
        public_comments=settings.jira_public_comments,
        fields=fields,
        failpoint=failpoint,
    )


def jira_probe_of(settings: Settings, *, thorough: bool) -> "JiraProbe":
    """A look at Jira that writes nothing. Raises `SettingsInvalid` where it is not set."""
    from integrations.jira.diagnostics.jira_probe import JiraProbe
    from integrations.jira.http.wire import JiraWire, Login

    if not settings.jira_ready:
        raise SettingsInvalid((NO_JIRA,))
    login = Login(
        email=settings.jira_email,
        token=settings.jira_api_token.get_secret_value(),
        personal_token=settings.jira_token.get_secret_value(),
    )
    return JiraProbe(
        JiraWire(settings.jira_base_url, login, settings.jira_timeout),
        settings.jira_project_key,
        sprints=settings.enable_sprints,
        request_type=settings.jira_request_type,
        thorough=thorough,
    )


def signatures_of(settings: Settings) -> SignatureCheck | None:
    """Our own check of signatures, where it is wanted. Raises `SettingsInvalid` where its extra is not installed."""
    if not settings.enable_dkim_check:
        return None
    if missing():
        raise SettingsInvalid((NO_DKIM,))
    from integrations.dkim.check import DkimCheck  # an optional extra

    return DkimCheck(nameserver_of(settings))


def notifier_of(settings: Settings) -> Notifier:
    """Over Redis where there is one, else this process's own."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return LocalNotifier()
    from integrations.arq_queue import ArqNotifier  # takes as long as all the rest, and one process needs none of it

    return ArqNotifier(url)


def profiles_of(config: Config) -> dict[str, Profile]:
    """The agents that come with us, and those of the configuration."""
    ours = {name: profile_of(name, read(name)) for name in names()}
    return ours | {spec.name: _configured(spec) for spec in config.profiles}


def check_rules(config: Config, profiles: Mapping[str, Profile]) -> None:
    """Raises `SettingsInvalid` with every rule that names an agent who does not exist."""
    if problems := tuple(
        f"routing.rules, {rule.name}: there is no profile {rule.profile}; add it under agent.profiles"
        for rule in config.rules
        if rule.profile not in profiles
    ):
        raise SettingsInvalid(problems)


def _configured(spec: ProfileSpec) -> Profile:
    try:
        prompt = Path(spec.system_prompt_file).read_text(encoding="utf-8")
    except OSError as e:
        cure = f"agent.profiles.{spec.name}: cannot read system_prompt_file {spec.system_prompt_file}"
        raise SettingsInvalid((cure,)) from e
    return Profile(
        name=spec.name,
        tools=spec.tools,
        prompt=prompt,
        model=spec.model,
        max_iterations=spec.max_iterations,
        max_tokens=spec.max_tokens,
        temperature=spec.temperature,
        preprocessor=spec.preprocessor,
    )


def toolbox_of(settings: Settings) -> Toolbox:
    """The tools that the settings switch on; profiles may name more, and get these."""
    switches = {PEOPLE: settings.enable_smart_assignment, SPRINTS: settings.enable_sprints}
    return toolbox(off=[name for name, on in switches.items() if not on])


def rules_of(settings: Settings, config: Config) -> Rules:
    """The numbers and tables that decisions are made by."""
    return Rules(
        limits=Limits(
            rounds=settings.max_rounds,
            max_tokens=settings.openai_max_tokens,
            tokens=settings.max_tokens_per_mail,
            seconds=settings.max_seconds_per_mail,
        ),
        budget=Budget(creates=settings.max_creates, comments=settings.max_comments, changes=settings.max_changes),
        edge=Edge(
            servers=frozenset(settings.authserv_id.lower().split()),
            hops=settings.trusted_hops,
            profile=settings.auth_profile,
        ),
        rate_limits=RateLimits(
            sender=settings.brake_sender_per_hour,
            storm=settings.brake_storm_per_hour,
            thread=settings.brake_thread_per_hour,
        ),
        domains=frozenset(
            filter(
                None, map(_domain_of, (settings.jira_email, settings.imap_user, *(m.user for m in config.mailboxes)))
            )
        ),
        duplicate_threshold=settings.duplicate_threshold,
        model_patience=settings.model_patience,
        settle_seconds=settings.settle_seconds,
        prefetch=settings.openai_prefetch,
        raw_mail=RawMail(settings.attach_raw_mail),
        watchers=settings.enable_watchers,
        reopen_days=settings.reopen_days,
        done_status=settings.jira_done_status,
        routing=config.rules,
        assignment=load_assignment(config, settings.team_file) if settings.enable_smart_assignment else None,
    )


def _domain_of(address: str) -> str:
    """Of an address; a user name has none."""
    return address.lower().rpartition("@")[2] if "@" in address else ""
