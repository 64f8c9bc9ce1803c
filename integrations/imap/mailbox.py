"""A mailbox over IMAP: the port `Mailbox`, with a thread of its own for the client that blocks."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, Final, TypeVar

from integrations.imap.login import Login
from integrations.imap.session import Account, Session
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import Fetched, Folder, Listed

T = TypeVar("T")

GOODBYE: Final = 5.0
"""Seconds to wait until the thread has hung up; it does so by itself if not."""
DEAF: Final = 3
"""Times in a row that listening may fail before we only look now and then."""


class ImapMailbox:
    """One folder; the connection belongs to one thread, which lives as long as it."""

    def __init__(self, account: Account, login: Login) -> None:
        self._account = account
        self._login = login
        self._session: Session | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._failed_to_listen = 0

    @property
    def name(self) -> str:
        """As it is called in reports."""
        return self._account.name

    @property
    def account(self) -> str:
        """User and folder; the server may move to another name."""
        return f"{self._account.user}/{self._account.folder}"

    async def open(self) -> Folder:
        """Connect, log in, look into the folder; once more with a new token where the kept one is refused."""
        secret = await self._login.secret()
        try:
            return await self._opened(secret)
        except MailboxDenied:
            if not self._login.refused():
                raise
        await self.close()
        return await self._opened(await self._login.secret())

    async def uids(self, *, above: int = 0, since: datetime | None = None) -> tuple[int, ...]:
        """Mails that are there now."""
        return await self._run(Session.uids, above, since)

    async def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Size and time of these."""
        return await self._run(Session.listed, uids) if uids else ()

    async def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """The mails with their bytes."""
        return await self._run(Session.fetch, mails) if mails else ()

    async def wait(self, seconds: float) -> None:
        """Until the server says something, or so much time has passed."""
        if self._failed_to_listen >= DEAF or not (self._session and self._session.can_idle):
            await asyncio.sleep(seconds)
            return await self._run(Session.noop)
        self._failed_to_listen += 1
        await self._run(Session.idle, seconds)
        self._failed_to_listen = 0
        return None

    async def settle(self, uids: Sequence[int], *, again: bool = False) -> None:
        """Mark or move; `again` only moves, since a mail that is in the folder has not been moved yet."""
        if uids and (self._account.move_to or (self._account.seen and not again)):
            await self._run(Session.settle, uids)

    async def close(self) -> None:
        """Hang up; a thread that is still held by the network does so when it is let go."""
        session, thread, self._session, self._thread = self._session, self._thread, None, None
        if session is None or thread is None:
            return
        hung_up = asyncio.wrap_future(thread.submit(session.close))
        thread.shutdown(wait=False)
        await asyncio.wait({hung_up}, timeout=GOODBYE)

    async def _opened(self, secret: Any) -> Folder:
        self._session = Session(self._account)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"imap:{self.name}")
        return await self._run(Session.open, secret)

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        """In the thread; who stops waiting cuts the connection, so that the thread comes free."""
        session, thread = self._session, self._thread
        if session is None or thread is None:
            raise MailboxDown(self.name, "not open")
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, lambda: work(session, *args))
        except asyncio.CancelledError:
            session.interrupt()
            raise
