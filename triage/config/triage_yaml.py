"""Reads `triage.yaml`: routing rules, agents, mailboxes, team, labels, fields; reports all mistakes at once."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from triage.config.agents.mcp_servers import McpServerSpec, McpServersShape
from triage.config.agents.profiles import ProfileSpec, ToolLimits, ToolName
from triage.config.agents.providers import SHIPPED, ModelProvider, Providers
from triage.config.autonomy.approvals import ApprovalRules
from triage.config.autonomy.table import Autonomy, levels_apart
from triage.config.calendar.hours import HoursShape
from triage.config.calendar.sources import CalendarShape, ContactSources, ContactsShape, DavSource
from triage.config.dispositions.shapes import ActionsShape, SendersShape, table_of
from triage.config.dispositions.table import DispositionTable
from triage.config.knowledge.sources import KnowledgeSettings
from triage.config.letters.rules import LetterSettings
from triage.config.mailboxes import MailboxEntry, MailboxSpec
from triage.config.routing.rule import RoutingRule
from triage.config.shapes.base import Shape, Some, once
from triage.config.shapes.jira import JiraShape
from triage.config.shapes.problems import problems
from triage.config.shapes.routing import AgentShape, RoutingShape
from triage.config.shapes.team import AssignmentShape, MemberShape, each_once
from triage.config.support.rules import SupportSettings
from triage.config.team import Assignment, Member, Weights
from triage.config.ticket.attachments import FileKinds
from triage.config.ticket.fields import Components, LabelRules, Values
from triage.config.ticket.severity import Severity
from triage.domain.calendar.periods import WorkingHours
from triage.domain.conversation import Json
from triage.domain.errors import SettingsInvalid
from triage.domain.text.encoding import not_utf8

LARGEST: Final = 1_000_000
_TAB: Final = r"'\t'"
"""As PyYAML names it."""


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
    file_kinds: FileKinds = field(default_factory=FileKinds)
    """Which files tickets get."""
    severity: Severity = field(default_factory=Severity)
    dispositions: DispositionTable = field(default_factory=DispositionTable)
    hours: WorkingHours = field(default_factory=WorkingHours)
    calendars: tuple[DavSource, ...] = ()
    contacts: ContactSources = field(default_factory=ContactSources)
    components: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What mails call the components, by the component's name."""
    letters: LetterSettings = field(default_factory=LetterSettings)
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    tools: Mapping[str, ToolLimits] = field(default_factory=dict)
    """Limits and options of tools from outside, by the tool's name."""
    mcp_servers: tuple[McpServerSpec, ...] = ()
    providers: Mapping[str, ModelProvider] = field(default_factory=lambda: dict(SHIPPED))
    """Servers of models, by the prefix of a model's name."""
    approvals: ApprovalRules = field(default_factory=ApprovalRules)
    autonomy: Autonomy = field(default_factory=Autonomy)
    support: SupportSettings = field(default_factory=SupportSettings)

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
    profiles = tuple(_beside(path, profile) for profile in config.profiles)
    letters, knowledge = config.letters.beside(path.parent), config.knowledge.beside(path.parent)
    return replace(config, profiles=profiles, letters=letters, knowledge=knowledge)


def _beside(path: Path, profile: ProfileSpec) -> ProfileSpec:
    """Resolve the prompts' paths against the configuration's folder, where the files exist there."""

    def found(file: str) -> str:
        beside = path.parent / file
        return str(beside) if file and beside.exists() else file

    files = {name: found(getattr(profile, name)) for name in ("system_prompt_file", "user_prompt_file")}
    return profile.model_copy(update=files)


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
    except yaml.MarkedYAMLError as e:
        raise SettingsInvalid((f"{name}: is not YAML: {_told(e)}",)) from e
    except UnicodeDecodeError as e:
        raise SettingsInvalid((f"{name}: {not_utf8(e)}",)) from e
    except (yaml.YAMLError, RecursionError) as e:
        raise SettingsInvalid((f"{name}: is not YAML: {' '.join(str(e).split())}",)) from e
    except ValidationError as e:
        raise SettingsInvalid(tuple(problems(e, name, _File, text.decode("utf-8")))) from None


def _told(error: yaml.MarkedYAMLError) -> str:
    """Say what the parser expected, and where, as the other problems of the file are said."""
    words = ", ".join(" ".join(part.split()) for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
    return f"{words}{place}{'; indent with blanks, not with tabs' if _TAB in words else ''}"


class _Once(yaml.SafeLoader):
    """A loader that rejects duplicate keys; PyYAML silently keeps the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                problem = f"{key.value!r} stands there twice, keep one"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


class _File(Shape):
    jira: JiraShape = JiraShape()
    fields: Annotated[dict[Some, Values], Field(max_length=10)] = Field(default_factory=dict)
    labels: LabelRules = LabelRules()
    attachments: FileKinds = FileKinds()
    severity: Severity = Severity()
    dispositions: ActionsShape = Field(default_factory=dict)
    senders: SendersShape = SendersShape()
    hours: HoursShape = HoursShape()
    calendars: Annotated[tuple[CalendarShape, ...], Field(max_length=50)] = ()
    contacts: ContactsShape = ContactsShape()
    routing: RoutingShape = RoutingShape()
    agent: AgentShape = AgentShape()
    tools: dict[ToolName, ToolLimits] = Field(default_factory=dict)
    mcp_servers: McpServersShape = Field(default_factory=dict)
    providers: Providers = Field(default_factory=dict)
    mailboxes: Annotated[tuple[MailboxEntry, ...], once("mailbox")] = ()
    components: Components = Field(default_factory=dict)
    approvals: ApprovalRules = ApprovalRules()
    autonomy: Annotated[Autonomy, BeforeValidator(levels_apart)] = Autonomy()
    team: Annotated[tuple[MemberShape, ...], AfterValidator(each_once)] = ()
    assignment: AssignmentShape = AssignmentShape()
    letters: LetterSettings = LetterSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    support: SupportSettings = SupportSettings()

    def config(self) -> Config:
        """Convert to the frozen `Config`."""
        return Config(
            rules=tuple(rule.rule() for rule in self.routing.rules),
            profiles=tuple(self.agent.profiles.values()),
            mailboxes=tuple(spec for mailbox in self.mailboxes for spec in mailbox.specs()),
            team=tuple(member.member() for member in self.team),
            weights=self.assignment.weights,
            jira_fields=self.jira.fields,
            fields=self.fields,
            count_field=self.jira.count_field,
            labels=self.labels,
            file_kinds=self.attachments,
            severity=self.severity,
            dispositions=table_of(self.dispositions, self.senders),
            hours=self.hours.frozen(),
            calendars=tuple(calendar.frozen() for calendar in self.calendars),
            contacts=self.contacts.frozen(),
            components=self.components,
            letters=self.letters,
            knowledge=self.knowledge,
            support=self.support,
            tools=self.tools,
            mcp_servers=tuple(server.spec(name) for name, server in self.mcp_servers.items()),
            providers={**SHIPPED, **self.providers},
            approvals=self.approvals,
            autonomy=self.autonomy,
        )
