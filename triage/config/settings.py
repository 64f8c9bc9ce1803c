"""The settings of this process: the environment first, then `.env`, then the defaults; all that is wrong is told at once."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, Self

from pydantic import PrivateAttr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
)

from triage.config.secret_files import SecretFiles, Unreadable
from triage.config.setting_checks import half_set
from triage.config.setting_sources import CHECKED, Checked, CheckedNames, given_in
from triage.config.variables import Variables, variables
from triage.domain.errors import SettingsInvalid


class Settings(Variables):
    """The variables with their values. Environment first, then `.env`, then the default."""

    _warnings: tuple[str, ...] = PrivateAttr(())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment, then `*_FILE`, then `.env`."""
        if not isinstance(env_settings, EnvSettingsSource) or not isinstance(dotenv_settings, DotEnvSettingsSource):
            raise TypeError("the environment and .env are read by other classes than we know")
        del file_secret_settings
        checked = CheckedNames(settings_cls, env_settings, dotenv_settings)
        files = SecretFiles(settings_cls, {**given_in(dotenv_settings), **given_in(env_settings)})
        return checked, init_settings, env_settings, files, dotenv_settings

    @property
    def warnings(self) -> tuple[str, ...]:
        """Names that may be mistakes; the settings hold all the same."""
        return self._warnings

    @property
    def jira_ready(self) -> bool:
        """Enough is set to talk to Jira."""
        return bool(self.jira_base_url and self.jira_project_key and (self.jira_token or self.jira_api_token))

    @field_validator("*", mode="before")
    @classmethod
    def _readable(cls, value: Any) -> Any:
        if isinstance(value, Unreadable):
            raise ValueError(value.reason)  # noqa: TRY004 - pydantic collects ValueErrors
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, values: Any, made: Callable[[Any], Self]) -> Self:
        """Every value that is wrong, and everything that is half set, at once. Raises `SettingsInvalid`."""
        wrong: tuple[str, ...] = ()
        checked = values.pop(CHECKED, Checked())
        try:
            settings = made(values)
        except ValidationError as e:
            wrong = tuple(_problems(e))
            names = {problem.partition(":")[0] for problem in wrong}
            settings = made({name: value for name, value in values.items() if name not in names})
        named = tuple(problem.partition(":")[0] for problem in wrong)
        half = tuple(problem for problem in half_set(settings) if not problem.startswith(named or ("\0",)))
        if checked.problems or wrong or half:
            raise SettingsInvalid(checked.problems + wrong + half, checked.warnings)
        settings._warnings = checked.warnings  # noqa: SLF001 - our own
        return settings


class Isolated(Settings):
    """Settings that are given, whatever the environment says: for the demo and for tests."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *_: PydanticBaseSettingsSource,
        **__: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is given."""
        del settings_cls
        return (init_settings,)


class FromFile(Settings):
    """Settings of one file, whatever the environment and `.env` say."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """As ever, but for the environment."""
        if isinstance(env_settings, EnvSettingsSource):
            env_settings.env_vars = {}
        return super().settings_customise_sources(
            settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
        )


ALONE: Final[ContextVar[Path | None]] = ContextVar("settings file that counts alone", default=None)
"""Of this run of a command, where one was named."""


def load(kind: type[Settings] = Settings, **given: Any) -> Settings:
    """The settings of this process; warnings go to standard error. Raises `SettingsInvalid` with all that is wrong."""
    settings = read(kind, **given)
    for warning in settings.warnings:
        sys.stderr.write(f"triage: {warning}\n")
    return settings


def read(kind: type[Settings] = Settings, **given: Any) -> Settings:
    """The same for whoever tells the warnings in another way."""
    logging.getLogger("dotenv").addHandler(logging.NullHandler())  # we say ourselves which line is wrong
    alone = ALONE.get() if kind is Settings else None
    if alone and not alone.is_file():
        raise SettingsInvalid((f"--env: there is no {alone}; name a file of NAME=value lines",))
    try:
        return FromFile(_env_file=alone) if alone else kind(**given)
    except (OSError, UnicodeDecodeError) as e:
        raise SettingsInvalid(
            (f"{alone or '.env'}: cannot be read ({type(e).__name__}); it must be a text file in UTF-8",)
        ) from None


def _problems(e: ValidationError) -> Iterator[str]:
    """Each error as `NAME: what is wrong; what it is for`."""
    known = variables()
    for error in e.errors(include_input=False, include_url=False):
        name, reason = str(error["loc"][0]), error["msg"].removeprefix("Value error, ")
        yield f"{name}: {reason[0].lower()}{reason[1:]}; it is {known[name].description}"
