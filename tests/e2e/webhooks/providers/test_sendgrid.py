"""SendGrid Inbound Parse with real signatures over real HTTP: the shared cases, and its own quirks."""

import json
import secrets
from base64 import b64encode
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.e2e.webhooks.webhook_case import Call, WebhookCase
from tests.e2e.webhooks.webhook_door import MAIL, Door
from tests.e2e.webhooks.webhook_forms import Fields, kept, multipart, texts
from triage.domain.mail import Trust
from webhooks.providers.sendgrid import SendGrid

SENDGRID_KEY = ec.generate_private_key(ec.SECP256R1())


def public(key: ec.EllipticCurvePrivateKey) -> str:
    """As SendGrid shows it."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return b64encode(key.public_key().public_bytes(serialization.Encoding.DER, form)).decode()


class TestSendGrid(WebhookCase):
    """ECDSA over time and body."""

    provider = SendGrid(public(SENDGRID_KEY))
    oldest = 4 * 86_400
    tries = 3 * 86_400
    refusal = 503
    unsigned = ("x-twilio-email-event-webhook-signature",)

    def signed(self, call: Call, at: datetime, key: ec.EllipticCurvePrivateKey = SENDGRID_KEY) -> Call:
        """With the two headers."""
        stamp = str(int(at.timestamp()))
        signature = key.sign(stamp.encode() + call.body, ec.ECDSA(hashes.SHA256()))
        names = "x-twilio-email-event-webhook-timestamp", "x-twilio-email-event-webhook-signature"
        return Call(call.body, call.headers | dict(zip(names, (stamp, b64encode(signature).decode()), strict=True)))

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """The raw mode."""
        fields: Fields = {"email": mail, "to": "support@example.com", "envelope": "{}"}
        return self.signed(
            multipart(fields), at, SENDGRID_KEY if key == "right" else ec.generate_private_key(ec.SECP256R1())
        )

    async def given(self, door: Door, fields: Fields, **files: tuple[str, str, bytes]) -> Any:
        """The mail that these fields become."""
        answer = await self.send(door, self.signed(multipart(fields, files), door.clock.now()))

        assert answer.status_code == 200
        return await kept(door)

    @pytest.mark.parametrize("sample", ["default_data", "raw_data", "raw_data_with_attachments"])
    async def test_samples(self, door: Door, shared_data: Path, sample: str) -> None:
        """SendGrid's own samples become mails with sender, subject and text."""
        body = (shared_data / f"webhook-payloads/sendgrid/{sample}.txt").read_bytes().replace(b"\n", b"\r\n")
        call = Call(body, {"content-type": "multipart/form-data; boundary=xYzZY"})
        assert (await self.send(door, self.signed(call, door.clock.now()))).status_code == 200
        mail = await kept(door)

        assert mail["From"] == "Example User <test@example.com>"
        assert mail["Subject"].startswith("Inbound Parse Test")
        assert "Hello Twilio SendGrid!" in texts(mail)
        assert ("image/jpeg" in [part.get_content_type() for part in mail.walk()]) == sample.endswith("attachments")

    async def test_charset_of_each_field(self, door: Door) -> None:
        """Each field has the charset that SendGrid names for it, and one that does not exist does no harm."""
        charsets = {"subject": "UTF-8", "text": "iso-8859-2", "html": "x-unknown"}
        fields: Fields = {
            "headers": "From: ada@example.com\nX-Long: one\n two",
            "subject": "Zażółć",
            "text": "Zażółć gęślą".encode("iso-8859-2"),
            "html": b"<p>\xff</p>",
            "charsets": json.dumps(charsets),
        }
        mail = await self.given(door, fields)

        assert "Zażółć gęślą" in texts(mail)
        assert mail["X-Long"] == "one two"
        assert mail["Subject"].startswith("=?utf-8?")

    async def test_attachments(self, door: Door) -> None:
        """Files keep their bytes, their names and what the HTML calls them."""
        about = {"attachment1": {"filename": "plan.pdf", "type": "application/pdf", "content-id": "<p1>"}}
        fields: Fields = {"from": "Ada <ada@example.com>", "text": "see", "attachment-info": json.dumps(about)}
        data = secrets.token_bytes(2_000_000)
        mail = await self.given(door, fields, attachment1=("x", "text/plain", data), attachment2=("b.txt", "", b"b"))
        first, second = mail.get_payload()[1:]

        assert (first.get_filename(), first.get_content_type(), first["Content-ID"]) == (
            "plan.pdf",
            "application/pdf",
            "<p1>",
        )
        assert (first.get_payload(decode=True), second.get_payload(decode=True)) == (data, b"b")
        assert mail["From"] == "Ada <ada@example.com>"

    @pytest.mark.parametrize(
        ("dkim", "spf", "sender", "trust"),
        [
            ("{@example.com : pass}", "fail", "x@else.example", Trust.VERIFIED),
            ("{@else.example : pass}", "softfail", "x@else.example", Trust.WEAK),
            ("none", "pass", "ada@example.com", Trust.VERIFIED),
            ("none", "fail", "ada@example.com", Trust.FAILED),
            ("none", "none", "", Trust.UNVERIFIED),
        ],
    )
    async def test_trust(self, door: Door, dkim: str, spf: str, sender: str, trust: Trust) -> None:
        """SendGrid's own checks, for the domain of the From header."""
        envelope = json.dumps({"from": sender, "to": ["b@example.com"]})
        await self.given(door, {"email": MAIL, "dkim": dkim, "SPF": spf, "envelope": envelope})

        assert trust == (await door.store.archive.report("case-1")).case.verdict

    @pytest.mark.parametrize(
        "call", [multipart({"event": "bounce"}), Call(b"[]", {"content-type": "application/json"})]
    )
    async def test_unreadable(self, door: Door, call: Call) -> None:
        """What is authentic and no mail is acknowledged and kept as it came."""
        assert (await self.send(door, self.signed(call, door.clock.now()))).status_code == 200
        assert (await door.store.archive.report("case-1")).case.source == "webhook:sendgrid:unreadable"
        assert call.body == await door.store.archive.raw("case-1")

    async def test_too_large(self, door: Door) -> None:
        """SendGrid drops a mail on 413 and tells nobody: it is asked to try again, and MAX_MAIL_BYTES can be raised."""
        call = self.signed(multipart({"email": bytes(2 * 8_000_000)}), door.clock.now())
        answer = await self.send(door, call)

        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        assert await self.count(door) == 0
