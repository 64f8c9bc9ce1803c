"""HTTP answers that are too long, or packed, are not taken."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from integrations.outside.bounded_transport import LARGEST, BoundedTransport


class Answers(BaseHTTPRequestHandler):
    """Answers as the path says."""

    def do_GET(self) -> None:
        """Answer packed, long, or short."""
        body = {"/packed": gzip.compress(b"x"), "/long": b"x" * (LARGEST + 1)}.get(self.path, b"short")
        self.send_response(200)
        if self.path == "/packed":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """Address of the server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_long_and_packed_answers_are_not_taken(url: str) -> None:
    """Both are errors, and a short answer comes through."""
    async with httpx2.AsyncClient(transport=BoundedTransport()) as http:
        with pytest.raises(httpx2.ReadError, match="packed"):
            await http.get(f"{url}/packed")
        with pytest.raises(httpx2.ReadError, match="more than"):
            await http.get(f"{url}/long")
        short = (await http.get(f"{url}/short")).text

    assert short == "short"
