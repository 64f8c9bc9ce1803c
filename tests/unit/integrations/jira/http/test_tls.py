"""TLS on the way to Jira: whose certificates are trusted, and what is said where it fails."""

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from integrations.jira.http.errors import JiraAnswer
from integrations.jira.http.wire import JiraWire, Login, Lost


class Answering(BaseHTTPRequestHandler):
    """Answers every GET with an empty object."""

    def do_GET(self) -> None:
        """Send it."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 that nobody else has signed, with its key in the same file."""
    file = tmp_path_factory.mktemp("tls") / "own.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", file, "-out", file, "-subj", "/CN=jira", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    return file


@contextmanager
def serving(certificate: Path | None) -> Iterator[str]:
    """Yield the https address of a server that speaks TLS if it has a certificate."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def asked(url: str) -> JiraAnswer | Lost:
    """What comes of one question."""
    wire = JiraWire(url, Login(), 5)
    wire.connect()
    try:
        return wire.exchange("GET", "api/2/serverInfo", None, None)
    finally:
        wire.close()


def test_a_ca_of_ones_own_is_trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SSL_CERT_FILE counts for Jira as it counts for mail and models."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(certificate) as url:
        assert isinstance(asked(url), JiraAnswer)


def test_a_stranger_is_not_trusted(certificate: Path) -> None:
    """The way to trust an own CA is told, and that nothing was sent."""
    with serving(certificate) as url:
        lost = asked(url)

    assert isinstance(lost, Lost)
    assert ("its certificate is not trusted" in lost.detail, "SSL_CERT_FILE" in lost.detail) == (True, True)
    assert not lost.sent


def test_a_port_without_tls_is_told() -> None:
    """https:// to a port that speaks http is named as what it is."""
    with serving(None) as url:
        lost = asked(url)

    assert isinstance(lost, Lost)
    assert "does not begin with TLS" in lost.detail
