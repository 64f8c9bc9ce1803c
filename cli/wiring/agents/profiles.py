"""Builds agents from prompts, settings and `triage.yaml`: their profiles, and the tools that they may call."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cli.wiring.agents.mcp import mcp_tools
from cli.wiring.agents.outside import cure_of, own_thread, packages_of
from prompts import names, read
from triage.agent.profiles import Profile, profile_of
from triage.agent.toolbox import Tool, Toolbox
from triage.config.agents.profiles import ProfileSpec
from triage.config.agents.providers import ANTHROPIC, OPENAI, key_of
from triage.config.autonomy.table import wrong_names
from triage.config.calendar.sources import ContactSources
from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.conversation import Grant
from triage.domain.errors import SettingsInvalid
from triage.domain.findings import PipelineName
from triage.toolsets.memory.public import accepted_notes
from triage.toolsets.table import CONTACTS, KNOWLEDGE, LETTERS, MEETINGS, NAMES, PEOPLE, RULES, SPRINTS, toolbox


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of this installation."""

    profiles: Mapping[str, Profile]
    toolbox: Toolbox


def agents_of(settings: Settings, config: Config) -> Agents:
    """Return profiles and tools. Raises `SettingsInvalid` with every problem: prompts, tools, grants, rules, autonomy."""
    profiles, problems = _profiles(config)
    wanted = {tool for profile in profiles.values() for tool in profile.tools} - NAMES
    served = {tool for server in config.mcp_servers for tool in server.tools}
    isolation = own_thread()
    servers = mcp_tools(settings, config, wanted & served, isolation)
    problems += servers.problems
    problems += [f"mcp_servers: {tool} is the name of a tool of ours" for tool in sorted(served & NAMES)]
    wanted -= served
    packages = packages_of(settings, config, wanted, isolation)
    missing = wanted - packages.tools.keys()
    if missing or len(packages.tools) < len(wanted):
        problems += packages.problems
    ours = (*_switched_on(settings, config).tools, *_proposed(settings))
    box = Toolbox((*ours, *packages.tools.values(), *servers.tools.values()))
    for profile in profiles.values():
        problems += _wrong_tools(profile, missing)
        problems += _wrong_grants(profile, box)
        problems += _wrong_models(profile, settings, config)
    problems += _wrong_rules(settings, config, profiles)
    tools = {*RULES, *wanted, *(tool for spec in config.profiles for tool in spec.tools)}
    problems += wrong_names(config.autonomy, config.approvals, tools)
    if problems:
        raise SettingsInvalid(tuple(problems))
    return Agents(profiles, box)


def _profiles(config: Config) -> tuple[dict[str, Profile], list[str]]:
    """Return the profiles, and the problems of those that cannot be read."""
    problems: list[str] = []
    profiles = {name: profile_of(name, read(name)) for name in names()}
    for spec in config.profiles:
        try:
            profiles[spec.name] = _configured(spec)
        except SettingsInvalid as e:
            problems += e.problems
    return profiles, problems


def _text(spec: ProfileSpec, key: str) -> str:
    """Return the text of a prompt's file. Raises `SettingsInvalid`."""
    file = getattr(spec, key)
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        cure = f"agent.profiles.{spec.name}: cannot read {key} {file}; correct the path, or write the file"
        raise SettingsInvalid((cure,)) from e


def _checked_template(spec: ProfileSpec, text: str) -> str:
    """Return the text of a user prompt. Raises `SettingsInvalid` if it is no template, or names what it is not given."""
    from jinja2 import TemplateSyntaxError, meta

    from triage.toolsets.prompt import TEMPLATES, USER_WORDS

    where = f"agent.profiles.{spec.name}: user_prompt_file {spec.user_prompt_file}"
    try:
        unknown = meta.find_undeclared_variables(TEMPLATES.parse(text)) - USER_WORDS
    except TemplateSyntaxError as e:
        raise SettingsInvalid((f"{where}: is no Jinja2 template: {e.message} (line {e.lineno})",)) from e
    if unknown:
        problem = f"{where}: names {', '.join(sorted(unknown))}; it is given {', '.join(sorted(USER_WORDS))}"
        raise SettingsInvalid((problem,))
    return text


def _configured(spec: ProfileSpec) -> Profile:
    prompt = _text(spec, "system_prompt_file")
    user_prompt = _checked_template(spec, _text(spec, "user_prompt_file")) if spec.user_prompt_file else ""
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
        user_prompt=user_prompt,
        fallback=spec.fallback,
        max_tokens_per_mail=spec.max_tokens_per_mail,
        max_seconds_per_mail=spec.max_seconds_per_mail,
        grants=spec.grants,
    )


def _switched_on(settings: Settings, config: Config) -> Toolbox:
    switches = {
        PEOPLE: settings.enable_smart_assignment,
        SPRINTS: settings.enable_sprints,
        MEETINGS: bool(config.calendars),
        CONTACTS: config.contacts != ContactSources(),
        KNOWLEDGE: bool(config.knowledge.sources),
        LETTERS: bool(settings.smtp_host),
    }
    return toolbox(off=[name for name, on in switches.items() if not on], fields=config.fields)


def _proposed(settings: Settings) -> tuple[Tool, ...]:
    """Return the tools that no agent of mails has, and that MCP clients may propose to call."""
    if not settings.enable_memory:
        return ()
    from cli.wiring.memory.notes import notes_of
    from integrations.system_clock import SystemClock

    return (accepted_notes(notes_of(settings), SystemClock()),)


def _wrong_tools(profile: Profile, missing: Collection[str]) -> Iterator[str]:
    """Yield the tools that are missing, those of one cure together."""
    by_cure: dict[str, list[str]] = {}
    for tool in profile.tools:
        if tool in missing:
            by_cure.setdefault(cure_of(tool), []).append(tool)
    for cure, tools in by_cure.items():
        yield f"agent.profiles.{profile.name}: there is no tool {', '.join(tools)}; {cure}"


def _wrong_grants(profile: Profile, box: Toolbox) -> Iterator[str]:
    """Yield grants that mean nothing."""
    for name in profile.grants:
        where = f"agent.profiles.{profile.name}.grants.{name}"
        if name not in profile.tools:
            yield f"{where}: the profile has no such tool; add it to `tools`, or take the grant out"
        elif name in box.names and not box[name].outside:
            yield f"{where}: grants are for tools from outside; ours follow the table of rights, which `triage agents` prints"
        elif name in box.names and box[name].grant is Grant.READ:
            yield f"{where}: it only reads, which is always allowed; take the grant out"
        elif name in box.names and box[name].asks and profile.grants[name] in {"allow", "proven"}:
            yield f"{where}: its package says that a person decides each call; write approve or deny, or take the grant out"


def _wrong_models(profile: Profile, settings: Settings, config: Config) -> Iterator[str]:
    """Yield models whose provider cannot be asked; a server of OPENAI_BASE_URL may know any name, and without one rules decide."""
    if settings.openai_base_url or not settings.openai_api_key.get_secret_value():
        return
    for model in filter(None, (profile.model, *profile.fallback)):
        prefix, slash, _ = model.partition("/")
        where, provider = f"agent.profiles.{profile.name}: {model}", config.providers.get(prefix)
        if not slash or prefix == OPENAI or (prefix == ANTHROPIC and settings.anthropic_api_key.get_secret_value()):
            continue
        if prefix == ANTHROPIC:
            yield f"{where}: ANTHROPIC_API_KEY is missing; set it, or OPENAI_BASE_URL to a server that knows the model"
        elif provider is None:
            yield f"{where}: there is no provider {prefix}; add it under `providers`, with url and key"
        elif provider.key and not key_of(provider, settings):
            yield f"{where}: {provider.key} is missing; set it, or OPENAI_BASE_URL to a server that knows the model"


def _wrong_rules(settings: Settings, config: Config, profiles: Mapping[str, Profile]) -> Iterator[str]:
    for rule in config.rules:
        if rule.pipeline is PipelineName.SUPPORT and not settings.enable_support:
            yield f"routing.rules, {rule.name}: the support hub is off; set ENABLE_SUPPORT=true, or choose another route"
        if rule.profile not in profiles and rule.profile not in {spec.name for spec in config.profiles}:
            yield f"routing.rules, {rule.name}: there is no profile {rule.profile}; add it under agent.profiles"
