"""The port `Clock` by the time of the PostgreSQL server, so that leases hold whatever the clocks of the hosts say."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from integrations.sql.database.engine import Database
from triage.domain.errors import StoreDown

EVERY: Final = 60.0
"""Seconds between two measurements; meanwhile this process counts seconds, and its wall clock plays no part."""
LONGEST: Final = 1.0
"""Seconds that a later measurement may take: half of it may be wrong."""


class ServerClock:
    """The server's time, as last measured and counted on from there."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._seconds = seconds
        self._measured: tuple[datetime, float] | None = None
        self._keeping: asyncio.Task[None] | None = None

    def now(self) -> datetime:
        """The server's time, aware, in UTC; the host's before the first measurement."""
        if self._measured is None:
            return datetime.now(UTC)
        server, ours = self._measured
        return server + timedelta(seconds=self._seconds() - ours)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def start(self) -> None:
        """Measure now, and again every minute. Raises `StoreDown`."""
        await self.measure()
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        if self._keeping:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    async def measure(self) -> None:
        """Ask the server, unless it answers too slowly to be believed more than the last time. Raises `StoreDown`."""
        before = self._seconds()
        server = await self._database.read(_time)
        after = self._seconds()
        if self._measured is None or after - before <= LONGEST:
            self._measured = server.astimezone(UTC), (before + after) / 2

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            with suppress(StoreDown):
                await self.measure()


def _time(connection: Connection) -> datetime:
    found: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return found
