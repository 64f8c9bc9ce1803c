"""The section `providers` of triage.yaml: servers of models, by the prefix of a model's name (`gemini/…`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict

from triage.config.dotenv import literals
from triage.config.settings import ALONE, Isolated, Settings
from triage.config.shapes.base import Form, Shape, Some

OPENAI: Final = "openai"
ANTHROPIC: Final = "anthropic"
"""These two are set by OPENAI_* and ANTHROPIC_*."""


class Prices(Shape):
    """USD per million tokens."""

    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class ModelProvider(Shape):
    """A server that speaks OpenAI's chat completions: one entry of the section."""

    url: Annotated[str, Form(r"^https?://\S+$", "write an address that begins with https://")]
    key: Annotated[
        str,
        Form(
            r"^([A-Z][A-Z0-9_]*)?$", "write the name of the variable that holds the key, in capitals, such as OWN_KEY"
        ),
    ] = ""
    """Empty: it needs none."""
    prices: Prices | None = None

    @property
    def usd(self) -> tuple[float, float] | None:
        """USD per million input and output tokens; None where nobody has said them."""
        return (self.prices.input, self.prices.output) if self.prices else None


SHIPPED: Final[Mapping[str, ModelProvider]] = {
    "gemini": ModelProvider(url="https://generativelanguage.googleapis.com/v1beta/openai/", key="GEMINI_API_KEY"),
    "mistral": ModelProvider(url="https://api.mistral.ai/v1", key="MISTRAL_API_KEY"),
    "openrouter": ModelProvider(url="https://openrouter.ai/api/v1", key="OPENROUTER_API_KEY"),
}


Providers = dict[
    Annotated[Some, Form(r"^[a-z0-9_-]+$", "write a name of small letters, digits, - and _")], ModelProvider
]


class _Anything(BaseSettings):
    model_config = SettingsConfigDict(env_file_encoding="utf-8", extra="ignore")


def key_of(provider: ModelProvider, settings: Settings) -> str:
    """Return a provider's key from the environment, from the file that NAME_FILE names, or from .env; empty without one."""
    if not provider.key or isinstance(settings, Isolated):
        return ""
    alone = ALONE.get()
    env = alone or Path(".env")
    given = dict(DotEnvSettingsSource(_Anything, env_file=env).env_vars)
    given |= literals(env.read_text(encoding="utf-8")) if env.is_file() else {}
    if alone is None:
        given |= EnvSettingsSource(_Anything).env_vars
    name = provider.key.lower()
    file = Path(given.get(f"{name}_file") or "")
    return (given.get(name) or (file.read_text(encoding="utf-8") if file.is_file() else "")).strip()
