"""A webhook from the API to a receiver on loopback, with `triage serve` as a real process in between."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx2
import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from webhooks.signatures import SigningKeys


class Receiver(ThreadingHTTPServer):
    """It refuses the first request and takes the others."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Take)
        self.heard: list[tuple[dict[str, str], bytes]] = []


class Take(BaseHTTPRequestHandler):
    """One request."""

    server: Receiver

    def do_POST(self) -> None:
        """Remember it."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(500 if len(self.server.heard) == 1 else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """It listens in a thread."""
    receiver = Receiver()
    thread = Thread(target=receiver.serve_forever)
    thread.start()
    yield receiver
    receiver.shutdown()
    thread.join()
    receiver.server_close()


def test_an_outcome_arrives(installation: Installation, receiver: Receiver) -> None:
    """The mail's end reaches the receiver signed, again under the same id where it was refused; the API shows both tries."""
    token = installation.json("token", "create", "hooks", "--scope", "admin")["token"]
    with running(installation, "serve", PORT="0", LOG_LEVEL="INFO", WEBHOOK_HOSTS="localhost") as serving:
        headers = {"authorization": f"Bearer {token}"}
        hooks = f"{serving.url}/api/v1/webhooks"
        url = f"http://localhost:{receiver.server_port}/triage"
        made = httpx2.post(hooks, json={"url": url}, headers=headers).json()
        done = installation.json("process", str(MAILS / "01-barcode-cut-off.eml"))
        until(lambda: len(receiver.heard) > 1, serving)
        told = until(
            lambda: [
                one
                for one in httpx2.get(f"{hooks}/1/deliveries", headers=headers).json()
                if one["state"] == "delivered"
            ],
            serving,
        )

    (first, body), (second, again) = receiver.heard
    assert (json.loads(body)["data"]["ticket"], body) == (done[0]["ticket"], again)
    assert first["webhook-id"] == second["webhook-id"] == told[0]["message_id"]
    assert told[0]["attempts"] == 2
    assert SigningKeys.read([made["secret"]], "X")._signed(
        second["webhook-signature"], second["webhook-id"], second["webhook-timestamp"], again
    )
