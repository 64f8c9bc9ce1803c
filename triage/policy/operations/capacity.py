"""Computes what a number of mails a day needs (processes, hands, requests, tokens, disk) and how long mails wait for hands."""

import math
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0
HOUR: Final = 3_600.0
BUSY: Final = 0.7
"""Part of a core that is planned for; above it waiting grows quickly."""
YEAR: Final = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What one mail costs on average."""

    processor: float
    """Seconds of a worker's core."""
    jira: float
    """Requests to Jira."""
    jira_seconds: float
    """Seconds of one such request."""
    calls: float = 0.0
    """Calls of a model."""
    call_seconds: float = 0.0
    tokens: float = 0.0
    """Input and output of all its calls."""
    storage: float = 0.0
    """Bytes of the database."""

    @property
    def seconds(self) -> float:
        """Seconds that a mail is in hand."""
        return self.processor + self.jira * self.jira_seconds + self.calls * self.call_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """What the others allow, and how uneven a day is."""

    jira: float
    """Requests a second of one kind, of all processes; a mail makes one or two of each kind."""
    calls: float = math.inf
    """Calls of a model a minute."""
    peak: float = 0.14
    """Part of a day's mails that comes in its busiest hour."""
    hands: int = 4
    """WORKERS: mails that one process has in hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityNeeds:
    """What a day of so many mails needs in its busiest hour."""

    mails: float
    """A day."""
    peak: float
    """Mails a second."""
    cores: float
    workers: int
    """Processes of `triage work`, for the processor and for the hands."""
    in_hand: float
    """Mails that are worked on at the same time."""
    jira: float
    """Requests to Jira a second."""
    calls: float
    """Of models a minute."""
    tokens: float
    """A day."""
    storage: float
    """Bytes a year."""
    first: str
    """The limit that is nearest: `processor`, `jira` or `model`."""
    reached: float
    """How much of that limit is used; above 1 a peak is worked off later, or never."""


def needs_of(mails: float, costs: Costs, ceilings: Ceilings, cores: float) -> CapacityNeeds:
    """Return what so many mails a day need; `cores` are those that workers may have."""
    peak = mails * ceilings.peak / HOUR
    busy, in_hand = peak * costs.processor, peak * costs.seconds
    used = {
        "processor": busy / (cores * BUSY),
        "jira": peak / ceilings.jira,
        "model": peak * costs.calls * 60 / ceilings.calls,
    }
    first = max(used, key=lambda name: used[name])
    return CapacityNeeds(
        mails=mails,
        peak=peak,
        cores=busy / BUSY,
        workers=max(1, math.ceil(busy / BUSY), math.ceil(in_hand / BUSY / ceilings.hands)),
        in_hand=in_hand,
        jira=peak * costs.jira,
        calls=peak * costs.calls * 60,
        tokens=mails * costs.tokens,
        storage=mails * costs.storage * YEAR,
        first=first,
        reached=used[first],
    )


def most_mails(costs: Costs, ceilings: Ceilings) -> float:
    """Return the mails a day whose busiest hour still fits under what Jira and the model allow."""
    by_model = ceilings.calls / 60 / costs.calls if costs.calls else math.inf
    return min(ceilings.jira, by_model) * HOUR / ceilings.peak
