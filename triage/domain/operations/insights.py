"""Insights: counts by day, and charts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Facet(StrEnum):
    """A property by which ended cases are counted."""

    OUTCOME = "outcome"
    CAUSE = "cause"
    """What sort of matter it was, or the program whose alert it was."""
    COMPONENT = "component"
    """Of the ticket that it made."""
    LANGUAGE = "language"
    JOINED = "joined"
    """`new ticket`, `same thread`, `duplicate`; of cases with a ticket."""


@dataclass(frozen=True, slots=True)
class Count:
    """What happened on one day (UTC), of a kind."""

    day: date
    project: str
    """Empty: JIRA_PROJECT_KEY, or all."""
    key: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCases:
    """The ended cases of one day (UTC) and project."""

    day: date
    project: str
    """Empty: JIRA_PROJECT_KEY."""
    counts: Mapping[Facet, Mapping[str, int]]
    """By the values of each facet that they have."""
    seconds: tuple[float, ...]
    """How long each mail that has a ticket took to its first one."""


@dataclass(frozen=True, slots=True)
class PersonLoad:
    """Open tickets of one person."""

    name: str
    waiting: int
    in_progress: int


class ChartShape(StrEnum):
    """How a chart is drawn."""

    STACKED = "stacked"
    """A column a day, its parts on top of each other."""
    LINE = "line"
    """A point a day."""
    BARS = "bars"
    """A bar a name, the longest first."""


@dataclass(frozen=True, slots=True)
class Series:
    """One colour of a chart."""

    name: str
    values: tuple[float | None, ...]
    """As many as the chart has rows; None: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A table of numbers, and how to draw it."""

    name: str
    """In addresses: `outcomes`."""
    title: str
    about: str
    """What is counted, one sentence."""
    shape: ChartShape
    unit: str
    """`mails`, `tickets`, `decisions`, `s`, `%`, `USD`."""
    rows: tuple[str, ...]
    """Days as ISO 8601, or names."""
    series: tuple[Series, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(value for one in self.series for value in one.values)
