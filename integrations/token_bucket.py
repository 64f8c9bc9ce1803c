"""A token bucket of one process, or of its part of a limit that several processes share."""

from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """`size` requests at once, `rate` per second in the long run."""

    size: float
    rate: float
    level: float
    at: float

    def take(self, now: float, processes: int = 1) -> float:
        """Take a token; return the seconds to wait. Of several processes each has an equal part."""
        rate = self.rate / processes
        self.level = min(max(1.0, self.size / processes), self.level + (now - self.at) * rate) - 1
        self.at = now
        return max(0.0, -self.level / rate)

    def leave(self) -> None:
        self.level += 1
