"""Declares one setting: its variable, default, description and old names."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field
from pydantic_settings import BaseSettings


class VariableGroup(BaseSettings, defer_build=True):
    """The variables of one subject; only the class that reads them all is ever built, as each costs what all of them do."""


def env(name: str, default: Any, about: str, *, was: tuple[str, ...] = (), **rules: Any) -> Any:
    """Declare a variable: name, default, description, and in `was` its old names."""
    return Field(default, validation_alias=AliasChoices(name, *was), description=about, **rules)


def _stripped(value: Any) -> Any:
    """Strip blanks; the settings treat an empty variable as unset."""
    return value.strip() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_stripped)]
Weekday = Literal["", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
"""A day of the week; empty: none."""
AFTER = r"^(none|seen|move:.*\S.*)$"
"""Pattern of IMAP_AFTER."""
WHAT_AFTER = "write none, seen or move:Folder"
ENDPOINT = r"^(\[[0-9a-fA-F:.]+\]:\d{1,5}|[A-Za-z0-9.-]+:\d{1,5})?$"
"""Pattern of METRICS_ADDRESS."""
