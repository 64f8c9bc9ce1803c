"""A worker's heartbeat file: touched while the worker lives, so that a health check sees one that hangs."""

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
"""Seconds between two beats."""
LATE: Final = 60.0
"""Seconds without a beat after which a worker is taken for hanging."""
LONGEST: Final = timedelta(minutes=10)
"""That a case may be in hand beyond MAX_SECONDS_PER_MAIL: every call out of the process ends long before."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How a worker shows that it works: its event loop turns, its database answers, and no case is stuck."""

    file: Path
    jobs: Jobs
    in_hand: Mapping[str, datetime]
    most: timedelta
    """That a case may be in hand."""

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.beat()
            await asyncio.sleep(EVERY)

    async def beat(self) -> None:
        """Touch the file where all is well; a beat that cannot be shown is left out."""
        if await self._well():
            with suppress(OSError):
                self.file.touch()

    async def _well(self) -> bool:
        if any(datetime.now(UTC) - since > self.most for since in tuple(self.in_hand.values())):
            return False
        try:
            async with asyncio.timeout(LATE / 2):
                await self.jobs.next_due()
        except (TimeoutError, StoreDown):
            return False
        return True


def seconds_since(file: Path) -> float | None:
    """How long ago the last beat was; None where there was none."""
    try:
        return max(0.0, datetime.now(UTC).timestamp() - file.stat().st_mtime)
    except OSError:
        return None
