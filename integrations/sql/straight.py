"""Transactions in one go: a thread with a connection of its own, for work of many statements.

In the loop of the house each statement waits behind all requests that have come in meanwhile, and while a commit waits
for the disk nobody reads the next ones. Here one goes on beside the other.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection, Engine

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")


class Straight(ABC):
    """One transaction after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "straight")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives, committed."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transaction, work)

    async def close(self) -> None:
        """The connection goes, then the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown()

    @abstractmethod
    def _transaction(self, work: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    def _end(self) -> None: ...


class StraightSqlite(Straight):
    """By the driver that is not asynchronous; the other one goes to a thread and back for each statement."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)

    def _end(self) -> None:
        self.engine.dispose()


class StraightPostgres(Straight):
    """By the asynchronous driver, in a loop of its own."""

    def __init__(self, engine: "AsyncEngine") -> None:
        super().__init__()
        self._engine = engine
        self._runner = asyncio.Runner()

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        return self._runner.run(self._written(work))

    async def _written(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    def _end(self) -> None:
        with self._runner:
            self._runner.run(self._engine.dispose())
