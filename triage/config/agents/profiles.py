"""One agent of `agent.profiles` in triage.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from triage.config.agents.tools import ToolGrant

Preprocessor = Literal["default", "crisp", "forward"]
PREPROCESSORS: Final[tuple[Preprocessor, ...]] = get_args(Preprocessor)
"""Forms of forwarded mail that `policy/text/unwrap.py` can remove before the agent reads the mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSpec:
    """An agent as the configuration describes it."""

    name: str
    system_prompt_file: str
    """Relative to the configuration's folder, else to the working directory."""
    tools: tuple[str, ...]
    model: str = ""
    """Empty: the model of the settings."""
    max_tokens: int | None = None
    temperature: float | None = None
    max_iterations: int | None = None
    project: str = ""
    """Key of the project that gets the tickets; empty: JIRA_PROJECT_KEY."""
    preprocessor: Preprocessor = "default"
    user_prompt_file: str = ""
    """Template of the user prompt; empty: Triage's own."""
    fallback: tuple[str, ...] = ()
    """Models asked when the first is down, before those of the settings."""
    max_tokens_per_mail: int | None = None
    max_seconds_per_mail: int | None = None
    grants: Mapping[str, ToolGrant] = field(default_factory=dict)
    """Tool from outside → what the agent may do with it without asking a person."""
