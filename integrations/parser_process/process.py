"""The parent's side of one isolated child process: start it, ask about one mail at a time, end it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self, cast

from integrations.parser_process.wire import BROKEN, HEAD, READY
from triage.domain.errors import ReaderDown
from triage.domain.text.visible import visible

# `-S` skips `site`, so Python starts faster; `-P` keeps the current folder off the import path.
COMMAND: Final = (sys.executable, "-S", "-P", "-m", "integrations.parser_process.child")
START_SECONDS: Final = 60.0
"""A busy machine takes many times as long as the quarter of a second that a start costs."""
MAX_ANSWER: Final = 64 * 1024 * 1024
"""Bytes; an honest answer is at most three times the longest text, which is less."""
LONGEST: Final = 200
"""Characters of the error of a child that does not start."""
_PATH: Final = os.pathsep.join((str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)))
"""This process's import path, so that the child finds the same modules however they were installed."""


class ChildDied(Exception):  # noqa: N818 - a signal between these modules, never shown as an error
    """The child has ended, or had to be ended, over this mail."""


@dataclass(eq=False, slots=True)
class Child:
    """A running child, until `end`; after any failure it has ended already."""

    process: "subprocess.Popen[bytes]"
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    mails: int = 0
    """Number of mails it has answered about."""

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Start a child and wait until it is ready. Raises `ReaderDown`."""
        try:
            ours, process = _spawned(command)
        except OSError as e:
            raise ReaderDown(f"cannot start: {e.strerror}") from e
        with cast("IO[bytes]", process.stderr) as stderr:
            child = cls(process, *await _streams(ours, process))
            try:
                kind, _ = await child._answer(START_SECONDS)
            except ChildDied as e:
                raise ReaderDown(": ".join(filter(None, ("not ready", str(e), _last_line(stderr))))) from e
        if kind != READY:
            await child.end()
            raise ReaderDown("not ready: it speaks another language")
        return child

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    async def ask(self, way: bytes, raw: bytes, seconds: float) -> tuple[bytes, bytes]:
        """Send a mail with a kind of request; return kind and payload of the answer within so many seconds.

        Raises `ChildDied`, after which the child has ended; a cancelled call ends it, too.
        """
        self.writer.write(HEAD.pack(way, len(raw)))
        self.writer.write(raw)
        answer = await self._answer(seconds)
        self.mails += 1
        return answer

    async def end(self) -> None:
        """Kill and reap it. The thread reaps it even if this call is cancelled."""
        self.hang_up()
        self.process.kill()
        await asyncio.to_thread(self.process.wait)

    def hang_up(self) -> None:
        """Close our end of the socket; enough for a child that has ended by itself."""
        self.writer.transport.abort()

    async def _answer(self, seconds: float) -> tuple[bytes, bytes]:
        """The next frame, after everything is sent."""
        sound = False
        try:
            async with asyncio.timeout(seconds):
                await self.writer.drain()
                kind, payload = await self._frame()
            sound = kind != BROKEN
        except TimeoutError as e:
            raise ChildDied(f"no answer within {seconds:g} s") from e
        except (EOFError, OSError) as e:
            await self.end()
            raise ChildDied(_death_of(self.process.returncode)) from e
        finally:
            if not sound:
                await self.end()
        if kind == BROKEN:
            raise ChildDied(payload.decode("utf-8", "replace"))
        return kind, payload

    async def _frame(self) -> tuple[bytes, bytes]:
        kind, size = HEAD.unpack(await self.reader.readexactly(HEAD.size))
        if size > MAX_ANSWER:
            raise ChildDied(f"an answer of {size} bytes")
        return kind, await self.reader.readexactly(size)


def _spawned(command: Sequence[str]) -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """Start a process with one end of a socket, without our variables, files, terminal or process group.

    Its standard error is read until it is ready; the child closes it before it gets a mail.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own words
                command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.PIPE,
                cwd="/",
                env={"PATH": os.defpath, "PYTHONPATH": _PATH, "LANG": "C.UTF-8"},
                start_new_session=True,
            )
        except OSError:
            ours.close()
            raise
    return ours, process


async def _streams(
    ours: socket.socket, process: "subprocess.Popen[bytes]"
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Our end as streams; on cancel the socket is closed and the process killed."""
    try:
        return await asyncio.open_connection(sock=ours)
    except BaseException:
        ours.close()
        process.kill()
        process.wait()
        raise


def _last_line(stderr: IO[bytes]) -> str:
    """The last line that an ended process wrote to standard error, empty if none."""
    os.set_blocking(stderr.fileno(), False)  # a grandchild may still hold the other end open
    text = visible((stderr.read() or b"").decode("utf-8", "replace"))
    return next((line.strip()[:LONGEST] for line in reversed(text.splitlines()) if line.strip()), "")


def _death_of(code: int) -> str:
    """How the process ended, in words."""
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
