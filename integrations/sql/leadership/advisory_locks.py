"""Duties as session locks of PostgreSQL, held by one connection of their own: whoever loses the connection loses them."""

import asyncio
from contextlib import suppress
from typing import Any, Final
from zlib import crc32

from sqlalchemy import NullPool, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from integrations.sql.database.engine import address_of, our_words
from integrations.sql.database.postgres import without_driver

OURS: Final = 0x5472_6961
"""First half of the lock's number, "Tria"; the intake's lock has one number, which PostgreSQL keeps apart from pairs."""
PATIENCE: Final = 5.0
"""Seconds until a server that does not answer counts as lost."""
SILENCE: Final = "15s"
"""The server ends the session of a process that hangs, and another one takes over (PostgreSQL 14 and later)."""
KEEPALIVE: Final = {"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3"}
"""The server notices within 11 seconds that a host is gone without a word."""

_QUIET: Final = text(
    "SELECT set_config('idle_session_timeout', :seconds, false)"
    " WHERE current_setting('server_version_num')::int >= 140000"
)
# A standby would give its own locks, of which the primary knows nothing.
_TAKE: Final = text("SELECT NOT pg_is_in_recovery() AND pg_try_advisory_lock(:ours, :duty)")
_STILL: Final = text("SELECT NOT pg_is_in_recovery()")
_RELEASE: Final = text("SELECT pg_advisory_unlock(:ours, :duty)")


class AdvisoryLocks:
    """The port `Leadership` over one connection, which is opened by the first question and again when it was lost."""

    def __init__(self, url: str, silence: str = SILENCE) -> None:
        self._engine = _engine(url)
        self._silence = silence
        self._connection: AsyncConnection | None = None
        self._held: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    async def hold(self, duty: str) -> bool:
        """Take the duty if it is free, or make sure that it is still ours."""
        async with self._one_at_a_time:
            if duty in self._held:
                mine = await self._ask(_STILL)
            else:
                mine = await self._ask(_TAKE, ours=OURS, duty=number_of(duty))
            if mine:
                self._held.add(duty)
            elif duty in self._held:  # the server has become a standby: its locks count no more
                await self._lost()
            return mine

    async def release(self, duty: str) -> None:
        async with self._one_at_a_time:
            if duty in self._held:
                self._held.discard(duty)
                await self._ask(_RELEASE, ours=OURS, duty=number_of(duty))

    async def close(self) -> None:
        """Close the connection, and give up everything by that."""
        await self._lost()
        await self._engine.dispose()

    async def _ask(self, statement: Any, **values: Any) -> bool:
        """Raises `StoreDown`; then nothing is held any more."""
        try:
            with our_words():
                async with asyncio.timeout(PATIENCE):
                    connection = self._connection = self._connection or await self._opened()
                    return bool((await connection.execute(statement, values)).scalar_one())
        except BaseException:
            await self._lost()
            raise

    async def _opened(self) -> AsyncConnection:
        connection = await self._engine.connect()
        await connection.execute(_QUIET, {"seconds": self._silence})
        return connection

    async def _lost(self) -> None:
        """Forget the connection; a new one holds nothing."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            with suppress(DBAPIError, OSError):
                await connection.invalidate()
                await connection.close()


def number_of(duty: str) -> int:
    """Return the second half of the lock's number: 32 bits with a sign."""
    return crc32(duty.encode()) - 2**31


def _engine(url: str) -> AsyncEngine:
    try:
        return create_async_engine(
            address_of(url),
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args={"timeout": PATIENCE, "command_timeout": PATIENCE, "server_settings": KEEPALIVE},
        )
    except ModuleNotFoundError:
        raise without_driver() from None
