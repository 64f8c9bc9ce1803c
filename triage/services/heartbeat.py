"""Touches a file while the worker makes progress, so that a health check detects a worker that hangs."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from triage.domain.errors import StoreDown
from triage.domain.ports import Jobs

EVERY: Final = 5.0
"""Seconds between two heartbeats."""
LATE: Final = 60.0
"""Seconds without a heartbeat after which a worker counts as hanging."""
LONGEST: Final = timedelta(minutes=10)
"""Time that a case may take beyond MAX_SECONDS_PER_MAIL: calls out of the process time out long before."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A heartbeat proves that the event loop turns, the database answers, and no case is stuck."""

    file: Path
    jobs: Jobs
    running: Mapping[str, datetime]
    most: timedelta
    """Longest time that a case may take."""

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await self.beat()
            await asyncio.sleep(EVERY)

    async def beat(self) -> None:
        """Touch the file if all is well; ignore errors of the file system."""
        if await self._well():
            with suppress(OSError):
                self.file.touch()

    async def _well(self) -> bool:
        if any(datetime.now(UTC) - since > self.most for since in tuple(self.running.values())):
            return False
        try:
            async with asyncio.timeout(LATE / 2):
                await self.jobs.next_due()
        except (TimeoutError, StoreDown):
            return False
        return True


def seconds_since(file: Path) -> float | None:
    """Return the age of the last heartbeat in seconds; None if there is no file."""
    try:
        return max(0.0, datetime.now(UTC).timestamp() - file.stat().st_mtime)
    except OSError:
        return None
