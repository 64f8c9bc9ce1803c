"""Spaces the requests of one process, or of its part of a limit that several processes share."""

from dataclasses import dataclass


@dataclass(slots=True)
class RequestPacer:
    """A token bucket that lends: `size` requests at once, `rate` per second in the long run; each further one learns how long it waits."""

    size: float
    rate: float
    level: float
    at: float

    def reserve(self, now: float, processes: int = 1) -> float:
        """Reserve the next place; return the seconds to wait for it. Of several processes each has an equal part."""
        rate = self.rate / processes
        self.level = min(max(1.0, self.size / processes), self.level + (now - self.at) * rate) - 1
        self.at = now
        return max(0.0, -self.level / rate)

    def cancel(self) -> None:
        self.level += 1
