"""The port `Clock` by the system's time."""

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """The wall clock and `asyncio.sleep`."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
