"""Repeats what a service does by itself, such as reminders and sweeps, until the process ends."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from loguru import logger

from triage.domain.errors import TriageError
from triage.domain.ports import Clock


@dataclass(frozen=True, slots=True)
class Repeated:
    """A turn that a process takes again and again."""

    turn: Callable[[], Awaitable[object]]
    every: float
    """Seconds between two turns."""
    trouble: str
    """The event that is logged if a turn raises a `TriageError`; the next turn tries again. Other exceptions are bugs and leave."""

    async def run(self, clock: Clock) -> None:
        """Take turns until cancelled."""
        while True:
            try:
                await self.turn()
            except TriageError as e:
                logger.bind(error=str(e)).warning(self.trouble)
            await clock.sleep(self.every)
