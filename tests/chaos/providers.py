"""Three mail providers as they call us: each with its form and its signature, and its way of trying again."""

import hashlib
import hmac
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

import httpx2
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.chaos.mails import Mail
from webhooks.signatures import SigningKeys

TO: Final = "support@example.com"


@dataclass(frozen=True, slots=True)
class Call:
    """A signed request."""

    body: bytes = field(repr=False)
    headers: dict[str, str]


class Caller(Protocol):
    """A provider."""

    name: str

    @property
    def settings(self) -> dict[str, str]:
        """What opens our door to it."""

    def call(self, mail: Mail, before: Call | None) -> Call:
        """The mail in a request; `before` is the one that was not acknowledged."""


@dataclass
class MailServer:
    """Raw MIME from a pipe: the same id each time, signed anew each time."""

    name: str = "mime"
    secret: str = field(default_factory=lambda: f"whsec_{b64encode(secrets.token_bytes(32)).decode()}")

    @property
    def settings(self) -> dict[str, str]:
        """Its key."""
        return {"WEBHOOK_SECRET": self.secret}

    def call(self, mail: Mail, before: Call | None) -> Call:
        """Three headers."""
        signed = SigningKeys.read([self.secret], "X").sign(mail.digest, datetime.now(UTC), mail.raw)
        return Call(mail.raw, signed)


@dataclass
class Mailgun:
    """Signs a token, once: what it sends again is the same to the last byte."""

    name: str = "mailgun"
    key: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def settings(self) -> dict[str, str]:
        """Its key."""
        return {"MAILGUN_SIGNING_KEY": self.key}

    def call(self, mail: Mail, before: Call | None) -> Call:
        """The raw mode."""
        if before is not None:
            return before
        stamp, token = str(int(datetime.now(UTC).timestamp())), secrets.token_hex(25)
        signature = hmac.new(self.key.encode(), (stamp + token).encode(), hashlib.sha256).hexdigest()
        fields = {"timestamp": stamp, "token": token, "signature": signature, "recipient": TO}
        return _form(fields, "body-mime", mail)


@dataclass
class SendGrid:
    """Signs time and body with a private key, anew each time."""

    name: str = "sendgrid"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def settings(self) -> dict[str, str]:
        """Its public key, as its pages show it."""
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        public = self.key.public_key().public_bytes(serialization.Encoding.DER, form)
        return {"SENDGRID_PUBLIC_KEY": b64encode(public).decode()}

    def call(self, mail: Mail, before: Call | None) -> Call:
        """The raw mode."""
        call = _form({"to": TO, "envelope": "{}", "SPF": "none", "dkim": "none"}, "email", mail)
        stamp = str(int(datetime.now(UTC).timestamp()))
        signature = b64encode(self.key.sign(stamp.encode() + call.body, ec.ECDSA(hashes.SHA256()))).decode()
        prefix = "x-twilio-email-event-webhook"
        return Call(call.body, call.headers | {f"{prefix}-timestamp": stamp, f"{prefix}-signature": signature})


def callers() -> tuple[Caller, ...]:
    """All three, with keys of their own."""
    return MailServer(), Mailgun(), SendGrid()


def _form(fields: dict[str, str], name: str, mail: Mail) -> Call:
    """A form of parts, the mail one of them, as its bytes are."""
    request = httpx2.Request("POST", "http://door.example", data=fields, files={name: (None, mail.raw)})
    return Call(request.read(), {"content-type": request.headers["content-type"]})
