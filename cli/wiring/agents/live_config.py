"""Reads `triage.yaml` and the prompts again when they have changed, so that a service takes new rules without a restart."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic, TypeVar

from loguru import logger

from cli.wiring.agents.profiles import Agents, agents_of
from cli.wiring.rules import rules_of
from triage.config.routing.rule import RoutingRule
from triage.config.settings import Settings
from triage.config.triage_yaml import Config, load_config
from triage.domain.errors import SettingsInvalid
from triage.policy.routing.table import RuleTable
from triage.services.casework.dry_runs import NO_OVERRIDES, ReplayOverrides
from triage.toolsets.context import Rules

Built = TypeVar("Built")
LOOK_SECONDS: Final = 1.0
"""Time between two looks at the files."""
Stamp = tuple[tuple[str, int, int], ...]
"""Path, time of change and size of each file; -1 for one that is missing."""


class LiveConfig:
    """Agents and rules of triage.yaml, reread when the file changes. What adapters take from it (mailboxes, fields) needs a restart."""

    def __init__(
        self,
        settings: Settings,
        *,
        dry_run: bool = False,
        overrides: ReplayOverrides = NO_OVERRIDES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Load the file; `overrides` replaces the model of all agents, and the routing. Raises `SettingsInvalid`."""
        self._settings = settings
        self._dry_run = dry_run
        self._otherwise = overrides
        self._now = now
        self._looked = now()
        self.config = load_config(settings.triage_config)
        self._stamp = self._stamped(self.config)
        self._agents, self._rules = self._built(self.config)
        self._trouble = ""

    def current(self) -> tuple[Agents, Rules]:
        """Return agents and rules; those of the last valid file while the present one is invalid. Raises nothing."""
        if self._now() - self._looked >= LOOK_SECONDS:
            self._looked = self._now()
            stamp = self._stamped(self.config)
            if stamp != self._stamp:
                self._stamp = stamp
                self._read_again()
        return self._agents, self._rules

    def latest(self) -> Config:
        """Return the configuration of the last valid file. Raises nothing."""
        self.current()
        return self.config

    def trouble(self) -> str:
        """Return why the file, as it stands, is not used; empty if it is."""
        self.current()
        return self._trouble

    def _read_again(self) -> None:
        try:
            config = load_config(self._settings.triage_config)
            if set(config.projects) - set(self.config.projects):
                new = ", ".join(sorted(set(config.projects) - set(self.config.projects)))
                raise SettingsInvalid((f"{self._settings.triage_config.name}: {new}: a new project needs a restart",))  # noqa: TRY301 - as any other fault of the file
            agents, rules = self._built(config)
        except SettingsInvalid as e:
            self._trouble = "; ".join(e.problems)
            logger.bind(problems=list(e.problems)).error("config.broken")
            return
        self.config, self._agents, self._rules, self._trouble = config, agents, rules, ""
        self._stamp = self._stamped(config)
        logger.bind(rules=len(config.rules), profiles=sorted(agents.profiles)).info("config.reloaded")

    def _built(self, config: Config) -> tuple[Agents, Rules]:
        agents = agents_of(self._settings, config)
        rules = rules_of(self._settings, config)
        return replaced(agents, replace(rules, dry_run=self._dry_run or rules.dry_run), self._otherwise)

    def _stamped(self, config: Config) -> Stamp:
        paths = (self._settings.triage_config, *(Path(one.system_prompt_file) for one in config.profiles))
        return tuple((str(path), *_changed(path)) for path in paths)


class Rebuilt(Generic[Built]):
    """What is built from triage.yaml: again for each new configuration, and the last that could be built while a new one cannot."""

    def __init__(self, build: Callable[[Config], Built], config: Config) -> None:
        """Build it for the first time. Raises `SettingsInvalid`."""
        self._build = build
        self._config, self._built = config, build(config)

    def of(self, config: Config) -> Built:
        """Return it for this configuration. Raises nothing."""
        if config is not self._config:
            self._config = config
            try:
                self._built = self._build(config)
            except SettingsInvalid as e:
                logger.bind(problems=list(e.problems)).error("config.broken")
        return self._built


def replaced(agents: Agents, rules: Rules, overrides: ReplayOverrides) -> tuple[Agents, Rules]:
    """Return agents and rules with the overrides of a replay applied. Raises `SettingsInvalid` for an unknown agent."""
    if overrides.model:
        profiles = {name: replace(one, model=overrides.model, fallback=()) for name, one in agents.profiles.items()}
        agents = replace(agents, profiles=profiles)
    if overrides.profile:
        if overrides.profile not in agents.profiles:
            raise SettingsInvalid(
                (f"there is no agent {overrides.profile}; there are {', '.join(sorted(agents.profiles))}",)
            )
        if overrides.prompt:
            mine = replace(agents.profiles[overrides.profile], prompt=overrides.prompt)
            agents = replace(agents, profiles={**agents.profiles, overrides.profile: mine})
        chosen = RoutingRule(name="chosen for this run", all=True, profile=overrides.profile)
        rules = replace(rules, routing=RuleTable.of([chosen]))
    return agents, rules


def _changed(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return -1, -1
    return found.st_mtime_ns, found.st_size
