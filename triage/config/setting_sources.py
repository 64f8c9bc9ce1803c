"""Sources of settings: environment, .env and files of secrets; old names are known, unknown names are reported."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, PydanticBaseSettingsSource

from triage.config.dotenv import literals
from triage.config.setting_names import ENVIRONMENT, SettingNames, numbered
from triage.domain.operations.checks import SettingProblem

CHECKED: Final = "names checked"
"""Key that carries the result of the name check to the settings; the blanks keep it from clashing."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Problems and warnings about names of variables."""

    problems: tuple[SettingProblem, ...] = ()
    warnings: tuple[SettingProblem, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Where each variable is set: `.env, line 4` or `environment`."""

    def placed(self, problem: str) -> SettingProblem:
        """Return `NAME: text` with the place to correct it."""
        name, _, text = problem.partition(": ")
        return SettingProblem(name, text, self.places.get(name, ""))


def names_of(settings_cls: type[BaseSettings]) -> SettingNames:
    fields = settings_cls.model_fields.values()
    return SettingNames(
        settings=frozenset(map(variable, fields)),
        secrets=frozenset(variable(field) for field in fields if is_secret(field)),
        renamed={old: variable(field) for field in fields for old in _old_names(field)},
    )


def _old_names(field: FieldInfo) -> tuple[str, ...]:
    alias = field.validation_alias
    return tuple(map(str, alias.choices[1:])) if isinstance(alias, AliasChoices) else ()


class CheckedNames(PydanticBaseSettingsSource):
    """A source that gives no values; it checks the names in the environment and in `.env`.

    It also renames the values of both sources to current names, so that the environment wins under any name.
    """

    def __init__(
        self, settings_cls: type[BaseSettings], environment: EnvSettingsSource, dotenv: DotEnvSettingsSource
    ) -> None:
        super().__init__(settings_cls)
        names, file = names_of(settings_cls), Path(str(dotenv.env_file))
        text = _text_of(file)
        dotenv.env_vars = {**dotenv.env_vars, **literals(text)}
        mine = {**given_in(environment), **given_in(dotenv)}
        self._checked = Checked(
            problems=tuple(names.unknown(text, str(file))),
            warnings=(
                *names.outdated(environment.env_vars, ENVIRONMENT),
                *names.outdated(dotenv.env_vars, str(file)),
                *names.near_misses(environment.env_vars, mine),
            ),
            places={
                **{line.key.upper(): f"{file}, line {number}" for number, line in numbered(text) if line.key},
                **{name.upper(): ENVIRONMENT for name in given_in(environment)},
            },
        )
        for source in (environment, dotenv):
            source.env_vars = names.in_new_words(source.env_vars)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return no value: this source only checks names."""
        del field
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return the result of the check under `CHECKED`."""
        return {CHECKED: self._checked}


def _text_of(file: Path) -> str:
    """Return the file's text; empty for a pipe, which pydantic has already consumed. Raises `OSError` for a folder."""
    return file.read_text(encoding="utf-8") if file.is_file() or file.is_dir() else ""


def given_in(source: EnvSettingsSource) -> Mapping[str, str]:
    """Return the non-empty variables of a source, names in lower case."""
    return {name.casefold(): value for name, value in source.env_vars.items() if value}


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands where the text of a secret's file should be."""

    reason: str


class SecretFiles(PydanticBaseSettingsSource):
    """`NAME_FILE=/run/secrets/x` gives NAME for every secret, as containers like it; an empty file gives none."""

    def __init__(self, settings_cls: type[BaseSettings], given: Mapping[str, str]) -> None:
        super().__init__(settings_cls)
        self._given = given

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """What the named file holds, without the last newline."""
        name = variable(field)
        path = self._given.get(f"{name}_FILE".casefold(), "") if is_secret(field) else ""
        return (_secret_in(Path(path), f"{name}_FILE") if path else None), name or field_name, False

    def __call__(self) -> dict[str, Any]:
        found = (self.get_field_value(field, name) for name, field in self.settings_cls.model_fields.items())
        return {name: value for value, name, _ in found if value}


def _secret_in(path: Path, name: str) -> str | Unreadable:
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as e:
        return Unreadable(f"cannot be read from {path}, which {name} names ({type(e).__name__}); check path and rights")


def variable(field: FieldInfo) -> str:
    """The name of the environment variable."""
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else ""


def is_secret(field: FieldInfo) -> bool:
    """It is never shown, and may come from a file."""
    return field.annotation is SecretStr
