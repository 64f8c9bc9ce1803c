"""Amazon SES by way of SNS, with real signatures over real HTTP: the shared cases, and its own quirks."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from fastapi import FastAPI, Response

from tests.e2e.webhooks.webhook_case import Call, WebhookCase
from tests.e2e.webhooks.webhook_door import MAIL, Door
from tests.e2e.webhooks.webhook_forms import kept, texts
from triage.domain.mail import Trust
from triage_sandbox.server import Served
from webhooks.providers.ses import AmazonSes

TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail"

CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123abcd.pem"

SNS_KEY = rsa.generate_private_key(65537, 2048)


class Amazon:
    """Serves certificates and confirmations on loopback, and knows who asked for what."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.status = 200
        self.url = ""

    def app(self) -> FastAPI:
        """Its two pages."""
        app = FastAPI()

        @app.get("/{path:path}")
        def page(path: str) -> Response:
            return Response(certificate(), status_code=self.status)

        return app

    def fetch(self, url: str) -> bytes:
        """What the product would fetch there, fetched here."""
        from webhooks.sns import fetched

        self.asked.append(url)
        return fetched(f"{self.url}/{urlsplit(url).path}")


def certificate() -> bytes:
    """One that holds our key."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "sns.amazonaws.com")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(SNS_KEY.public_key())
    builder = builder.serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    return builder.sign(SNS_KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


class TestSes(WebhookCase):
    """RSA over the fields of an SNS message."""

    oldest = 86_400
    tries = 3600
    refusal = 503

    @pytest.fixture(autouse=True)
    def amazon(self) -> Iterator[Amazon]:
        """A new Amazon for each test."""
        amazon = Amazon()
        with Served(amazon.app(), lifespan="off") as served:
            amazon.url = served.url
            self.provider = AmazonSes([TOPIC], amazon.fetch)
            yield amazon

    def signed(self, message: dict[str, Any], key: rsa.RSAPrivateKey = SNS_KEY) -> Call:
        """As SNS signs, in the version that the message names."""
        names = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        said = "".join(f"{name}\n{message[name]}\n" for name in names if name in message).encode()
        digest = hashes.SHA1() if message["SignatureVersion"] == "1" else hashes.SHA256()  # noqa: S303 - as Amazon does
        signature = b64encode(key.sign(said, padding.PKCS1v15(), digest)).decode()
        return Call(json.dumps(message | {"Signature": signature}).encode(), {"content-type": "text/plain"})

    def message(self, notice: Any, at: datetime, **more: str) -> dict[str, Any]:
        """One message."""
        text = notice if isinstance(notice, str) else json.dumps(notice)
        return {
            "Type": "Notification",
            "MessageId": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
            "TopicArn": TOPIC,
            "Subject": "Amazon SES Email Receipt Notification",
            "Message": text,
            "Timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.123Z"),
            "SignatureVersion": "2",
            "SigningCertURL": CERTIFICATE,
        } | more

    def notice(self, mail: bytes, **receipt: Any) -> dict[str, Any]:
        """What SES tells of a mail."""
        action = {"type": "SNS", "encoding": "UTF-8"}
        return {
            "notificationType": "Received",
            "mail": {"source": "ada@example.com", "messageId": "m-1"},
            "receipt": {"action": action} | receipt,
            "content": mail.decode(),
        }

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """The mail as text."""
        other = rsa.generate_private_key(65537, 2048) if key == "wrong" else SNS_KEY
        return self.signed(self.message(self.notice(mail), at), other)

    @pytest.mark.parametrize("version", ["1", "2"])
    async def test_versions(self, door: Door, version: str) -> None:
        """Both versions of the signature are good, with and without a subject; a certificate is fetched once."""
        for number, mail in enumerate((MAIL, MAIL + b"2")):
            message = self.message(self.notice(mail), door.clock.now(), SignatureVersion=version)
            if number:
                del message["Subject"]
            assert (await self.send(door, self.signed(message))).status_code == 200

        assert await self.count(door) == 2

    async def test_one_certificate(self, door: Door, amazon: Amazon) -> None:
        """The certificate is fetched once for many messages."""
        for number in range(5):
            await self.now(door, MAIL + str(number).encode())

        assert amazon.asked == [CERTIFICATE]

    async def test_base64(self, door: Door) -> None:
        """A mail that is no text comes whole in base64."""
        raw = MAIL + bytes(range(256))
        notice = self.notice(MAIL, action={"encoding": "BASE64"}) | {"content": b64encode(raw).decode()}
        assert (await self.send(door, self.signed(self.message(notice, door.clock.now())))).status_code == 200
        assert raw == await door.store.archive.raw("case-1")

    @pytest.mark.parametrize(
        "url",
        [
            "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
            "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem",
            "https://evil.example/SimpleNotificationService-0.pem",
            "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem",
            "https://sns.eu-west-1.amazonaws.com:444/SimpleNotificationService-0.pem",
            "https://bucket.s3.amazonaws.com/SimpleNotificationService-0.pem",
            "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem",
            "https://sns.eu-west-1.amazonaws.com/../SimpleNotificationService-0.pem",
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem?x=1",
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem\n",
            "",
        ],
    )
    async def test_certificates_from_elsewhere(self, door: Door, amazon: Amazon, url: str) -> None:
        """No other address than SNS in the topic's region is ever called."""
        call = self.signed(self.message(self.notice(MAIL), door.clock.now(), SigningCertURL=url))

        assert (await self.send(door, call)).status_code == self.refusal
        assert amazon.asked == []

    async def test_another_topic(self, door: Door, amazon: Amazon) -> None:
        """Amazon signs for everybody; only topics of ours bring mail, and nobody is called for the others."""
        call = self.signed(self.message(self.notice(MAIL), door.clock.now(), TopicArn=TOPIC + "2"))

        assert (await self.send(door, call)).status_code == self.refusal
        assert amazon.asked == []

    async def test_subscription(self, door: Door, amazon: Amazon) -> None:
        """The subscription of a topic of ours is confirmed by the one address in the message."""
        url = f"https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=2336412f"
        message = self.message("You have chosen…", door.clock.now(), Type="SubscriptionConfirmation", SubscribeURL=url)
        del message["Subject"]
        answer = await self.send(door, self.signed(message | {"Token": "2336412f"}))

        assert (answer.status_code, answer.json()["cases"]) == (200, [])
        assert amazon.asked == [CERTIFICATE, url]

    @pytest.mark.parametrize("host", ["evil.example", "sns.us-east-1.amazonaws.com", "169.254.169.254"])
    async def test_subscription_elsewhere(self, door: Door, amazon: Amazon, host: str) -> None:
        """A signed message that leads elsewhere is not followed."""
        message = self.message("x", door.clock.now(), Type="SubscriptionConfirmation", Token="t")
        del message["Subject"]
        call = self.signed(message | {"SubscribeURL": f"https://{host}/?Action=ConfirmSubscription"})

        assert (await self.send(door, call)).status_code == self.refusal
        assert amazon.asked == [CERTIFICATE]

    async def test_amazon_down(self, door: Door, amazon: Amazon) -> None:
        """Who cannot be checked now is asked to come again, and Amazon is not asked for every request."""
        amazon.status = 503
        answers = [await self.now(door) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [503] * 3
        assert len(amazon.asked) == 1
        assert await self.count(door) == 0

    @pytest.mark.parametrize(
        ("receipt", "trust"),
        [
            ({"dmarcVerdict": {"status": "PASS"}}, Trust.VERIFIED),
            ({"dmarcVerdict": {"status": "FAIL"}, "spfVerdict": {"status": "PASS"}}, Trust.FAILED),
            ({"dmarcVerdict": {"status": "GRAY"}, "dkimVerdict": {"status": "PASS"}}, Trust.WEAK),
            ({"spfVerdict": {"status": "PASS"}}, Trust.VERIFIED),
            ({}, Trust.UNVERIFIED),
        ],
    )
    async def test_trust(self, door: Door, receipt: dict[str, Any], trust: Trust) -> None:
        """Amazon's own checks are what counts."""
        await self.send(door, self.signed(self.message(self.notice(MAIL, **receipt), door.clock.now())))

        assert trust == (await door.store.archive.report("case-1")).case.verdict

    async def test_mail_in_s3(self, door: Door, shared_data: Path) -> None:
        """A notice without the mail is a mail that says where it lies."""
        sample = json.loads((shared_data / "webhook-payloads/ses/ses-s3-event.json").read_text())
        notice = sample["Records"][0]["ses"] | {"notificationType": "Received"}
        answer = await self.send(door, self.signed(self.message(notice, door.clock.now())))
        mail = await kept(door)

        assert answer.status_code == 200
        assert notice["receipt"]["action"]["bucketName"] in texts(mail)
        assert mail["Subject"]

    @pytest.mark.parametrize("notice", ["hello", "[]", {"notificationType": "Bounce"}, "null"])
    async def test_no_mail(self, door: Door, notice: Any) -> None:
        """What Amazon has signed and is no mail is kept as it came."""
        assert (await self.send(door, self.signed(self.message(notice, door.clock.now())))).status_code == 200
        assert (await door.store.archive.report("case-1")).case.source == "webhook:ses:unreadable"

    async def test_set_up(self, door: Door) -> None:
        """The greeting that SES sends when it is set up brings no mail."""
        notice = {"notificationType": "AmazonSnsSubscriptionSucceeded"}
        answer = await self.send(door, self.signed(self.message(notice, door.clock.now())))

        assert answer.json() == {"success": True, "cases": []}
