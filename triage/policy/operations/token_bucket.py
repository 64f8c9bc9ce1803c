"""A token bucket: so many things at once, and one more after a while. Pure: each change makes a new bucket."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self


@dataclass(frozen=True, slots=True)
class Rate:
    """The limit of a token bucket: burst, and seconds per token in the long run."""

    burst: int
    """At once."""
    seconds: float
    """Until one more."""

    @classmethod
    def per_minute(cls, most: int) -> Self:
        """Return the rate of so many at once, and as many again in a minute."""
        return cls(most, 60 / most)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A token bucket at one moment: how many requests of its rate are left."""

    rate: Rate
    left: float
    at: datetime
    """When that was left."""

    @classmethod
    def full(cls, rate: Rate, now: datetime) -> Self:
        """Return a bucket of which nothing was taken."""
        return cls(rate, rate.burst, now)

    def filled(self, now: datetime) -> Self:
        """Return what is left now; a clock that goes back takes nothing away."""
        passed = max(0.0, (now - self.at).total_seconds())
        return replace(self, left=min(self.rate.burst, self.left + passed / self.rate.seconds), at=now)

    @property
    def wait(self) -> float:
        """Seconds until one can be taken; 0 or less: at once."""
        return (1 - self.left) * self.rate.seconds

    def plus(self, number: int) -> Self:
        """Return the bucket with `number` tokens more (-1 takes one), at most the burst of its rate."""
        return replace(self, left=min(self.rate.burst, self.left + number))
