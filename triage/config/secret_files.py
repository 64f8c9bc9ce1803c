"""Reads secrets from files: each secret setting NAME can be given as NAME_FILE=/run/secrets/x."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Replaces the value of a secret whose file cannot be read; validation reports it."""

    reason: str


class SecretFiles(PydanticBaseSettingsSource):
    """Reads NAME from the file that NAME_FILE names, as Docker secrets need; an empty file sets nothing."""

    def __init__(self, settings_cls: type[BaseSettings], given: Mapping[str, str]) -> None:
        super().__init__(settings_cls)
        self._given = given

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the file's text without trailing newlines; None if no file is named."""
        name = variable(field)
        path = self._given.get(f"{name}_FILE".casefold(), "") if is_secret(field) else ""
        return (_text_of(Path(path), f"{name}_FILE") if path else None), name or field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return all values that come from files, by variable."""
        found = (self.get_field_value(field, name) for name, field in self.settings_cls.model_fields.items())
        return {name: value for value, name, _ in found if value}


def _text_of(path: Path, name: str) -> str | Unreadable:
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as e:
        return Unreadable(f"cannot be read from {path}, which {name} names ({type(e).__name__}); check path and rights")


def variable(field: FieldInfo) -> str:
    """Return the field's environment variable."""
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else ""


def is_secret(field: FieldInfo) -> bool:
    """Tell whether the field is a secret: never shown, and possibly read from a file."""
    return field.annotation is SecretStr
