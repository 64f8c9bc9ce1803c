"""Findings of a check of the installation."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    state: State
    text: str
    cure: str = ""
    """What a person can do; may contain lines to paste."""


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """What is wrong with a variable, or may be a mistake."""

    name: str
    text: str
    place: str = ""
    """Where it is set: `.env, line 4` or `environment`."""

    def __str__(self) -> str:
        """`NAME (place): text`."""
        return f"{self.name} ({self.place}): {self.text}" if self.place else f"{self.name}: {self.text}"
