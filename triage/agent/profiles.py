"""Profiles of agents: one Markdown file each, with model, limits and tools in its front matter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import yaml
from pydantic import TypeAdapter, ValidationError

from triage.agent.toolbox import Toolbox
from triage.config.agents.profiles import ToolGrant
from triage.domain.errors import SettingsInvalid
from triage.policy.decision.outside_tools import ROWS

FENCE = "---\n"
KEPT: Final = 64
"""Profiles that stay parsed: all are read again with each change of triage.yaml."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """An agent: its prompt and what it may do."""

    name: str
    tools: tuple[str, ...]
    prompt: str
    """Jinja2 text of the system prompt."""
    model: str = ""
    """Empty: the model of the settings."""
    max_iterations: int | None = None
    """None: MAX_ROUNDS."""
    max_tokens: int | None = None
    temperature: float | None = None
    project: str = ""
    """Key of the project that gets the tickets; empty: JIRA_PROJECT_KEY."""
    preprocessor: str = "default"
    user_prompt: str = ""
    """Jinja2 text of the user prompt; empty: Triage's own."""
    fallback: tuple[str, ...] = ()
    """Models asked when the first is down, before those of the settings."""
    max_tokens_per_mail: int | None = None
    """None: MAX_TOKENS_PER_MAIL; so with the seconds."""
    max_seconds_per_mail: int | None = None
    grants: Mapping[str, ToolGrant] = field(default_factory=dict)
    """Tool from outside → what the agent may do with it without asking a person."""

    def toolbox(self, tools: Toolbox) -> Toolbox:
        """Return those of the tools that the profile names, with the rights that it grants."""
        return tools.granted(self.tools, {tool: ROWS[grant] for tool, grant in self.grants.items()})


_CHECKED = TypeAdapter(Profile)
KNOWN = frozenset(Profile.__dataclass_fields__) - {"name", "prompt", "user_prompt"}


@lru_cache(maxsize=KEPT)
def profile_of(name: str, text: str) -> Profile:
    """Parse a profile file. Raises `SettingsInvalid` that names file and key."""
    if not text.startswith(FENCE) or FENCE not in text[len(FENCE) :]:
        raise SettingsInvalid((f"{name}.md: must open with front matter between two lines of ---",))
    head, _, prompt = text[len(FENCE) :].partition(FENCE)
    values, lines = _front_matter(name, head)
    offered = ", ".join(sorted(KNOWN))
    problems = [(lines.get(str(key), 1), f"unknown key {key!r}; known are {offered}") for key in values.keys() - KNOWN]
    known = {key: value for key, value in values.items() if key in KNOWN}
    try:
        profile = _CHECKED.validate_python({"tools": (), **known, "name": name, "prompt": prompt.strip() + "\n"})
    except ValidationError as e:
        problems += [_problem(error["loc"], error["msg"], lines) for error in e.errors(include_url=False)]
    if problems:
        raise SettingsInvalid(tuple(f"{name}.md:{line}: {what}" for line, what in sorted(problems)))
    return profile


def _front_matter(name: str, head: str) -> tuple[Mapping[str, Any], Mapping[str, int]]:
    """Return the values, and the line of the file in which each key stands. Raises `SettingsInvalid`."""
    try:
        node, values = yaml.compose(head, yaml.SafeLoader), yaml.safe_load(head)
    except yaml.YAMLError as e:
        raise SettingsInvalid((f"{name}.md: the front matter is no YAML: {' '.join(str(e).split())}",)) from e
    if values is None:
        return {}, {}
    if not isinstance(values, Mapping) or not isinstance(node, yaml.MappingNode):
        raise SettingsInvalid((f"{name}.md: the front matter must be `key: value` lines",))
    first = FENCE.count("\n") + 1
    return values, {key.value: key.start_mark.line + first for key, _ in node.value}


def _problem(where: Sequence[str | int], what: str, lines: Mapping[str, int]) -> tuple[int, str]:
    """Return line and sentence of a value of the wrong type."""
    key = str(where[0])
    return lines.get(key, 1), f"{'.'.join(map(str, where))}: {what[0].lower()}{what[1:]}"


def matrix(profiles: Iterable[Profile], grants: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return profile → tool → grant, for the tools that exist."""
    return {p.name: {tool: grants[tool] for tool in p.tools if tool in grants} for p in profiles}
