"""Builds the Jira adapters from the settings: the tracker, and the probe of `triage doctor --jira`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from cli.wiring.notifier import limits_of
from cli.wiring.store import command_store, failpoint_of, open_reports, set_up_log
from integrations.jira.http.wire import JiraWire, Login
from integrations.jira.tracker import JiraTracker
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.config.triage_yaml import Config, load_config
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import Failpoint, no_failpoint
from triage.services.agreement.changelog import AgreementService
from triage.services.agreement.shadow import ShadowAgreementService
from triage.services.checks import TrackerCheck
from triage.services.sweeper import Sweeper

if TYPE_CHECKING:
    from integrations.jira.diagnostics.inspection import JiraFacts
    from integrations.jira.diagnostics.jira_probe import JiraProbe

NO_JIRA: Final = (
    "JIRA_BASE_URL, JIRA_PROJECT_KEY and JIRA_API_TOKEN (or JIRA_TOKEN) are needed to write tickets; "
    "`triage init` asks for them here, `triage init --browser` on a page; or try `triage demo`"
)


def tracker_of(settings: Settings, failpoint: Failpoint, config: Config | None = None) -> JiraTracker:
    """Build the tracker, with the fields of triage.yaml for new tickets. Raises `SettingsInvalid` without Jira."""
    config = config or Config()
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
        others=config.projects,
        fields=config.jira_fields,
        choices=config.fields,
        count_field=config.count_field,
        failpoint=failpoint,
        limits=limits_of(settings, "jira", settings.jira_base_url.rstrip("/"), settings.jira_email),
    )


@asynccontextmanager
async def opened_tracker(
    settings: Settings, config: Config | None = None, failpoint: Failpoint = no_failpoint
) -> AsyncIterator[JiraTracker]:
    """Open the tracker. Raises `SettingsInvalid` without Jira."""
    tracker = tracker_of(settings, failpoint, config)
    try:
        yield tracker
    finally:
        await tracker.close()


@asynccontextmanager
async def open_sweepers(settings: Settings, days: int) -> AsyncIterator[tuple[Sweeper, ...]]:
    """Open a sweeper of each project over the last `days` days, without a store. Raises `SettingsInvalid`."""
    set_up_log(settings, service=False)
    async with opened_tracker(settings, load_config(settings.triage_config), failpoint_of(settings)) as tracker:
        yield tuple(Sweeper(tracker=view, days=days) for view in tracker.views().values())


@asynccontextmanager
async def open_agreement(settings: Settings) -> AsyncIterator[AgreementService]:
    """Open the reader of what people changed, in Jira and through us. Raises `SettingsInvalid`."""
    async with opened_tracker(settings) as tracker, command_store(settings) as store:
        yield AgreementService(tracker=tracker.view(), amended=store.insights.amended)


@asynccontextmanager
async def open_shadow_agreement(settings: Settings) -> AsyncIterator[ShadowAgreementService]:
    """Open the comparison of the shadow with people's tickets. Raises `SettingsInvalid`."""
    async with open_reports(settings) as reports, opened_tracker(settings) as tracker:
        yield ShadowAgreementService(archive=reports.archive, tracker=tracker.view(), clock=SystemClock())


@asynccontextmanager
async def open_tracker_checks(
    settings: Settings, config: Config | None = None
) -> AsyncIterator[Mapping[str, TrackerCheck]]:
    """Open the tracker checks of `triage doctor`, by project. Raises `SettingsInvalid`."""
    async with opened_tracker(settings, config) as tracker:
        yield {key: TrackerCheck(view) for key, view in tracker.views().items()}


def jira_probe_of(settings: Settings, *, thorough: bool) -> "JiraProbe":
    """Build the read-only probe of `triage doctor --jira`. Raises `SettingsInvalid` without Jira."""
    if not settings.jira_ready:
        raise SettingsInvalid((NO_JIRA,))
    return _probe_of(settings, thorough=thorough)


async def jira_entrance_of(settings: Settings) -> "JiraFacts":
    """Ask a Jira who it is, who we are, and which projects we see; without a token as a stranger."""
    from integrations.jira.diagnostics.inspection import facts_of

    return facts_of(await _probe_of(settings, thorough=False).enter())


def _probe_of(settings: Settings, *, thorough: bool) -> "JiraProbe":
    from integrations.jira.diagnostics.jira_probe import JiraProbe

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
