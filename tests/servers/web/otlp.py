"""A receiver of OTLP over HTTP on loopback: takes what the official protobuf definitions take, and refuses all else."""

import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf.json_format import Parse, ParseError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Receiver:
    """One that runs."""

    url: str = ""
    status: int = 200
    """What it answers."""
    requests: list[ExportTraceServiceRequest] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @staticmethod
    def id_of(raw: bytes) -> str:
        """An id as it was sent: OTLP writes it in hexadecimal digits, where protobuf's JSON form takes base 64."""
        return b64encode(raw).decode()

    @property
    def spans(self) -> list[Span]:
        """All spans so far."""
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def otlp_receiver() -> Iterator[Receiver]:
    """The receiver, gone afterwards."""
    received = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(received.status if self._taken() else 400)
            self.send_header("content-length", "0")
            self.end_headers()

        def _taken(self) -> bool:
            body, kind = self.rfile.read(int(self.headers["content-length"])), self.headers["content-type"]
            try:
                request = Parse(body, ExportTraceServiceRequest())
            except ParseError as e:
                received.refused.append(str(e))
                return False
            received.requests.append(request)
            received.headers.append({name.lower(): value for name, value in self.headers.items()})
            return self.path == "/v1/traces" and kind == "application/json"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    received.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
