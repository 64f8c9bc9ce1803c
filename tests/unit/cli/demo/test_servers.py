"""The servers around a demo."""

import asyncio
from base64 import b64decode
from datetime import UTC, datetime

import httpx2
import pytest
from fastapi import FastAPI, Request

from cli.demo.servers import DemoWebhook, servers
from triage_sandbox.mail.writing import Undelivered
from triage_sandbox.server import Served
from webhooks.signatures import SigningKeys


def test_a_demo_that_goes_on_has_mail() -> None:
    """Its settings send letters to the mailboxes and prove senders; a mail that comes before the service runs is kept by its writer."""
    with servers({}, model="playbook", deployment="cloud", port=0, live=True) as world:
        assert world.live
        page, form = world.live.mailboxes, {"sender": "ida@north.example", "text": "The map is empty."}
        answer = httpx2.post(f"{page}/write", data=form, headers={"Origin": page})

        assert (world.settings.smtp_host, world.settings.authserv_id) == ("127.0.0.1", "mx.harbourline.example")
        secret = world.settings.webhook_secret.get_secret_value()
        assert len(b64decode(secret.removeprefix("whsec_"), validate=True)) == 32, "the commands of docs/mail fit it"
        assert (answer.status_code, "The map is empty." in answer.text) == (502, True)


def test_a_demo_that_ends_has_none() -> None:
    """Without mail its prompts carry no tools of letters."""
    with servers({}, model="playbook", deployment="cloud", port=0, live=False) as world:
        assert (world.live, world.settings.smtp_host) == (None, "")
        assert httpx2.get(world.board).status_code == 200


SECRET = "a secret of at least 24 bytes"
RAW = b"From: ida@north.example\r\n\r\nThe map is empty.\r\n"


def test_a_mail_comes_signed_to_the_webhook() -> None:
    """The service gets the bytes as they are, and the signature holds with its secret alone."""
    got: list[tuple[str, bytes]] = []
    app = FastAPI()

    @app.post("/webhooks/mime", status_code=202)
    async def take(request: Request) -> None:
        body = await request.body()
        got.append((SigningKeys.read((SECRET,), "X").verify("mime", request.headers, body, datetime.now(UTC)), body))

    with Served(app) as service:
        asyncio.run(DemoWebhook(service.url, SECRET).deliver(RAW))
        service_url = service.url

    assert [body for _, body in got] == [RAW]
    with pytest.raises(Undelivered, match="send it again"):
        asyncio.run(DemoWebhook(service_url, SECRET).deliver(RAW))
