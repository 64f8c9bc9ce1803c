"""The port `Mailbox` over IMAP: runs the blocking client in a thread per mailbox."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, Final, TypeVar

from integrations.imap.login import Login
from integrations.imap.session import ImapAccount, ImapSession
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import Fetched, Folder, Listed

T = TypeVar("T")

GOODBYE: Final = 5.0
"""Seconds that `close` waits for the logout; after that the thread ends in the background."""
DEAF: Final = 3
"""Failures of IDLE in a row after which the mailbox is polled instead."""


class ImapMailbox:
    """The port `Mailbox`: one folder of one account; each connection has its own thread, which ends with it."""

    def __init__(self, account: ImapAccount, login: Login) -> None:
        self._account = account
        self._login = login
        self._session: ImapSession | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._failed_to_listen = 0

    @property
    def name(self) -> str:
        """The mailbox's name in settings and reports."""
        return self._account.name

    @property
    def account(self) -> str:
        """`user/folder`, without the host, so that it survives a change of the server's name."""
        return f"{self._account.user}/{self._account.folder}"

    async def open(self) -> Folder:
        """Connect, log in, select; retry once with a new token if refused. Raises `MailboxDown`, `MailboxDenied`."""
        secret = await self._login.secret()
        try:
            return await self._opened(secret)
        except MailboxDenied:
            if not self._login.refused():
                raise
        await self.close()
        return await self._opened(await self._login.secret())

    async def uids(self, *, above: int = 0, since: datetime | None = None) -> tuple[int, ...]:
        """Return the UIDs above `above`, ascending; with `since` only of mails from the day before it or later."""
        return await self._run(ImapSession.uids, above, since)

    async def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Return size (bytes) and INTERNALDATE of each of these that still exists."""
        return await self._run(ImapSession.listed, uids) if uids else ()

    async def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """Return the mails with their bytes, by UID; a mail over the limit comes as a stub, a deleted one not at all."""
        return await self._run(ImapSession.fetch, mails) if mails else ()

    async def wait(self, seconds: float) -> None:
        """Return when the server reports anything (IDLE), or after `seconds`."""
        if self._failed_to_listen >= DEAF or not (self._session and self._session.can_idle):
            await asyncio.sleep(seconds)
            return await self._run(ImapSession.noop)
        self._failed_to_listen += 1
        await self._run(ImapSession.idle, seconds)
        self._failed_to_listen = 0
        return None

    async def settle(self, uids: Sequence[int], *, again: bool = False) -> None:
        """Mark as read and move, as the account says; with `again` do nothing if the account only marks."""
        if uids and (self._account.move_to or (self._account.seen and not again)):
            await self._run(ImapSession.settle, uids)

    async def run(self, work: Callable[[ImapSession], T]) -> T:
        """Return what `work` finds over the open connection."""
        return await self._run(work)

    async def reach(self) -> None:
        """Connect without logging in. Raises `MailboxDown`, and `MailboxDenied` for a certificate or a missing STARTTLS."""
        self._begin()
        await self._run(ImapSession.reach)

    async def close(self) -> None:
        """Log out; a thread blocked in the network logs out when its call returns."""
        session, thread, self._session, self._thread = self._session, self._thread, None, None
        if session is None or thread is None:
            return
        hung_up = asyncio.wrap_future(thread.submit(session.close))
        thread.shutdown(wait=False)
        await asyncio.wait({hung_up}, timeout=GOODBYE)

    def _begin(self) -> None:
        self._session = ImapSession(self._account)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"imap:{self.name}")

    async def _opened(self, secret: Any) -> Folder:
        self._begin()
        return await self._run(ImapSession.open, secret)

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        """Run `work` in the thread; a cancelled caller cuts the connection, which frees the thread."""
        session, thread = self._session, self._thread
        if session is None or thread is None:
            raise MailboxDown(self.name, "not open")
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, lambda: work(session, *args))
        except asyncio.CancelledError:
            session.interrupt()
            raise
