"""TCP proxies on loopback: one does what bad networks do (cut, hang, drip), one changes what a server says."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from tests.servers import free_port


class FaultProxy:
    """Passes bytes on to a port of loopback; its attributes may be set at any time and hold for what comes then."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = free_port()
        self.cut_after: int | None = None
        """Bytes of the server's that a connection passes on before it is reset."""
        self.black_hole = False
        """Take everything, answer nothing, hang nobody up."""
        self.drip: float | None = None
        """Seconds before each single byte."""
        self.connections = 0
        self.passed = 0
        """Bytes of the server's passed on so far."""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    def tried(self, times: int) -> bool:
        """Somebody has connected more often than that."""
        return self.connections > times

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()
        self.hang_up()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hang_up(self) -> None:
        """Reset what is open."""
        for writer in self._writers:
            writer.transport.abort()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """In a task of ours: Python 3.11 logs an error where its own is cancelled."""
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers.add(up_writer)
            asking = asyncio.create_task(self._pass(reader, up_writer, answers=False))
            with contextlib.suppress(OSError):
                await self._pass(up_reader, writer, answers=True)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            up_writer.transport.abort()
            self._writers.discard(up_writer)
        finally:
            writer.transport.abort()
            self._writers.discard(writer)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        passed = 0
        while piece := await reader.read(65536):
            if self.black_hole:
                continue
            if answers and self.cut_after is not None:
                piece = piece[: self.cut_after - passed]
            passed += len(piece)
            await self._write(piece, writer, slowly=answers)
            if answers:
                self.passed += len(piece)
                if self.cut_after is not None and passed >= self.cut_after:
                    return

    async def _write(self, piece: bytes, writer: asyncio.StreamWriter, *, slowly: bool) -> None:
        if self.drip is None or not slowly:
            writer.write(piece)
            return await writer.drain()
        for byte in piece:
            await asyncio.sleep(self.drip)
            writer.write(bytes([byte]))
        return None


class Filter:
    """Passes a connection on and replaces words in what the server says; remembers what the client said."""

    def __init__(
        self,
        target: int,
        words: dict[str, bytes],
        *,
        only_first: bool = False,
        before: Callable[[bytes], Awaitable[None]] | None = None,
    ) -> None:
        self._target = target
        self._words = {word.encode(): other for word, other in words.items()}
        self._only_first = only_first
        self._before = before
        """Done with what the client says before the server hears it."""
        self.heard = bytearray()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)
        words = self._words
        if self._only_first:
            self._words = {}

        async def ask() -> None:
            while piece := await reader.read(65536):
                self.heard.extend(piece)
                if self._before:
                    await self._before(piece)
                up_writer.write(piece)
            up_writer.close()

        asking = asyncio.create_task(ask())
        while piece := await up_reader.read(65536):
            for word, other in words.items():
                piece = piece.replace(word, other)
            writer.write(piece)
        writer.close()
        await asking
