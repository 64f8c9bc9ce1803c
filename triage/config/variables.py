"""All settings, joined from `environment/`: each once, with default and description; `docs/reference/settings.md` shows them."""

from collections.abc import Mapping

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import SettingsConfigDict

from triage.config.environment.mail import LetterVariables, MailOAuthVariables, MailVariables
from triage.config.environment.memory import MemoryVariables
from triage.config.environment.models import ModelVariables
from triage.config.environment.process import ProcessVariables
from triage.config.environment.support import SupportVariables
from triage.config.environment.tickets import TicketVariables
from triage.config.environment.web import WebVariables
from triage.config.setting_sources import is_secret, variable


class Variables(
    WebVariables,
    ProcessVariables,
    MemoryVariables,
    SupportVariables,
    LetterVariables,
    MailOAuthVariables,
    MailVariables,
    ModelVariables,
    TicketVariables,
):
    """All variables that an admin can set; `settings.Settings` loads and validates them."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True, hide_input_in_errors=True
    )


def variables() -> Mapping[str, FieldInfo]:
    """Return every variable by name, group by group: pydantic takes the last base's fields first."""
    return {variable(field): field for field in Variables.model_fields.values()}


def table() -> str:
    """Return all variables as a Markdown table, for `docs/reference/settings.md`."""
    rows = [
        f"| `{name}` | {f'`{shown}`' if (shown := default_of(field)) else ''} | {field.description}{' *(secret)*' if is_secret(field) else ''} |"
        for name, field in variables().items()
    ]
    return "\n".join(["| variable | default | what it is |", "| --- | --- | --- |", *rows])


def default_of(field: FieldInfo) -> str:
    """Format a default as an `.env` line has it; empty if there is none."""
    value = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
    text = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    return text if value is not None else ""
