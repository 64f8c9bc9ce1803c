"""A server on loopback that answers in JSON: what the fake identity and mail providers share."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

Answer = Callable[[str, dict[str, str], str], tuple[int, Any]]
"""Path, form and Authorization of a request → status and JSON."""


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The URL at which requests are answered."""

    class Door(BaseHTTPRequestHandler):
        """Reads forms and writes JSON."""

        def do_GET(self) -> None:
            """Answer without a form."""
            self._say(*answer(self.path, {}, ""))

        def do_POST(self) -> None:
            """Answer a form."""
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            self._say(*answer(self.path, dict(parse_qsl(body)), self.headers.get("authorization", "")))

        def _say(self, status: int, value: Any) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
