"""What `agent.profiles` in triage.yaml says of an agent."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Preprocessor = Literal["default", "crisp"]
PREPROCESSORS: Final[tuple[Preprocessor, ...]] = get_args(Preprocessor)
"""How the mail is read before the agent gets it; `policy/text/unwrap.py` reads it so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSpec:
    """An agent as the configuration describes it."""

    name: str
    system_prompt_file: str
    """Relative to the configuration's folder, or else to the one that Triage runs in."""
    tools: tuple[str, ...]
    model: str = ""
    """Empty: the model of the settings."""
    max_tokens: int | None = None
    temperature: float | None = None
    max_iterations: int | None = None
    preprocessor: Preprocessor = "default"
