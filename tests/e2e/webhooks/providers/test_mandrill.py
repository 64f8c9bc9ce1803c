"""Mandrill with real signatures over real HTTP: the shared cases, and its own quirks."""

import hmac
import json
from base64 import b64encode
from datetime import datetime
from typing import Any

import httpx2
import pytest

from tests.e2e.webhooks.webhook_case import Call, WebhookCase
from tests.e2e.webhooks.webhook_door import MAIL, Door
from tests.e2e.webhooks.webhook_forms import Fields, kept, urlencoded
from triage.domain.mail import Trust
from webhooks.providers.mandrill import TRYOUT, Mandrill

MANDRILL_KEY = "key-of-mandrill-1234"

MANDRILL_URL = "https://triage.example/webhooks/mandrill"


class TestMandrill(WebhookCase):
    """HMAC over URL and fields; several mails in one request."""

    provider = Mandrill(MANDRILL_KEY, MANDRILL_URL)
    oldest = 0
    tries = 3 * 86_400
    unsigned = ("x-mandrill-signature",)

    def signed(self, events: Any, key: str = MANDRILL_KEY, url: str = MANDRILL_URL, more: Fields | None = None) -> Call:
        """Over everything."""
        text = events if isinstance(events, str) else json.dumps(events)
        fields: Fields = {"mandrill_events": text, **(more or {})}
        said = url.encode() + b"".join(
            name.encode() + (value if isinstance(value, bytes) else value.encode())
            for name, value in sorted(fields.items())
        )
        signature = b64encode(hmac.new(key.encode(), said, "sha1").digest()).decode()
        call = urlencoded(fields)
        return Call(call.body, call.headers | {"x-mandrill-signature": signature})

    def event(self, mail: bytes, **more: Any) -> Any:
        """One mail."""
        return {"event": "inbound", "ts": 1, "msg": {"raw_msg": mail.decode(), "email": "support@example.com"} | more}

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """One mail in a request."""
        return self.signed([self.event(mail)], MANDRILL_KEY if key == "right" else "another-key-than-that")

    async def test_another_url(self, door: Door) -> None:
        """The URL is signed, too, so a request to somebody else is none to us."""
        call = self.signed([self.event(MAIL)], url="https://else.example/webhooks/mandrill")

        assert (await self.send(door, call)).status_code == 401

    async def test_fields_in_any_order(self, door: Door) -> None:
        """All fields are signed, sorted by name."""
        call = self.signed([self.event(MAIL)], more={"zeta": "1", "alpha": "2"})

        assert (await self.send(door, call)).status_code == 200

    async def test_batch(self, door: Door) -> None:
        """Each mail of a request is a case; after trouble the whole request comes again, and none is there twice."""
        mails = [MAIL.replace(b"502", str(number).encode()) for number in range(5)]
        first = await self.send(door, self.signed([self.event(mail) for mail in mails[:3]]))
        again = await self.send(door, self.signed([self.event(mail) for mail in mails]))

        assert first.json()["cases"] == ["case-1", "case-2", "case-3"]
        assert again.json()["cases"][:3] == first.json()["cases"]
        assert await self.count(door) == 5

    async def test_tryout(self, door: Door) -> None:
        """Before there is a key, Mandrill asks with a key that everybody knows: answered where it brings nothing."""
        assert (await self.send(door, self.signed("[]", TRYOUT.decode()))).json() == {"success": True, "cases": []}
        assert (await self.send(door, self.signed([self.event(MAIL)], TRYOUT.decode()))).status_code == 401

    async def test_address_exists(self, door: Door) -> None:
        """It looks with HEAD first; only open doors are there."""
        async with httpx2.AsyncClient(base_url=door.url) as client:
            assert (await client.head("/webhooks/mandrill")).status_code == 200
            assert (await client.head("/webhooks/postmark")).status_code == 404

    async def test_parsed(self, door: Door) -> None:
        """Without the raw mail one is made of the fields."""
        msg = {
            "headers": {"Subject": "Plan", "Received": ["a", "b"], "Message-Id": "<m@example.com>"},
            "from_email": "ada@example.com",
            "from_name": "Ada, B.",
            "text": "Grüße",
            "attachments": {"a.txt": {"name": "a.txt", "type": "text/plain", "content": "ä", "base64": False}},
            "images": {"p1": {"name": "p1", "type": "image/png", "content": b64encode(b"\x89PNG").decode()}},
        }
        assert (await self.send(door, self.signed([{"event": "inbound", "msg": msg}]))).status_code == 200
        mail = await kept(door)

        assert (mail["From"], mail.get_all("Received")) == ('"Ada, B." <ada@example.com>', ["a", "b"])
        assert [part.get_payload(decode=True) for part in mail.get_payload()[1:]] == ["ä".encode(), b"\x89PNG"]

    @pytest.mark.parametrize("events", ["", "{}", "no json", [{"event": "send", "msg": {}}], "[" * 90_000])
    async def test_no_mail(self, door: Door, events: Any) -> None:
        """What is authentic and no mail is kept as it came."""
        assert (await self.send(door, self.signed(events))).status_code == 200
        assert (await door.store.archive.report("case-1")).case.source == "webhook:mandrill:unreadable"

    async def test_odd_events(self, door: Door) -> None:
        """An event without a mail is kept as it is beside the others."""
        events = [{"event": "inbound", "msg": None}, self.event(MAIL, spf={"result": "pass"}, dkim={"valid": 1}), 7]
        answer = await self.send(door, self.signed(events))

        assert answer.json()["cases"] == ["case-1", "case-2"]
        assert json.loads(await door.store.archive.raw("case-1")) == events[0]
        assert (await door.store.archive.report("case-2")).case.verdict == Trust.WEAK
