"""The port `Inbox`: raw bytes, case and job in one commit, which mails that come at the same time share."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from integrations.sql.arrivals import write
from integrations.sql.database.engine import Database
from integrations.sql.database.rows import case_name
from triage.domain.errors import Replayed, StoreDown
from triage.domain.mail import Received
from triage.domain.ports import Clock, Failpoint

BATCH: Final = 64
"""Mails of one commit at most."""
BATCH_BYTES: Final = 8 * 1024 * 1024
"""A commit that has so many bytes waits for no more mails."""
MOST: Final = 2000
"""Mails that may wait for a commit; who comes then is asked to come again."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes of them; a lone mail may be larger."""
PATIENCE: Final = 5.0
"""Seconds until then."""

Waiting = tuple[Received, asyncio.Future[str]]
Became = str | BaseException
"""The id of a case, or why there is none."""


class Crowded(StoreDown):
    """More mails come than the disk takes."""

    retry_after: float | None = PATIENCE


class SqlInbox:
    """While one commit waits for the disk, the mails that come in gather for the next one.

    One sync of the disk then serves them all (measured: five times the mails a second); a lone mail waits for nobody.
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
        """The id of the mail's case, once it is on the disk. Raises `StoreDown`, `Replayed`."""
        if self._waiting and (len(self._waiting) >= MOST or self._bytes + len(received.raw) > MOST_BYTES):
            raise Crowded(f"{len(self._waiting)} mails wait for the disk")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((received, answer))
        self._bytes += len(received.raw)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        return await answer

    async def close(self) -> None:
        """Let the commits that are under way end."""
        if self._writer:
            await self._writer

    async def _write_all(self) -> None:
        while self._waiting:
            if batch := self._next_batch():
                became = await self._commit_each([received for received, _ in batch])
                for (_, answer), what in zip(batch, became, strict=True):
                    _settle(answer, what)

    def _next_batch(self) -> list[Waiting]:
        """Those that wait longest, without those whose callers have gone."""
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
        """What became of each: a mail that the database does not take shall not keep the others out.

        After two that fail alone as all did together it is the database that fails, and the rest need not try.
        """
        try:
            return await self._commit(batch)
        except Exception as e:  # noqa: BLE001 - the worker's edge: whatever it is, the callers hear it
            if len(batch) == 1:
                return [e]
            trouble: Exception = e
        became: list[Became] = []
        for received in batch:
            broken = len(became) > 1 and all(str(what) == str(trouble) for what in became[:2])
            became += [trouble] if broken else await self._commit_each([received])
        return became

    def look_for_room(self, size: int) -> None:
        """A disk that is full to the last byte is hard to repair, so we stop before. Raises `StoreDown`."""
        free = self._database.free if self._min_free else None
        if free is not None and free - size < self._min_free:
            raise StoreDown(f"{free} bytes are left on the disk, MIN_FREE_BYTES is {self._min_free}")

    async def _commit(self, batch: Sequence[Received]) -> list[Became]:
        """The ids of their cases; in place of the id of one whose token is used up, the refusal."""
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
    """Tell one caller what became of the mail, unless he has gone."""
    if answer.cancelled():
        return
    if isinstance(became, BaseException):
        answer.set_exception(became)
    else:
        answer.set_result(became)
