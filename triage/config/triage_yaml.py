"""Reads `triage.yaml`: routing rules, agents, mailboxes, team, labels, fields; reports all mistakes at once."""

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Self

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    field_validator,
    model_validator,
)

from triage.config.dispositions.shapes import ActionsShape, SendersShape, table_of
from triage.config.dispositions.table import DispositionTable
from triage.config.mailboxes import MailboxShape, MailboxSpec
from triage.config.profiles import PREPROCESSORS, ProfileSpec
from triage.config.routing_rule import RoutingRule
from triage.config.safe_regex import pattern_of
from triage.config.setting_names import nearest
from triage.config.team import Assignment, Member, Weights
from triage.config.team_shapes import AbsenceShape, AssignmentShape, MemberShape, once
from triage.config.ticket.components import Components
from triage.config.ticket.fields import LabelRules, LabelsShape, Values
from triage.config.ticket.severity import Severity, SeverityShape
from triage.domain.conversation import Json
from triage.domain.errors import SettingsInvalid
from triage.domain.findings import PipelineName

LARGEST: Final = 1_000_000
ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings with structure, which environment variables cannot express."""

    rules: tuple[RoutingRule, ...] = ()
    profiles: tuple[ProfileSpec, ...] = ()
    mailboxes: tuple[MailboxSpec, ...] = ()
    team: tuple[Member, ...] = ()
    weights: Weights = field(default_factory=Weights)
    jira_fields: Mapping[str, Json] = field(default_factory=dict)
    """Constant values of fields of new tickets, by the field's name or id."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields that the mail decides, by name or id, with the values it may give; none: all that Jira's form offers."""
    count_field: str = ""
    """The field that counts the reports on a ticket, by name or id; empty: none."""
    labels: LabelRules = field(default_factory=LabelRules)
    severity: Severity = field(default_factory=Severity)
    dispositions: DispositionTable = field(default_factory=DispositionTable)
    components: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What mails call the components, by the component's name."""

    @property
    def projects(self) -> tuple[str, ...]:
        """The projects that rules and profiles name, each once."""
        named = (*(rule.project for rule in self.rules), *(profile.project for profile in self.profiles))
        return tuple(dict.fromkeys(filter(None, named)))


def load_config(path: Path) -> Config:
    """Read the configuration; empty if there is no file. Raises `SettingsInvalid` with every problem."""
    if not path.exists():
        return Config()
    try:
        config = config_of(path.read_bytes()[: LARGEST + 1], path.name)
    except OSError as e:
        raise SettingsInvalid((f"{path}: cannot be read ({e.strerror}); check path and rights",)) from e
    return replace(config, profiles=tuple(_beside(path, profile) for profile in config.profiles))


def _beside(path: Path, profile: ProfileSpec) -> ProfileSpec:
    """Resolve the prompt's path against the configuration's folder, if the file exists there."""
    beside = path.parent / profile.system_prompt_file
    return replace(profile, system_prompt_file=str(beside)) if beside.exists() else profile


def load_assignment(config: Config, team_file: str) -> Assignment:
    """Return team and weights; the team may be in a separate file. Raises `SettingsInvalid` with every problem."""
    if not team_file:
        return Assignment(team=config.team, weights=config.weights)
    if config.team:
        raise SettingsInvalid(("TEAM_FILE: triage.yaml has a section `team`, too; keep one of them",))
    path = Path(team_file)
    if not path.exists():
        raise SettingsInvalid((f"TEAM_FILE: there is no {path}; correct the path, or leave it empty",))
    team = load_config(path)
    if team != Config(team=team.team):
        raise SettingsInvalid((f"{path.name}: only the section `team` is read here; move the others to triage.yaml",))
    return Assignment(team=team.team, weights=config.weights)


def config_of(text: bytes, name: str = "triage.yaml") -> Config:
    """Parse YAML into a configuration. Raises `SettingsInvalid` with every problem."""
    if len(text) > LARGEST:
        raise SettingsInvalid((f"{name}: larger than {LARGEST} bytes",))
    try:
        values = yaml.load(text.decode("utf-8"), Loader=_Once)  # noqa: S506 - a SafeLoader
        return _File.model_validate({} if values is None else values).config()
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as e:
        raise SettingsInvalid((f"{name}: is not YAML: {' '.join(str(e).split())}",)) from e
    except ValidationError as e:
        raise SettingsInvalid(tuple(_problems(e, name))) from None


class _Once(yaml.SafeLoader):
    """A loader that rejects duplicate keys; PyYAML silently keeps the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands there twice", node.start_mark)
        return super().construct_mapping(node, deep)


# --- the shape of the file ----------------------------------------------------------------------


def _domain(value: str) -> str:
    return value.strip().lower().removeprefix("@")


def _address(value: str) -> str:
    if not ADDRESS.fullmatch(value.strip()):
        raise ValueError(f"{value!r} is no e-mail address")
    return value.strip().lower()


def _checked(value: str) -> str:
    """Validate the pattern; `rule` compiles it again."""
    pattern_of(value)
    return value


def _preprocessor(value: str) -> str:
    if value not in PREPROCESSORS:
        raise ValueError(f"there is no {value!r}; there are {', '.join(sorted(PREPROCESSORS))}")
    return value


Some = Annotated[str, Field(min_length=1)]
Email = Annotated[str, AfterValidator(_address)]
ProjectKey = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]+$")]


class _Shape(BaseModel):
    """Base that forbids unknown keys, so that a misspelt condition is an error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class _Match(_Shape):
    all: StrictBool = False
    sender_email: Email = ""
    sender_domain: Annotated[Some, AfterValidator(_domain)] = ""
    subject_contains: Some = ""
    header_match: dict[Some, Annotated[Some, AfterValidator(_checked)]] = {}
    forwarded_from: Email = ""
    unproven: StrictBool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any(self.model_dump(exclude={"unproven"}).values()):
            raise ValueError("no condition; write `all: true` for every mail")
        return self


class _RuleShape(_Shape):
    name: Some
    match: _Match
    route: PipelineName
    profile: Some = ""
    project: ProjectKey = ""

    @model_validator(mode="after")
    def _agent_has_profile(self) -> Self:
        if self.route is PipelineName.AGENT and not self.profile:
            raise ValueError("`route: agent` needs a `profile`")
        return self

    def rule(self) -> RoutingRule:
        """Convert to a `RoutingRule`."""
        given = self.match.model_dump(exclude={"header_match"}) | ({"profile": self.profile} if self.profile else {})
        given["project"] = self.project
        headers = tuple((name.lower(), pattern_of(text)) for name, text in self.match.header_match.items())
        return RoutingRule(name=self.name, way=self.route, header_match=headers, **given)


class _Routing(_Shape):
    rules: tuple[_RuleShape, ...] = ()

    @field_validator("rules")
    @classmethod
    def _names_once(cls, rules: tuple[_RuleShape, ...]) -> tuple[_RuleShape, ...]:
        names = [rule.name for rule in rules]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"more than one rule is called {', '.join(twice)}")
        return rules


class _Profile(_Shape):
    system_prompt_file: Some
    tools: tuple[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]*$")], ...]
    name: str = ""
    """Optional; must equal the profile's key."""
    project: ProjectKey = ""
    model: str = ""
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=50)] | None = None
    preprocessor: Annotated[str, AfterValidator(_preprocessor)] = "default"


class _Agent(_Shape):
    profiles: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")], _Profile] = {}

    @field_validator("profiles")
    @classmethod
    def _names_agree(cls, profiles: dict[str, _Profile]) -> dict[str, _Profile]:
        for key, profile in profiles.items():
            if profile.name not in {"", key}:
                raise ValueError(f"the profile {key} calls itself {profile.name}")
        return profiles


def _value(value: Any) -> Json:
    """Check a field's value. YAML parses 2026-12-31 as a date; Jira's API takes text, so dates become text."""
    if value is None or value in ("", [], {}):
        raise ValueError("has no value")
    if isinstance(value, list):
        return [_value(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _value(each) for name, each in value.items()}
    return value.isoformat() if isinstance(value, date) else value


class _Jira(_Shape):
    fields: dict[Some, Annotated[Any, AfterValidator(_value)]] = {}
    count_field: str = ""


class _File(_Shape):
    jira: _Jira = _Jira()
    fields: Annotated[dict[Some, Values], Field(max_length=10)] = {}
    labels: LabelsShape = LabelsShape()
    severity: SeverityShape = SeverityShape()
    dispositions: ActionsShape = {}
    senders: SendersShape = SendersShape()
    routing: _Routing = _Routing()
    agent: _Agent = _Agent()
    mailboxes: tuple[MailboxShape, ...] = ()
    components: Components = {}
    team: Annotated[tuple[MemberShape, ...], AfterValidator(once)] = ()
    assignment: AssignmentShape = AssignmentShape()

    @field_validator("mailboxes")
    @classmethod
    def _mailboxes_once(cls, mailboxes: tuple[MailboxShape, ...]) -> tuple[MailboxShape, ...]:
        names = [mailbox.name for mailbox in mailboxes]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"more than one mailbox is called {', '.join(twice)}")
        return mailboxes

    def config(self) -> Config:
        """Convert to the frozen `Config`."""
        return Config(
            rules=tuple(rule.rule() for rule in self.routing.rules),
            profiles=tuple(
                ProfileSpec(**{**profile.model_dump(), "name": name}) for name, profile in self.agent.profiles.items()
            ),
            mailboxes=tuple(spec for mailbox in self.mailboxes for spec in mailbox.specs()),
            team=tuple(member.member() for member in self.team),
            weights=self.assignment.frozen(),
            jira_fields=self.jira.fields,
            fields=self.fields,
            count_field=self.jira.count_field,
            labels=self.labels.frozen(),
            severity=self.severity.frozen(),
            dispositions=table_of(self.dispositions, self.senders),
            components=self.components,
        )


# --- error messages ---------------------------------------------------------------------------


def _problems(e: ValidationError, file: str) -> Iterator[str]:
    """Yield each error as `triage.yaml: where: what`."""
    for error in e.errors(include_input=False, include_url=False):
        where = _where(error["loc"])
        said = error["msg"].removeprefix("Value error, ")
        if error["type"] == "extra_forbidden":
            said = _unknown(str(error["loc"][-1]), sorted(_shape_at(error["loc"]).model_fields))
        yield f"{file}: {where}: {said[0].lower()}{said[1:]}" if where else f"{file}: must hold `key: value` lines"


def _unknown(key: str, known: list[str]) -> str:
    meant = nearest(key, known)
    return f"unknown key; known are {', '.join(known)}{f'; did you mean {meant}?' if meant else ''}"


def _where(loc: tuple[int | str, ...]) -> str:
    """Format a location, such as `routing.rules[0].match.all`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".")


_SECTIONS: Final[Mapping[str, type[BaseModel]]] = {
    "mailboxes": MailboxShape,
    "assignment": AssignmentShape,
    "labels": LabelsShape,
    "severity": SeverityShape,
    "senders": SendersShape,
}
"""Sections whose parts all have one shape."""


def _shape_at(loc: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model that has no such key, so that a similar key can be suggested."""
    shape: type[BaseModel]
    match loc:
        case (_,):
            shape = _File
        case ("routing", _):
            shape = _Routing
        case ("routing", "rules", _, _):
            shape = _RuleShape
        case ("routing", *_):
            shape = _Match
        case ("agent" | "jira" as section, _):
            shape = _Agent if section == "agent" else _Jira
        case ("team", _, _):
            shape = MemberShape
        case ("team", *_):
            shape = AbsenceShape
        case (str(section), *_) if section in _SECTIONS:
            shape = _SECTIONS[section]
        case _:
            shape = _Profile
    return shape
