"""Runs any ASGI app on loopback in its own thread, for demos and tests."""

import asyncio
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, cast

import uvicorn
from uvicorn._types import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope

_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER with zero seconds: closing sends RST instead of a polite FIN."""

_GRACE = 0.1
"""Seconds that running answers get when the server goes down."""


class Served:
    """An app that answers at `url` between start and stop, or inside `with` and `async with`.

    Apps find a callable at `scope["drop"]` that resets the connection: how a server dies in the middle of an answer.
    An app with a true `tells_time` says itself what time it is, in the header `Date`.
    """

    def __init__(self, app: Any, *, host: str = "127.0.0.1", port: int = 0, **config: Any) -> None:
        self.app = app
        self._socket = _listening(host, port)
        self.host, self.port = self._socket.getsockname()[:2]
        settings: dict[str, Any] = {"log_config": None, "access_log": False, "timeout_graceful_shutdown": 5} | config
        settings.setdefault("date_header", not getattr(app, "tells_time", False))
        self._server = _Server(uvicorn.Config(_droppable(app), **settings))
        self._thread = threading.Thread(target=self._run, name=f"served:{self.port}", daemon=True)

    @property
    def url(self) -> str:
        """The base URL, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._server.config.is_ssl else 'http'}://{host}:{self.port}"

    def start(self) -> Self:
        """Start the server; return when it answers. Raises `RuntimeError` if the app fails to start."""
        self._thread.start()
        self._server.settled.wait()
        if not self._server.started:
            self.stop()
            raise RuntimeError(f"the app at {self.url} did not start")
        return self

    def stop(self) -> None:
        """Stop the server; return when its thread has ended. Responses in progress are cut."""
        self._server.end()
        if self._thread.ident is not None:
            self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        try:
            # uvicorn exits where the app's own start fails; start() says so to the one who waits.
            with suppress(SystemExit):
                asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            self._server.settled.set()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.start)

    async def __aexit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)


class _Server(uvicorn.Server):
    """Says when it has come up, or will not; sleeps until it is asked or ended."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.settled = threading.Event()
        self._ended = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.settled.set()

    async def main_loop(self) -> None:
        # uvicorn looks ten times a second whether it shall end: a run of tests has a dozen servers that wait.
        second = 1.0 if self.config.date_header else None
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), second)

    def end(self) -> None:
        """End the server, from any thread."""
        self.should_exit = True
        with suppress(RuntimeError):  # it has ended by itself
            if self._loop:
                self._loop.call_soon_threadsafe(self._ended.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # An event stream never ends by itself; uvicorn would wait for it, then cancel it with a loud error.
        for connection in self.server_state.connections:
            transport = connection.transport
            # Closing TLS politely waits half a minute for a client that has nothing more to say.
            end = transport.abort if transport.get_extra_info("sslcontext") else transport.close
            asyncio.get_running_loop().call_later(_GRACE, end)
        await super().shutdown(sockets)


def _listening(host: str, port: int) -> socket.socket:
    """A bound socket: nobody can take a free port between choosing and using it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on and every answer waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


def _droppable(app: ASGI3Application) -> ASGI3Application:
    """The app, with `scope["drop"]`: the outermost `send` is a method of the connection that uvicorn serves."""

    async def outermost(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        cycle = getattr(send, "__self__", None)
        if scope["type"] == "http" and cycle is not None:
            cast("dict[str, Any]", scope)["drop"] = _dropping(cycle.transport)
        await app(scope, receive, send)

    return outermost


def _dropping(transport: asyncio.Transport) -> Callable[[], None]:
    def drop() -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        transport.abort()

    return drop
