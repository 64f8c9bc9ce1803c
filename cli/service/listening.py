"""Binds the address of a server that shares its process with others, and serves there until the process stops."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    import uvicorn


def listening_at(host: str, port: int, names: str = "HOST, PORT") -> socket.socket:
    """Return a bound socket. Raises `SettingsInvalid` with these settings if the address is in use or not on this machine."""
    # asyncio disables Nagle's algorithm only if the protocol is given as TCP; else every answer waits 40 ms.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as e:
        listening.close()
        raise SettingsInvalid((f"{names}: cannot listen on {host}:{port} ({e.strerror}); choose another",)) from None
    return listening


async def serve_until(stop: asyncio.Event, config: "uvicorn.Config", listening: socket.socket) -> None:
    """Serve until `stop` is set, then finish open requests; a server that ends by itself ends the waiting, too."""
    server = quiet_server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await serving
    stopping.cancel()


def quiet_server(config: "uvicorn.Config") -> "uvicorn.Server":
    """Return a server without signal handlers, since `stop_event` handles signals for server and worker."""
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> "Iterator[None]":
            yield

    return Quiet(config)
