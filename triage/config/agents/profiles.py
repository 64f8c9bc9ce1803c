"""The sections `agent.profiles` and `tools` of triage.yaml: an agent, and the limits of tools that come from outside Triage."""

from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from triage.config.shapes.base import Form, ProjectKey, Shape, Some, several

ToolGrant = Literal["allow", "proven", "approve", "deny"]
"""What a profile may do with a tool from outside that writes or sends; without a grant it waits for a person."""
Option = str | int | float | bool
ToolName = Annotated[
    str, Form(r"^[A-Za-z][A-Za-z0-9_.-]*$", "write the name of a tool: letters, digits, _, - and dots")
]


class ToolLimits(Shape):
    """What one call of a tool from outside may take, and what the admin tells the tool."""

    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0
    """Seconds."""
    max_chars: Annotated[int, Field(ge=100, le=1_000_000)] = 20_000
    """Characters of an answer, as JSON."""
    per_mail: Annotated[int, Field(ge=1, le=100)] = 5
    """Calls for one mail that write or send."""
    options: dict[str, Option] = Field(default_factory=dict)
    """Passed to the tool: the address of a server, say."""


DEFAULTS: Final = ToolLimits()

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
