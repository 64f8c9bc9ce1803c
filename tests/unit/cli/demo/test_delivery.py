"""What is written on the page of mailboxes, on its way to the service."""

import asyncio
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI, Request

from cli.demo.delivery import DemoWebhook
from triage_sandbox.mail.writing import Undelivered
from triage_sandbox.server import Served
from webhooks.signatures import SigningKeys

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
