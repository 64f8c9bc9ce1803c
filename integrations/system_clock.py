"""The time of this machine, behind the Clock port."""

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """The real one."""

    def now(self) -> datetime:
        """In UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Let it pass."""
        await asyncio.sleep(seconds)
