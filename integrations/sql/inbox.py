"""The port `Inbox`: stores raw bytes, case and job in one commit; concurrent mails share a commit."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from integrations.sql.arrivals import write
from integrations.sql.database.engine import Database
from integrations.sql.database.rows import case_name
from triage.domain.errors import Replayed, StoreDown
from triage.domain.mail import Received
from triage.domain.ports import Clock, Failpoint

BATCH: Final = 64
"""Most mails in one commit."""
BATCH_BYTES: Final = 8 * 1024 * 1024
"""Bytes after which a commit takes no more mails."""
MOST: Final = 2000
"""Mails that may wait for a commit; further ones are refused with `IntakeOverloaded`."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes that may wait for a commit; a single mail may be larger."""
PATIENCE: Final = 5.0
"""Seconds until a refused sender may try again."""

Waiting = tuple[Received, asyncio.Future[str]]
Became = str | BaseException
"""The id of a case, or why there is none."""


class IntakeOverloaded(StoreDown):
    """More mails come than the disk takes."""

    retry_after: float | None = field(default=PATIENCE, init=False)


class SqlInbox:
    """The port `Inbox`: mails that come in while one commit waits for the disk share the next commit.

    One disk sync then serves them all (measured: five times the mails per second); a single mail does not wait.
    """

    def __init__(self, database: Database, clock: Clock, failpoint: Failpoint, min_free: int = 0) -> None:
        self._database = database
        self._min_free = min_free
        self._clock = clock
        self._failpoint = failpoint
        self._waiting: deque[Waiting] = deque()
        self._bytes = 0
        self._writer: asyncio.Task[None] | None = None

    async def accept(self, received: Received) -> str:
        """Store the mail durably and return its case's id. Raises `StoreDown`, `Replayed`."""
        if self._waiting and (len(self._waiting) >= MOST or self._bytes + len(received.raw) > MOST_BYTES):
            raise IntakeOverloaded(f"{len(self._waiting)} mails wait for the disk")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((received, answer))
        self._bytes += len(received.raw)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        return await answer

    async def close(self) -> None:
        """Wait for running commits."""
        if self._writer:
            await self._writer

    async def _write_all(self) -> None:
        while self._waiting:
            if batch := self._next_batch():
                became = await self._commit_each([received for received, _ in batch])
                for (_, answer), what in zip(batch, became, strict=True):
                    _settle(answer, what)

    def _next_batch(self) -> list[Waiting]:
        """The mails waiting longest, without those whose callers were cancelled."""
        batch: list[Waiting] = []
        size = 0
        while self._waiting and len(batch) < BATCH and size < BATCH_BYTES:
            received, answer = self._waiting.popleft()
            self._bytes -= len(received.raw)
            if not answer.cancelled():
                batch.append((received, answer))
                size += len(received.raw)
        return batch

    async def _commit_each(self, batch: Sequence[Received]) -> list[Became]:
        """The result for each mail: one that the database refuses does not keep the others out.

        If the first two fail alone with the same error as the batch, the database is at fault and the rest is not tried.
        """
        try:
            return await self._commit(batch)
        except Exception as e:  # noqa: BLE001 - the callers get whatever it is
            if len(batch) == 1:
                return [e]
            trouble: Exception = e
        became: list[Became] = []
        for received in batch:
            broken = len(became) > 1 and all(str(what) == str(trouble) for what in became[:2])
            became += [trouble] if broken else await self._commit_each([received])
        return became

    def look_for_room(self, size: int) -> None:
        """Raise `StoreDown` if `size` bytes do not fit, or would leave less than MIN_FREE_BYTES: a completely full disk is hard to repair."""
        free = self._database.free
        if free is not None and free - size < self._min_free:
            raise StoreDown(f"{free} bytes are left on the disk, MIN_FREE_BYTES is {self._min_free}")

    async def _commit(self, batch: Sequence[Received]) -> list[Became]:
        """The case ids; for a mail whose token another mail has used, the error `Replayed`."""
        self.look_for_room(sum(len(received.raw) for received in batch))
        now = self._clock.now()
        written = await self._database.write_many(lambda c: write(c, batch, now, self._failpoint))
        if written.new:
            self._failpoint("intake.committed")
        kept = iter(written.numbers)
        return [
            Replayed(received.source, "its token has brought another mail")
            if place in written.replayed
            else case_name(next(kept))
            for place, received in enumerate(batch)
        ]


def _settle(answer: asyncio.Future[str], became: Became) -> None:
    """Give one caller the result, unless it was cancelled."""
    if answer.cancelled():
        return
    if isinstance(became, BaseException):
        answer.set_exception(became)
    else:
        answer.set_result(became)
