"""A watched mailbox on a real Dovecot, the real store behind it, and what a test wants to know of both."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore
from integrations.system_clock import SystemClock
from tests.conftest import PATIENCE
from tests.servers.dovecot import PASSWORD, Person
from triage.domain.mail import Received
from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.intake import Intake
from triage.services.mailbox_sync import MailboxSync
from triage.services.mailbox_watch import Watch, WatchPace

QUICK = WatchPace(look=1.0, first_pause=0.05, longest_pause=0.2, denied_pause=0.2, reconcile=3600)


@dataclass
class Desk:
    """A watched mailbox and the store behind it."""

    person: Person
    store: SqlStore
    url: str
    failing: list[Exception] = field(default_factory=list)
    """Raised by the next deliveries into the store, one each."""
    passed: list[str] = field(default_factory=list)

    def watch(
        self, *, port: int = 0, pace: WatchPace = QUICK, since: datetime | None = None, most: int = 200, **more: object
    ) -> Watch:
        """A watch of its own, as after a restart."""
        account: dict[str, object] = {
            "name": "support",
            "host": "127.0.0.1",
            "port": port or self.person.server.imap,
            "user": self.person.name,
            "tls": Tls.NONE,
            "silence": PATIENCE,
            **more,
        }
        mailbox = ImapMailbox(ImapAccount(**account), Password(PASSWORD))  # type: ignore[arg-type]  # tests name fields
        intake = Intake(_Breaking(self), LocalNotifier(), SystemClock(), 40 * 2**20, self.passed.append)  # type: ignore[arg-type]  # `accept` is all it needs
        sync = MailboxSync(
            mailbox=mailbox, mailboxes=self.store.mailboxes, intake=intake, clock=SystemClock(), most=most
        )
        return Watch(sync, pace, since)

    async def cursor(self) -> SyncCursor:
        """Where we stand."""
        at = await self.store.mailboxes.cursor("support")
        assert at
        return at

    async def ids(self) -> list[str]:
        """Message-IDs of what is in the store, in the order of the cases."""
        cases = sorted((line.id for line in await self.store.archive.cases(100_000)), key=lambda case: int(case[5:]))
        return [message_id(await self.store.archive.raw(case)) for case in cases]

    async def until(self, done: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until something (asked for again and again) holds."""
        async with asyncio.timeout(seconds):
            while not (await found if asyncio.iscoroutine(found := done()) else found):
                await asyncio.sleep(0.02)

    async def has(self, count: int) -> bool:
        """So many mails are in the store."""
        return sum((await self.store.archive.counts()).values()) >= count

    async def phase(self, *phases: Phase) -> bool:
        """It is in one of these."""
        at = await self.store.mailboxes.cursor("support")
        return at is not None and at.phase in phases

    async def refused(self, why: str) -> bool:
        """The server refuses to move mails with a reason that begins so, or nothing."""
        trouble = (await self.cursor()).trouble
        return trouble.startswith(why) if why else not trouble


@dataclass
class _Breaking:
    """The real store, which raises first what a test wants to be raised."""

    desk: Desk

    async def accept(self, received: Received) -> str:
        if self.desk.failing:
            raise self.desk.failing.pop(0)
        return await self.desk.store.inbox.accept(received)


def message_id(raw: bytes) -> str:
    """`<7@example.com>` as `7`."""
    for line in raw.splitlines():
        if line.lower().startswith(b"message-id:"):
            return line.partition(b"<")[2].partition(b"@")[0].decode()
    return ""


@contextlib.asynccontextmanager
async def watching(watch: Watch) -> AsyncIterator[None]:
    """While it runs."""
    task = asyncio.create_task(watch.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled(), task.exception()


class Hanging:
    """A proxy that hangs up where the server is about to say certain words."""

    def __init__(self, target: int, words: bytes) -> None:
        self._target = target
        self._words = words
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._tasks: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)

        async def ask() -> None:
            while piece := await reader.read(65536):
                up_writer.write(piece)
            up_writer.close()

        asking = asyncio.create_task(ask())
        while (piece := await up_reader.read(65536)) and self._words not in piece:
            writer.write(piece)
        writer.transport.abort()
        up_writer.transport.abort()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
