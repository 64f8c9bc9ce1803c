"""Mailgun routes with real signatures over real HTTP: the shared cases, and its own quirks."""

import hashlib
import hmac
import json
import secrets
from datetime import datetime
from typing import Any

from tests.e2e.webhooks.webhook_case import Call, WebhookCase
from tests.e2e.webhooks.webhook_door import MAIL, Door
from tests.e2e.webhooks.webhook_forms import Fields, kept, multipart, texts, urlencoded
from webhooks.providers.mailgun import Mailgun

MAILGUN_KEY = "key-of-mailgun-for-half-a-minute"


class TestMailgun(WebhookCase):
    """HMAC over time and token; the mail is not signed."""

    provider = Mailgun([MAILGUN_KEY])
    oldest = 12 * 3600
    tries = 8 * 3600
    signs_body = False

    def fields(self, at: datetime, key: str = MAILGUN_KEY) -> Fields:
        """The three fields that prove."""
        stamp, token = str(int(at.timestamp())), secrets.token_hex(25)
        signature = hmac.new(key.encode(), (stamp + token).encode(), hashlib.sha256).hexdigest()
        return {"timestamp": stamp, "token": token, "signature": signature}

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """The raw mode."""
        proof = self.fields(at, MAILGUN_KEY if key == "right" else "another-key-of-the-same-length-32")
        return urlencoded(proof | {"recipient": "support@example.com", "body-mime": mail})

    async def test_token_is_used_up(self, door: Door) -> None:
        """Who has seen a token on its way can bring no mail of his own with it."""
        proof = self.fields(door.clock.now())
        assert (await self.send(door, urlencoded(proof | {"body-mime": MAIL}))).status_code == 200
        forged = await self.send(door, urlencoded(proof | {"body-mime": b"From: evil@example.com\r\n\r\n"}))

        assert (forged.status_code, forged.headers["www-authenticate"]) == (401, 'Webhook realm="webhook:mailgun"')
        assert await self.count(door) == 1

    async def test_tokens_are_forgotten(self, door: Door) -> None:
        """Used tokens are kept for fourteen days, then they make room."""
        await self.now(door)
        await door.clock.sleep(13 * 86_400)
        await self.now(door, MAIL + b"2")
        await door.clock.sleep(2 * 86_400)
        await self.now(door, MAIL + b"3")

        def tokens(connection: Any) -> int:
            return int(connection.exec_driver_sql("SELECT count(*) FROM webhook_seen").scalar())

        assert await door.store._database.read(tokens) == 2

    async def test_multipart(self, door: Door) -> None:
        """With attachments the form has parts."""
        call = multipart(self.fields(door.clock.now()) | {"body-mime": MAIL})

        assert (await self.send(door, call)).status_code == 200
        assert await door.store.archive.raw("case-1") == MAIL

    async def test_the_address_for_raw_mail(self, door: Door) -> None:
        """Mailgun posts the raw mail only to an address that ends in `mime`, so that one is the same door."""
        call = urlencoded(self.fields(door.clock.now()) | {"body-mime": MAIL})
        answer = await door.post("/webhooks/mailgun/mime", call.body, headers=call.headers)

        assert answer.status_code == 200
        assert await door.store.archive.raw("case-1") == MAIL
        assert (await door.post("/webhooks/mailgun/other", call.body, headers=call.headers)).status_code == 404

    async def test_parsed(self, door: Door) -> None:
        """Without the raw mail one is made of the fields, with all headers, text, HTML and files."""
        headers = [["From", "Ada <ada@example.com>"], ["Subject", "Plan"], ["Received", "a"], ["Received", "b"]]
        more: Fields = {
            "message-headers": json.dumps(headers),
            "recipient": "support@example.com",
            "body-plain": "Grüße",
            "body-html": "<p>Grüße</p>",
            "content-id-map": json.dumps({"<p1>": "attachment-1"}),
        }
        call = multipart(self.fields(door.clock.now()) | more, {"attachment-1": ("plan.png", "image/png", b"\x89PNG")})
        assert (await self.send(door, call)).status_code == 200
        mail = await kept(door)

        assert (mail["Subject"], mail.get_all("Received"), mail["Delivered-To"]) == (
            "Plan",
            ["a", "b"],
            "support@example.com",
        )
        assert "Grüße\n<p>Grüße</p>" in texts(mail)
        assert [(p["Content-ID"], p.get_filename()) for p in mail.walk() if p["Content-ID"]] == [("<p1>", "plan.png")]

    async def test_no_mail(self, door: Door) -> None:
        """What is authentic and no mail is kept; Mailgun never hears 406, on which it would stop trying."""
        call = urlencoded(self.fields(door.clock.now()) | {"event": "opened"})

        assert (await self.send(door, call)).status_code == 200
        assert (await door.store.archive.report("case-1")).case.source == "webhook:mailgun:unreadable"

    async def test_too_large(self, door: Door) -> None:
        """The proof stands beside the mail: a mail that is too large leaves a stub, where it comes first."""
        proof = self.fields(door.clock.now())
        call = multipart(proof | {"subject": "holiday photos", "body-mime": bytes(33_000_000)})
        answer = await self.send(door, call)

        assert answer.status_code == 200
        assert (await door.store.archive.report("case-1")).case.source == "webhook:mailgun:oversize"
