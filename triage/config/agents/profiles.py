"""One agent of `agent.profiles` in triage.yaml."""

from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from triage.config.agents.tools import ToolGrant, ToolName
from triage.config.shapes.base import ProjectKey, Shape, Some, several

Preprocessor = Literal["default", "crisp", "forward"]
PREPROCESSORS: Final[tuple[Preprocessor, ...]] = get_args(Preprocessor)
"""Forms of forwarded mail that `policy/text/unwrap.py` can remove before the agent reads the mail."""


def _preprocessor(value: str) -> str:
    if value not in PREPROCESSORS:
        raise ValueError(f"there is no {value!r}; there are {', '.join(sorted(PREPROCESSORS))}")
    return value


class ProfileSpec(Shape):
    """An agent as the configuration describes it."""

    system_prompt_file: Some
    """Relative to the configuration's folder, else to the working directory."""
    tools: tuple[ToolName, ...]
    user_prompt_file: str = ""
    """Template of the user prompt; empty: Triage's own."""
    fallback: Annotated[tuple[Some, ...], BeforeValidator(several)] = ()
    """Models asked when the first is down, before those of the settings."""
    max_tokens_per_mail: Annotated[int, Field(ge=1000)] | None = None
    max_seconds_per_mail: Annotated[int, Field(ge=1)] | None = None
    grants: dict[ToolName, ToolGrant] = Field(default_factory=dict)
    """Tool from outside → what the agent may do with it without asking a person."""
    name: str = ""
    """The profile's key; whoever writes it, too, must write that."""
    project: ProjectKey = ""
    """Key of the project that gets the tickets; empty: JIRA_PROJECT_KEY."""
    model: str = ""
    """Empty: the model of the settings."""
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=50)] | None = None
    preprocessor: Annotated[str, AfterValidator(_preprocessor)] = "default"
