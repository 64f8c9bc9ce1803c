"""Repeats what a service does by itself, such as reminders and sweeps, until the process ends."""

from collections.abc import Awaitable, Callable

from loguru import logger

from triage.domain.errors import TriageError
from triage.domain.ports import Clock


async def repeated(turn: Callable[[], Awaitable[object]], clock: Clock, every: float, trouble: str) -> None:
    """Take a turn now and then with pauses of `every` seconds, until cancelled.

    What goes wrong is logged as the event `trouble`, and the next turn tries again. Other exceptions are bugs and leave.
    """
    while True:
        try:
            await turn()
        except TriageError as e:
            logger.bind(error=str(e)).warning(trouble)
        await clock.sleep(every)
