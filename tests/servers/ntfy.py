"""An HTTP server shaped like ntfy, a push service: it keeps what is published to its topics, or refuses it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Ntfy:
    """What the server has taken so far, oldest first."""

    url: str = ""
    """For NOTIFY_URLS."""
    taken: list[dict[str, Any]] = field(default_factory=list)
    refuses: bool = False

    @property
    def titles(self) -> list[str]:
        """The titles of all messages."""
        return [str(one.get("title")) for one in self.taken]


@contextmanager
def ntfy() -> Iterator[Ntfy]:
    """A running server on loopback."""
    state = Ntfy()

    class Door(BaseHTTPRequestHandler):
        """Takes `POST /` with a JSON body, as ntfy does."""

        def do_POST(self) -> None:
            """Keep the message."""
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if not state.refuses:
                state.taken.append(json.loads(body))
            self.send_response(503 if state.refuses else 200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    state.url = f"ntfy://127.0.0.1:{server.server_port}/triage"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
