"""A time that goes faster than ours, the same in all processes: an hour of pauses passes in minutes, all in proportion."""

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Pace:
    """A `Clock`; what the gate and the tracker want besides is here, too."""

    speed: float

    def seconds(self) -> float:
        """Of this time, since the machine has started."""
        return time.monotonic() * self.speed

    def now(self) -> datetime:
        """A moment of this time."""
        return BEGIN + timedelta(seconds=self.seconds())

    async def sleep(self, seconds: float) -> None:
        """Let so much of this time pass."""
        await asyncio.sleep(seconds / self.speed)
