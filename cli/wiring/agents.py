"""Builds agents from prompts, settings and `triage.yaml`: their profiles, and the tools that the settings switch on."""

from collections.abc import Mapping
from pathlib import Path

from prompts import names, read
from triage.agent.profiles import Profile, profile_of
from triage.agent.toolbox import Toolbox
from triage.config.calendar.sources import ContactSources
from triage.config.profiles import ProfileSpec
from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.errors import SettingsInvalid
from triage.toolsets.table import CONTACTS, MEETINGS, PEOPLE, SPRINTS, toolbox


def profiles_of(config: Config) -> dict[str, Profile]:
    """Return the built-in profiles and those of triage.yaml, by name."""
    ours = {name: profile_of(name, read(name)) for name in names()}
    return ours | {spec.name: _configured(spec) for spec in config.profiles}


def check_rules(config: Config, profiles: Mapping[str, Profile]) -> None:
    """Raise `SettingsInvalid` if rules name unknown profiles."""
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
        project=spec.project,
        preprocessor=spec.preprocessor,
    )


def toolbox_of(settings: Settings, config: Config) -> Toolbox:
    """Return the tools that the settings switch on; a profile gets only these of the tools that it names."""
    switches = {
        PEOPLE: settings.enable_smart_assignment,
        SPRINTS: settings.enable_sprints,
        MEETINGS: bool(config.calendars),
        CONTACTS: config.contacts != ContactSources(),
    }
    return toolbox(off=[name for name, on in switches.items() if not on], fields=config.fields)
