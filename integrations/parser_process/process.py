"""One isolated child process as its parent sees it: start, one mail at a time, end."""

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
from triage.domain.visible import visible

# Without `site` a Python starts faster, and `-P` keeps the folder that somebody stands in off the path.
COMMAND: Final = (sys.executable, "-S", "-P", "-m", "integrations.parser_process.child")
START_SECONDS: Final = 10.0
MAX_ANSWER: Final = 64 * 1024 * 1024
"""Bytes: more than the longest text thrice, which is all that an honest child can say."""
LONGEST: Final = 200
"""Characters of what is told of a child that does not start."""
_PATH: Final = os.pathsep.join((str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)))
"""Where this process finds its modules the child finds them too, however they were installed."""


class Broke(Exception):  # noqa: N818 - an event between these modules, nobody's error
    """The child has ended, or had to be ended, over this mail."""


@dataclass(eq=False, slots=True)
class Child:
    """Lives until `end`; after any failure it has ended already."""

    process: "subprocess.Popen[bytes]"
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    mails: int = 0
    """How many it has read."""

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """A child that is ready. Raises `ReaderDown`."""
        try:
            ours, process = _spawned(command)
        except OSError as e:
            raise ReaderDown(f"cannot start: {e.strerror}") from e
        with cast("IO[bytes]", process.stderr) as stderr:
            child = cls(process, *await _streams(ours, process))
            try:
                kind, _ = await child._answer(START_SECONDS)
            except Broke as e:
                raise ReaderDown(": ".join(filter(None, ("not ready", str(e), _last_line(stderr))))) from e
        if kind != READY:
            await child.end()
            raise ReaderDown("not ready: it speaks another language")
        return child

    @property
    def alive(self) -> bool:
        """It has not ended."""
        return self.process.poll() is None

    async def ask(self, way: bytes, raw: bytes, seconds: float) -> tuple[bytes, bytes]:
        """What it says to this mail. Raises `Broke`, and then it has ended; cancelled, it ends, too."""
        self.writer.write(HEAD.pack(way, len(raw)))
        self.writer.write(raw)
        answer = await self._answer(seconds)
        self.mails += 1
        return answer

    async def end(self) -> None:
        """Kill and reap it. The thread reaps even when nobody waits for it any more."""
        self.hang_up()
        self.process.kill()
        await asyncio.to_thread(self.process.wait)

    def hang_up(self) -> None:
        """Close our end: all that is left to do about one that has ended by itself."""
        self.writer.transport.abort()

    async def _answer(self, seconds: float) -> tuple[bytes, bytes]:
        """The next frame, once all is said."""
        sound = False
        try:
            async with asyncio.timeout(seconds):
                await self.writer.drain()
                kind, payload = await self._frame()
            sound = kind != BROKEN
        except TimeoutError as e:
            raise Broke(f"no answer within {seconds:g} s") from e
        except (EOFError, OSError) as e:
            await self.end()
            raise Broke(_death_of(self.process.returncode)) from e
        finally:
            if not sound:
                await self.end()
        if kind == BROKEN:
            raise Broke(payload.decode("utf-8", "replace"))
        return kind, payload

    async def _frame(self) -> tuple[bytes, bytes]:
        kind, size = HEAD.unpack(await self.reader.readexactly(HEAD.size))
        if size > MAX_ANSWER:
            raise Broke(f"an answer of {size} bytes")
        return kind, await self.reader.readexactly(size)


def _spawned(command: Sequence[str]) -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """A process that holds one end of a socket and inherits nothing: no variable, no file, no terminal, no group.

    Its standard error is heard until it is ready; before it gets a mail the child closes it.
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
    """Our end as streams; cancelled on the way to them it leaves nothing behind."""
    try:
        return await asyncio.open_connection(sock=ours)
    except BaseException:
        ours.close()
        process.kill()
        process.wait()
        raise


def _last_line(stderr: IO[bytes]) -> str:
    """The last thing that an ended process said on standard error; empty where it said nothing."""
    os.set_blocking(stderr.fileno(), False)  # a process that it has started may still hold the other end
    said = visible((stderr.read() or b"").decode("utf-8", "replace"))
    return next((line.strip()[:LONGEST] for line in reversed(said.splitlines()) if line.strip()), "")


def _death_of(code: int) -> str:
    """How it ended, in words."""
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
