"""An app in a thread: it answers when start returns, and is gone when stop does."""

import asyncio
import http.client
import re
import socket
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI, Request
from fastapi.sse import EventSourceResponse

from triage_sandbox.server import Served


def app() -> FastAPI:
    """Says hello, drops connections, and never stops talking."""
    made = FastAPI()

    @made.get("/hello")
    async def hello() -> str:
        return "hello"

    @made.get("/drop")
    async def drop(request: Request) -> str:
        request.scope["drop"]()
        await asyncio.sleep(0)
        return "too late"

    @made.get("/talk", response_class=EventSourceResponse)
    async def talk() -> AsyncIterator[int]:
        while True:
            yield 1
            await asyncio.sleep(60)

    return made


def get(served: Served, path: str) -> bytes:
    """One request on one connection."""
    connection = http.client.HTTPConnection(served.host, served.port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()


def test_it_answers_at_once_and_then_no_more() -> None:
    """Inside `with` there is an answer, behind it a closed port and no thread."""
    with Served(app()) as served:
        assert get(served, "/hello") == b'"hello"'
        assert served.url == f"http://127.0.0.1:{served.port}"

    with pytest.raises(ConnectionRefusedError):
        get(served, "/hello")
    assert f"served:{served.port}" not in [thread.name for thread in threading.enumerate()]


async def test_it_stands_beside_a_running_loop() -> None:
    """Inside `async with` the loop that tests it goes on."""
    async with Served(app()) as served:
        assert await asyncio.to_thread(get, served, "/hello") == b'"hello"'


def test_a_port_of_choice() -> None:
    """The port that was asked for, and an error at once where somebody has it."""
    with Served(app()) as served:
        with pytest.raises(OSError, match="in use"):
            Served(app(), port=served.port)
        port = served.port
    with Served(app(), port=port) as again:
        assert again.port == port


def test_a_dropped_connection_is_reset() -> None:
    """The client sees a reset, not an answer and not a clean end."""
    with Served(app()) as served, pytest.raises(ConnectionResetError):
        get(served, "/drop")


def test_an_endless_stream_does_not_hold_it_up() -> None:
    """Stop returns soon although somebody is still listening."""
    with Served(app()) as served:
        listener = socket.create_connection((served.host, served.port))
        listener.sendall(b"GET /talk HTTP/1.1\r\nHost: x\r\n\r\n")
        assert listener.recv(100)
    listener.close()


def test_an_app_that_cannot_start() -> None:
    """Start raises instead of waiting for ever."""

    @asynccontextmanager
    async def broken(made: FastAPI) -> AsyncIterator[None]:
        if made.title:
            raise ValueError("no database")
        yield

    with pytest.raises(RuntimeError, match="did not start"):
        Served(FastAPI(lifespan=broken)).start()


def test_answers_come_without_delay() -> None:
    """Small answers on a kept connection do not wait for acknowledgements: Nagle's algorithm is off."""
    with Served(app()) as served, httpx2.Client(base_url=served.url) as client:
        client.get("/hello")
        (connection,) = served._server.server_state.connections
        here = connection.transport.get_extra_info("socket")

        assert here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_server_that_waits_sleeps() -> None:
    """Where the app tells the time itself nothing wakes it but a request or its end."""
    made = app()
    setattr(made, "tells_time", True)  # noqa: B010 - FastAPI does not know it
    with Served(made) as served:
        before = woken(served._thread)
        time.sleep(0.6)
        after = woken(served._thread)

    assert after - before <= 1  # it may have been about to sleep


def woken(thread: threading.Thread) -> int:
    """How often it has slept."""
    status = Path(f"/proc/self/task/{thread.native_id}/status").read_text(encoding="utf-8")
    return int(re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.MULTILINE)[0])
