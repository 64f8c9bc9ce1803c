"""The port `MailReader` by isolated child processes.

A mail that ends its child is read again briefly, in a fresh process; if that ends too, the mail is unreadable.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from loguru import logger
from pydantic import TypeAdapter, ValidationError

from integrations.parser_process.process import COMMAND, Child, ChildDied
from integrations.parser_process.wire import BRIEF, FILES, NO_MAIL, VIEW, WHOLE, decode_files, look, wish
from triage.domain.errors import MailUnreadable, NotAMail, ReaderDown
from triage.domain.mail import MailView, Message

SECONDS: Final = 10.0
"""Wall time for one request."""
MAILS: Final = 500
"""Mails after which a child is replaced, so that its memory does not grow without bound."""
LARGE: Final = 2_000_000
"""Bytes of a mail above which its child is not kept: Python returns little of that memory to the system."""
PAUSES: Final = (0.1, 0.5, 2.0)
"""Seconds between tries to start a child; after these `ReaderDown` leaves the retry to the queue."""

_Answer = TypeVar("_Answer")
_MESSAGE: Final = TypeAdapter(Message)
_VIEW: Final = TypeAdapter(MailView)


class IsolatedMailReader:
    """The ports `MailReader` and `MailViewer`: a pool of children, started on demand; each reads one mail at a time."""

    def __init__(self, children: int = 1, *, command: Sequence[str] = COMMAND, seconds: float = SECONDS) -> None:
        self._command, self._seconds = tuple(command), seconds
        self._places = asyncio.Semaphore(children)
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._warming: asyncio.Task[None] | None = None
        self._awaited = False
        """A mail already waits for the child that is being started."""
        self._closed = False

    def warm(self) -> None:
        """Start the first child in the background, so that the first mail need not wait for it."""
        self._warming = asyncio.create_task(self._warm())

    async def ready(self) -> str:
        """Why no child can be started now; empty if one is idle."""
        async with self._places:
            try:
                self._idle.append(self._kept() or await Child.start(self._command))
            except ReaderDown as e:
                return e.detail
        return ""

    async def read(self, raw: bytes) -> Message:
        """Parse a mail. Raises `NotAMail`, `MailUnreadable` and, if no child can be started, `ReaderDown`."""
        why = ""
        async with self._places:
            for way in (WHOLE, BRIEF):
                try:
                    return await self._asked(way, raw, _understood)
                except ChildDied as e:
                    why = str(e)
                    logger.warning("reader.broke", why=why, size=len(raw), brief=way == BRIEF)
        raise MailUnreadable(why)

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        async with self._places:
            try:
                return await self._asked(FILES, wish(wanted, raw), _unpacked)
            except ChildDied as e:
                raise MailUnreadable(str(e)) from e

    async def view(self, raw: bytes, labels: Mapping[str, str], *, plain: bool = False) -> MailView:
        """The mail as a person reads it in a browser, with labels on words. Raises as `read` does."""
        async with self._places:
            try:
                return await self._asked(VIEW, look(labels, raw, plain=plain), _viewed)
            except ChildDied as e:
                raise MailUnreadable(str(e)) from e

    async def close(self) -> None:
        """End all children; no new ones start afterwards."""
        self._closed = True
        if self._warming:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await asyncio.gather(*(child.end() for child in (*self._idle, *self._busy)))
        self._idle.clear()

    async def _warm(self) -> None:
        async with self._places:
            with suppress(ReaderDown):  # the first mail tries again, and raises it
                self._idle.append(await self._started())

    async def _asked(self, way: bytes, raw: bytes, understand: Callable[[bytes], _Answer]) -> _Answer:
        """A child's answer, decoded. Raises `NotAMail`, and `ChildDied`, after which the child has ended."""
        child = self._kept() or await self._warmed() or await self._started()
        self._busy.add(child)
        keep = False
        try:
            kind, payload = await child.ask(way, raw, self._seconds)
            answer = None if kind == NO_MAIL else understand(payload)
            keep = not self._closed and child.mails < MAILS and len(raw) <= LARGE
        finally:
            self._busy.discard(child)
            if keep:
                self._idle.append(child)
            else:
                await child.end()
        if answer is None:
            raise NotAMail(payload.decode("utf-8", "replace")[:200])
        return answer

    async def _warmed(self) -> Child | None:
        """The child that `warm` is starting, for the first mail that comes meanwhile; None for others."""
        if self._warming is None or self._warming.done() or self._awaited:
            return None
        self._awaited = True
        await asyncio.wait([self._warming])
        return self._kept()

    def _kept(self) -> Child | None:
        """The child used last, so that the others can be swapped out; dead children are dropped."""
        while self._idle:
            child = self._idle.pop()
            if child.alive:
                return child
            child.hang_up()
        return None

    async def _started(self) -> Child:
        """Start a child, with retries; only the first failure is logged. Raises `ReaderDown`."""
        for number, pause in enumerate(PAUSES):
            if self._closed:
                raise ReaderDown("closed")
            try:
                return await Child.start(self._command)
            except ReaderDown as e:
                if not number:
                    logger.error("reader.down", why=e.detail)
            await asyncio.sleep(pause)
        return await Child.start(self._command)


def _understood(payload: bytes) -> Message:
    """Decode a message. Raises `ChildDied` for an invalid one: a child may be under the mail's control."""
    try:
        return _MESSAGE.validate_json(payload)
    except ValidationError as e:
        raise ChildDied("an answer that is no message") from e


def _viewed(payload: bytes) -> MailView:
    """Decode a view. Raises `ChildDied`. Its markup is believed by nobody: browsers get it in a sandbox."""
    try:
        return _VIEW.validate_json(payload)
    except ValidationError as e:
        raise ChildDied("an answer that is no view") from e


def _unpacked(payload: bytes) -> dict[str, bytes]:
    """Decode files by SHA-256, with their hashes checked. Raises `ChildDied`."""
    try:
        contents = decode_files(payload)
    except (ValueError, TypeError) as e:
        raise ChildDied("an answer that holds no files") from e
    if any(hashlib.sha256(content).hexdigest() != name for name, content in contents.items()):
        raise ChildDied("a file that is not what it is called")
    return contents
