"""SendGrid Inbound Parse: a form with the raw mail or its fields, signed with SendGrid's private key."""

import binascii
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from triage.config.settings import Settings
from triage.domain.errors import BadSignature, NotAMail, SettingsInvalid
from triage.domain.mail import Trust
from triage.policy.sender.trust import Check, Findings, sender_of, trust_of
from webhooks.forms import FormPart, PostedForm, names_beside, text_of
from webhooks.providers.base import InboundDelivery, Request
from webhooks.rebuilt_mail import Fields, MailPiece, mail_of

OLDEST: Final = 4 * 86_400
"""Seconds. SendGrid retries for three days and does not document whether it signs anew, so a shorter time could lose
mails. A replay does no harm: the signature covers the body, and the same body is the same case (decision 010)."""
AHEAD: Final = 300

_STAMP: Final = re.compile(r"[0-9]{1,12}")
_SIGNER: Final = re.compile(r"@([A-Za-z0-9.-]+)\s*:\s*(\w+)")
_UNFOLD: Final = re.compile(r"\r?\n[ \t]+")
_CURE: Final = "SENDGRID_PUBLIC_KEY: no P-256 public key in base64; copy it from the security policy of Inbound Parse"


class SendGrid:
    """SendGrid inbound mail; "POST the raw, full MIME message" makes SendGrid post the raw mail."""

    name: ClassVar[str] = "sendgrid"
    needs: ClassVar[tuple[str, ...]] = ("SENDGRID_PUBLIC_KEY",)
    max_expansion: ClassVar[float] = 1.5
    """The mail, and the fields that SendGrid extracts from it."""
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = True

    def __init__(self, public_key: str) -> None:
        self._key = _key(public_key)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Read the public key from the settings; None without one."""
        return cls(settings.sendgrid_public_key) if settings.sendgrid_public_key else None

    def verify(self, request: Request) -> None:
        """Check the ECDSA P-256 signature of time and body, and the age. Raises `BadSignature`."""
        stamp = request.headers.get("x-twilio-email-event-webhook-timestamp", "")
        digest = sha256(stamp.encode())
        digest.update(request.body)
        try:
            signature = b64decode(request.headers.get("x-twilio-email-event-webhook-signature", ""), validate=True)
            self._key.verify(signature, digest.digest(), ECDSA(Prehashed(SHA256())))
        except (binascii.Error, ValueError, InvalidSignature):
            raise BadSignature(self.name, "not signed by SendGrid; switch the security policy on there") from None
        if not _STAMP.fullmatch(stamp):
            raise BadSignature(self.name, "the timestamp is no number of seconds")
        if not -AHEAD <= (age := int(request.at.timestamp()) - int(stamp)) <= OLDEST:
            raise BadSignature(self.name, f"the timestamp is {age} s old; a replay, or check the clock")

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return the raw mail, else one rebuilt from the fields; the id is a hash. Raises `NotAMail`."""
        form = PostedForm.read(request.headers, request.body)
        if not (form.has("email") or form.has("headers") or form.has("from")):
            raise NotAMail("a form, but not of Inbound Parse; this URL belongs under Inbound Parse")
        raw = form.bytes("email") or mail_of(_fields(form))
        name = sha256(form.bytes("envelope") + b"\0" + raw).hexdigest()
        return [InboundDelivery(id=name, raw=raw, verdict=_trust(form, raw))]


def _key(public_key: str) -> EllipticCurvePublicKey:
    try:
        key = load_der_public_key(b64decode("".join(public_key.split()), validate=True))
    except (binascii.Error, ValueError, UnsupportedAlgorithm):
        raise SettingsInvalid((_CURE,)) from None
    if not isinstance(key, EllipticCurvePublicKey) or not isinstance(key.curve, SECP256R1):
        raise SettingsInvalid((_CURE,))
    return key


def _trust(form: PostedForm, raw: bytes) -> Trust:
    """Judge the sender by SPF (envelope sender) and DKIM (listed domains), both form fields outside the mail."""
    envelope = _json(form.bytes("envelope"))
    return trust_of(
        Findings(
            sender=sender_of(raw),
            spf=Check.of(form.text("SPF")),
            spf_domain=str(envelope.get("from", "")).rpartition("@")[2],
            dkim_domains={domain: Check.of(word) for domain, word in _SIGNER.findall(form.text("dkim"))},
        )
    )


def _fields(form: PostedForm) -> Fields:
    """Return the mail's fields; SendGrid leaves each in its original charset and names that in `charsets`."""
    charsets = _json(form.bytes("charsets"))

    def text(name: str) -> str:
        return form.text(name, str(charsets.get(name, "utf-8")))

    lines = (line.partition(":") for line in _UNFOLD.sub(" ", text("headers")).splitlines())
    headers = [(name.strip(), value.strip()) for name, colon, value in lines if colon]
    about = _json(form.bytes("attachment-info"))
    return Fields(
        headers=headers + [(name, text(name.lower())) for name in names_beside(headers, form)],
        words=[("Subject", text("subject"))],
        text=text("text"),
        html=text("html"),
        pieces=[_piece(part, about.get(part.name)) for part in form.files],
    )


def _piece(part: FormPart, about: Any) -> MailPiece:
    known: Mapping[str, Any] = about if isinstance(about, dict) else {}
    return MailPiece(
        name=str(known.get("filename") or part.filename),
        content_type=str(known.get("type") or part.content_type),
        base64=b64encode(part.value).decode(),
        content_id=str(known.get("content-id") or part.content_id),
    )


def _json(value: bytes) -> dict[str, Any]:
    """Parse a JSON object; empty if it is none."""
    try:
        found = json.loads(text_of(value))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
