"""Each provider of mail, with real signatures over real HTTP: the shared cases, and its own quirks."""

import hashlib
import hmac
import json
import secrets
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from fastapi import FastAPI, Response

from integrations.sandbox.server import Served
from tests.journeys.webhook_case import Call, WebhookCase
from tests.journeys.webhook_door import MAIL, SECRET, Door
from triage.domain.mail import Trust
from webhooks.providers.mailgun import Mailgun
from webhooks.providers.mandrill import TRYOUT, Mandrill
from webhooks.providers.raw_mime import RawMime
from webhooks.providers.sendgrid import SendGrid
from webhooks.providers.ses import AmazonSes
from webhooks.signatures import SigningKeys

Fields = dict[str, bytes | str]


def multipart(fields: Fields, files: dict[str, tuple[str, str, bytes]] | None = None) -> Call:
    """A form of parts."""
    lines = b"".join(
        b'--xYzZY\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode(), value if isinstance(value, bytes) else value.encode())
        for name, value in fields.items()
    )
    lines += b"".join(
        f'--xYzZY\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: {kind}\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, (file, kind, data) in (files or {}).items()
    )
    return Call(lines + b"--xYzZY--\r\n", {"content-type": "multipart/form-data; boundary=xYzZY"})


def urlencoded(fields: Fields) -> Call:
    """A form in one line."""
    return Call(urlencode(fields).encode(), {"content-type": "application/x-www-form-urlencoded"})


async def kept(door: Door, case: str = "case-1") -> Any:
    """The mail of a case."""
    return message_from_bytes(await door.store.raw(case))


def texts(mail: Any) -> str:
    """All text of a mail, decoded."""
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join(part.get_payload(decode=True).decode() for part in parts)


class TestRawMimeCase(WebhookCase):
    """Our own signature."""

    provider = RawMime([SECRET])
    unsigned = ("webhook-signature",)

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """Three headers."""
        secret = SECRET if key == "right" else "whsec_" + b64encode(bytes(32)).decode()
        return Call(mail, SigningKeys.read([secret], "X").sign("delivery-1", at, mail))


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

        assert trust == (await door.store.report("case-1")).case.verdict

    @pytest.mark.parametrize(
        "call", [multipart({"event": "bounce"}), Call(b"[]", {"content-type": "application/json"})]
    )
    async def test_unreadable(self, door: Door, call: Call) -> None:
        """What is authentic and no mail is acknowledged and kept as it came."""
        assert (await self.send(door, self.signed(call, door.clock.now()))).status_code == 200
        assert (await door.store.report("case-1")).case.source == "webhook:sendgrid:unreadable"
        assert call.body == await door.store.raw("case-1")

    async def test_too_large(self, door: Door) -> None:
        """SendGrid drops a mail on 413 and tells nobody: it is asked to try again, and MAX_MAIL_BYTES can be raised."""
        call = self.signed(multipart({"email": bytes(2 * 8_000_000)}), door.clock.now())
        answer = await self.send(door, call)

        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        assert await self.count(door) == 0


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
        assert await door.store.raw("case-1") == MAIL

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
        assert (await door.store.report("case-1")).case.source == "webhook:mailgun:unreadable"

    async def test_too_large(self, door: Door) -> None:
        """The proof stands beside the mail: a mail that is too large leaves a stub, where it comes first."""
        proof = self.fields(door.clock.now())
        call = multipart(proof | {"subject": "holiday photos", "body-mime": bytes(33_000_000)})
        answer = await self.send(door, call)

        assert answer.status_code == 200
        assert (await door.store.report("case-1")).case.source == "webhook:mailgun:oversize"


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
        assert (await door.store.report("case-1")).case.source == "webhook:mandrill:unreadable"

    async def test_odd_events(self, door: Door) -> None:
        """An event without a mail is kept as it is beside the others."""
        events = [{"event": "inbound", "msg": None}, self.event(MAIL, spf={"result": "pass"}, dkim={"valid": 1}), 7]
        answer = await self.send(door, self.signed(events))

        assert answer.json()["cases"] == ["case-1", "case-2"]
        assert json.loads(await door.store.raw("case-1")) == events[0]
        assert (await door.store.report("case-2")).case.verdict == Trust.WEAK


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
        assert raw == await door.store.raw("case-1")

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

        assert trust == (await door.store.report("case-1")).case.verdict

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
        assert (await door.store.report("case-1")).case.source == "webhook:ses:unreadable"

    async def test_set_up(self, door: Door) -> None:
        """The greeting that SES sends when it is set up brings no mail."""
        notice = {"notificationType": "AmazonSnsSubscriptionSucceeded"}
        answer = await self.send(door, self.signed(self.message(notice, door.clock.now())))

        assert answer.json() == {"success": True, "cases": []}
