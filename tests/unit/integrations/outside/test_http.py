"""The HTTP client of tools from outside, against a real server on loopback."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from integrations.outside.http import LARGEST, BoundedHttp
from triage.domain.errors import OutsideFailed


class Shop(BaseHTTPRequestHandler):
    """Answers by path."""

    def do_POST(self) -> None:
        """Say what came."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._say(200, b'{"path": "%s", "body": %s}' % (self.path.encode(), body))

    def do_GET(self) -> None:
        """A redirect, or far too much."""
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/huge")
            self.end_headers()
        else:
            self._say(200, b"x" * (LARGEST + 1))

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """Where the server listens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


async def test_a_request_and_its_answer(url: str) -> None:
    """Parameters and a JSON body arrive, status and body come back."""
    async with BoundedHttp("search", 30) as http:
        answer = await http.request("POST", f"{url}/find", params={"q": "a b"}, body={"n": 1})

    assert (answer.status, answer.json()) == (200, {"path": "/find?q=a+b", "body": {"n": 1}})


async def test_too_much_is_an_error(url: str) -> None:
    """An answer above the limit is not read to its end, and a redirect is not followed."""
    async with BoundedHttp("search", 30) as http:
        with pytest.raises(OutsideFailed, match="more than 2,097,152 bytes"):
            await http.request("GET", f"{url}/huge")
        away = await http.request("GET", f"{url}/away")

    assert away.status == 302


@pytest.mark.parametrize("wrong", ["http://127.0.0.1:1/", "no address"])
async def test_who_cannot_be_reached_is_an_error_of_ours(wrong: str) -> None:
    """No server and no address are told to the tool as one kind of error."""
    async with BoundedHttp("search", 5) as http:
        with pytest.raises(OutsideFailed):
            await http.request("GET", wrong)
