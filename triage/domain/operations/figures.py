"""Figures of the store as of now, and how it grew since they were read last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Upper bounds of the buckets in which durations are counted; longer ones are in none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklogFigures:
    """Accepted mails that have not ended."""

    ready: int = 0
    """No worker has them, and none has tried."""
    working: int = 0
    retrying: int = 0
    """They failed, or wait for something that does not work."""
    oldest: datetime | None = None
    """When the first of them was accepted; None if there is none."""
    leased_until: datetime | None = None
    """End of the last lease; None if no worker has one."""

    @property
    def all(self) -> int:
        """Number of all accepted mails that have not ended."""
        return self.ready + self.working + self.retrying


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What came in and what ended since a moment."""

    came_in: int
    ended: Mapping[str, int]
    """Cases by outcome, whenever their mails came in; one that was decided more than once counts once."""


@dataclass(slots=True)
class Durations:
    """A sum that grows: durations in seconds, and how many of them were as long as each of `SECONDS` at most."""

    within: list[int] = field(default_factory=lambda: [0] * len(SECONDS))
    """As many as bounds; each counts those of the bounds before it, too."""
    count: int = 0
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.merge([seconds <= bound for bound in SECONDS], 1, seconds)

    def merge(self, within: Sequence[int], count: int, total: float) -> None:
        """Count many that were counted elsewhere."""
        self.within = [mine + theirs for mine, theirs in zip(self.within, within, strict=True)]
        self.count += count
        self.total += total


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Durations of one name that were counted by the store."""

    name: str
    within: tuple[int, ...]
    count: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse(Timed):
    """Number of answers of one model, with tokens and cost."""

    input_tokens: int
    output_tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What the store got between two moments."""

    mails: Mapping[str, int]
    """By source as stored, such as `imap:support`."""
    ended: Mapping[str, int]
    """Ends of cases by outcome; a replayed one ends again."""
    steps: tuple[Timed, ...]
    models: tuple[ModelUse, ...]
