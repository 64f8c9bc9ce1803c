"""Mandrill (Mailchimp Transactional): a form with a list of events; the signature covers the URL, too."""

import binascii
import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

from triage.config.settings import Settings
from triage.domain.errors import BadSignature, NotAMail, SettingsInvalid
from triage.domain.mail import Trust
from triage.policy.sender.trust import Check, Findings, sender_of, trust_of
from webhooks.forms import PostedForm, text_of
from webhooks.providers.base import InboundDelivery, Request
from webhooks.rebuilt_mail import Fields, MailPiece, NamedAddress, mail_of

EVENTS: Final = "mandrill_events"
TRYOUT: Final = b"test-webhook"
"""The key that Mandrill signs its empty test request with, before the webhook has a key."""
SHORTEST: Final = 16


class Mandrill:
    """Mandrill inbound mail. A retry repeats all mails of a request; the hashes of stored ones are known."""

    name: ClassVar[str] = "mandrill"
    needs: ClassVar[tuple[str, ...]] = ("MANDRILL_KEY", "MANDRILL_URL")
    max_expansion: ClassVar[float] = 6
    """Raw mail and base64 attachments in URL-encoded JSON, several mails per request."""
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = False

    def __init__(self, key: str, url: str) -> None:
        if len(key) < SHORTEST or not url.startswith(("https://", "http://")):
            cure = (
                f"MANDRILL_KEY: {SHORTEST} characters or more, and a MANDRILL_URL; copy both from the inbound webhook"
            )
            raise SettingsInvalid((cure,))
        self._key, self._url = key.encode(), url.encode()

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Read key and URL from the settings; None if both are empty."""
        key = settings.mandrill_key.get_secret_value()
        return cls(key, settings.mandrill_url) if key or settings.mandrill_url else None

    def verify(self, request: Request) -> None:
        """Check the HMAC-SHA1 of URL and fields; SHA1's collisions do not weaken its HMAC."""
        try:
            form = PostedForm.read(request.headers, request.body)
            signature = b64decode(request.headers.get("x-mandrill-signature", ""), validate=True)
        except (NotAMail, binascii.Error, ValueError):
            raise BadSignature(self.name, "no signed form") from None
        if hmac.compare_digest(signature, self._digest(self._key, form)):
            return
        tryout = hmac.compare_digest(signature, self._digest(TRYOUT, form))
        if not (tryout and form.bytes(EVENTS).strip() == b"[]"):
            raise BadSignature(self.name, "another key, or MANDRILL_URL is not exactly the URL entered there")

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return one mail per inbound event. Raises `NotAMail`."""
        try:
            events = json.loads(text_of(PostedForm.read(request.headers, request.body).bytes(EVENTS)))
        except (ValueError, RecursionError) as e:
            raise NotAMail(f"no list of events: {type(e).__name__}") from e
        if not isinstance(events, list):
            raise NotAMail("no list of events")
        inbound = [event for event in events if isinstance(event, dict) and event.get("event") == "inbound"]
        if events and not inbound:
            raise NotAMail("events, but none is a mail; this URL belongs under Inbound")
        return [_delivery(event) for event in inbound]

    def _digest(self, key: bytes, form: PostedForm) -> bytes:
        mac = hmac.new(key, self._url, "sha1")
        for part in sorted(form.parts, key=lambda part: part.name):
            mac.update(part.name.encode("utf-8", "surrogatepass") + part.value)
        return mac.digest()


def _delivery(event: Mapping[str, Any]) -> InboundDelivery:
    """Return the raw mail, else one rebuilt from the fields, else the event's JSON."""
    msg = _object(event.get("msg"))
    raw = str(msg.get("raw_msg") or "").encode("utf-8", "replace")
    if not raw:
        raw = mail_of(_fields(msg)) if msg else json.dumps(event).encode()
    name = sha256(repr(msg.get("email")).encode("utf-8", "replace") + b"\0" + raw).hexdigest()
    return InboundDelivery(id=name, raw=raw, verdict=_trust(msg, raw))


def _trust(msg: Mapping[str, Any], raw: bytes) -> Trust:
    """Judge the sender; Mandrill does not name the domains that it checked, so the proof is weak at best."""
    spf, dkim = _object(msg.get("spf")), _object(msg.get("dkim"))
    return trust_of(
        Findings(
            sender=sender_of(raw),
            spf=Check.of(str(spf.get("result", ""))),
            dkim=Check.PASS if dkim.get("signed") is True and dkim.get("valid") is True else Check.NONE,
        )
    )


def _fields(msg: Mapping[str, Any]) -> Fields:
    headers = _object(msg.get("headers"))
    return Fields(
        headers=[(name, text) for name, value in headers.items() for text in _texts(value)],
        mailboxes=[
            ("From", (NamedAddress(email=str(msg.get("from_email") or ""), name=str(msg.get("from_name") or "")),))
        ],
        words=[("Subject", str(msg.get("subject") or "")), ("Delivered-To", str(msg.get("email") or ""))],
        text=str(msg.get("text") or ""),
        html=str(msg.get("html") or ""),
        pieces=[
            *_pieces(_object(msg.get("attachments")), inline=False),
            *_pieces(_object(msg.get("images")), inline=True),
        ],
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield the values of a header; a repeated one comes as a list."""
    for text in value if isinstance(value, list) else [value]:
        yield str(text)


def _pieces(files: Mapping[str, Any], *, inline: bool) -> Iterator[MailPiece]:
    """Yield attachments: files are plain text or base64, images always base64 with their content id as name."""
    for name, given in files.items():
        file = _object(given)
        content = str(file.get("content") or "")
        coded = inline or file.get("base64") is True
        yield MailPiece(
            name=str(file.get("name") or name),
            content_type=str(file.get("type") or ""),
            base64=content if coded else b64encode(content.encode("utf-8", "replace")).decode(),
            content_id=name if inline else "",
        )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
