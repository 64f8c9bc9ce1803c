"""Receives the browser after a sign-in: at a port of this machine (RFC 8252, 7.3), or by the address that a person pastes."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, TextIO
from urllib.parse import parse_qs, urlsplit

from triage.domain.mailboxes import Landed
from triage.domain.operations.errors import GrantRefused

SECONDS: Final = 600.0
"""Time for a person to sign in."""
LINE: Final = 8192
"""Bytes of the request's first line."""
ONE: Final = 10.0
"""Seconds for a browser to send it."""
PAGE: Final = "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n{text}"
DONE: Final = "Triage has heard it. Close this window and look at the terminal."


class LoopbackLanding:
    """Waits for the browser of this machine."""

    def __init__(self, redirect: str, heard: "asyncio.Future[Landed]", seconds: float = SECONDS) -> None:
        self.redirect = redirect
        self._heard = heard
        self._seconds = seconds

    async def landed(self) -> Landed:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._heard
        except TimeoutError:
            raise GrantRefused("nobody came back from the browser, and no address was pasted: start again") from None


@asynccontextmanager
async def listening(
    host: str, port: int = 0, seconds: float = SECONDS, typed: TextIO | None = None
) -> AsyncIterator[LoopbackLanding]:
    """Listen on 127.0.0.1 and to what is typed; `host` is how the provider knows it (127.0.0.1 or localhost), port 0 any free one."""
    heard: asyncio.Future[Landed] = asyncio.get_running_loop().create_future()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(ONE):
                line = (await reader.readline()).decode(errors="replace")
            landed = landed_at(line.split(" ")[1]) if line.startswith("GET ") else Landed()
            found = bool(landed.state)  # a browser also asks for an icon
            text = DONE if found else "There is nothing here."
            response = PAGE.format(status="200 OK" if found else "404 Not Found", size=len(text), text=text)
            writer.write(response.encode())
            await writer.drain()
            if found and not heard.done():
                heard.set_result(landed)
        except (OSError, TimeoutError, ValueError, IndexError):
            pass  # whoever that was, the browser comes again
        finally:
            writer.close()

    try:
        server = await asyncio.start_server(answer, "127.0.0.1", port, limit=LINE)
    except OSError as e:
        raise GrantRefused(f"cannot listen on port {port} of this machine: {e.strerror}; choose another --port") from e
    async with server:
        with _reading(typed, heard):
            yield LoopbackLanding(f"http://{host}:{server.sockets[0].getsockname()[1]}", heard, seconds)


@contextmanager
def _reading(typed: TextIO | None, heard: "asyncio.Future[Landed]") -> Iterator[None]:
    """Hear an address that is pasted; where nobody can type, a file or nothing at all, do without."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        text = os.read(handle, LINE)  # past the buffer of `typed`, in which a line could wait unseen
        if not text:
            loop.remove_reader(handle)
        for landed in map(landed_at, text.decode(errors="replace").splitlines()):
            if landed.state and not heard.done():
                heard.set_result(landed)

    try:
        handle = typed.fileno() if typed else -1
        loop.add_reader(handle, read)
    except (OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_reader(handle)


def landed_at(address: str) -> Landed:
    """Return what stands in the query of an address."""
    try:
        query = parse_qs(urlsplit(address.strip()).query)
    except ValueError:
        return Landed()
    state, code, error = (query.get(name, [""])[0] for name in ("state", "code", "error"))
    return Landed(state=state, code=code, error=error[:100])
