"""Builds what pages about Triage itself ask: status, rules, agents, and the checks of `triage doctor`."""

import shutil
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.doctor import findings
from cli.wiring.intake import IntakeContext
from cli.wiring.rules import rules_of
from triage.config.features import features_of
from triage.config.settings import Settings
from triage.config.triage_yaml import config_of
from triage.domain.operations.checks import Finding
from triage.domain.operations.machine import Machine
from triage.services.heartbeat import seconds_since
from triage.services.installation.rulebook import Rulebook, without_secrets
from triage.services.installation.self_check import CheckScope, SelfCheck
from triage.services.routing.route_tester import RouteTester
from triage.services.routing.rule_trial import RuleTrial
from web.context import SystemServices

if TYPE_CHECKING:
    from cli.wiring.app import App

GIGABYTE: Final = 1_000_000_000


def system_of(context: IntakeContext, live: LiveConfig, app: "App | None") -> SystemServices:
    from cli.wiring.telemetry.metrics import status_of

    settings = context.settings

    def tester_of(text: str) -> RouteTester:
        return RouteTester(rules_of(settings, config_of(text.encode(), settings.triage_config.name)))

    return SystemServices(
        status=status_of(settings, context.store, context.health),
        machine=lambda: machine_of(settings, live, works=app is not None),
        rulebook=lambda: rulebook_of(settings, live),
        rule_trial=RuleTrial(reports=context.reports, now=lambda: RouteTester(live.current()[1]), of_text=tester_of),
        check=SelfCheck(run=doctor_of, clock=context.store.clock),
    )


def machine_of(settings: Settings, live: LiveConfig, *, works: bool) -> Machine:
    """Return what this process runs on."""
    kind, _, place = settings.database_url.get_secret_value().partition(":///")
    sqlite = kind.startswith("sqlite")
    return Machine(
        version=version("triage"),
        database="SQLite" if sqlite else "PostgreSQL",
        disk=_disk(Path(place)) if sqlite else "",
        queue="Redis wakes workers" if settings.redis_url.get_secret_value() else "in the database",
        backup="`triage backup FILE` copies it while Triage runs" if sqlite else "by the tools of PostgreSQL",
        works=works,
        heartbeat=seconds_since(Path(settings.heartbeat_file)) if settings.heartbeat_file else None,
        config_trouble=live.trouble(),
    )


def _disk(file: Path) -> str:
    usage = shutil.disk_usage(file.resolve().parent)
    return f"{usage.free / GIGABYTE:.1f} of {usage.total / GIGABYTE:.0f} GB are free"


def rulebook_of(settings: Settings, live: LiveConfig) -> Rulebook:
    """Return the rules as they are now, and the text of their file without secrets."""
    agents, rules = live.current()
    try:
        text = settings.triage_config.read_text(encoding="utf-8", errors="replace")
    except OSError:  # there is none, which is fine
        text = ""
    models = settings.openai_api_key.get_secret_value() or settings.openai_base_url
    return Rulebook(
        file=settings.triage_config.name,
        text=without_secrets(text),
        rules=live.config.rules,
        warnings=tuple(RouteTester(rules).warnings()),
        trouble=live.trouble(),
        features=tuple(features_of(settings, live.config)),
        profiles=agents.profiles,
        limits=rules.limits,
        default_model=settings.openai_model if models else "",
        granted={
            name: tuple(tool.name for tool in profile.toolbox(agents.toolbox).tools)
            for name, profile in agents.profiles.items()
        },
    )


def doctor_of(looks: CheckScope) -> AsyncIterator[Finding]:
    """Run the checks of `triage doctor` that are asked for."""
    return findings(*(("--jira",) if looks is CheckScope.JIRA else ()))
