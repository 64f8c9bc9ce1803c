"""The section `tools` of triage.yaml: limits and options of tools that come from outside Triage."""

from typing import Annotated, Final, Literal

from pydantic import Field

from triage.config.shapes.base import Shape
from triage.config.shapes.form import Form

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
