"""Postmark Inbound: unsigned JSON, authenticated by user and password in the URL."""

import binascii
import hmac
import json
from base64 import b64decode
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_pascal

from triage.config.settings import Settings
from triage.domain.errors import BadSignature, NotAMail, SettingsInvalid
from webhooks.providers.base import InboundDelivery, Request
from webhooks.rebuilt_mail import Fields, MailPiece, NamedAddress, mail_of

MIN_PASSWORD: Final = 24


class Postmark:
    """Postmark inbound mail; "Include raw email content in JSON payload" makes Postmark post the raw mail."""

    name: ClassVar[str] = "postmark"
    needs: ClassVar[tuple[str, ...]] = ("POSTMARK_USER", "POSTMARK_PASSWORD")
    max_expansion: ClassVar[float] = 3
    """Attachments come twice in base64: extracted, and in the raw mail."""
    blocking: ClassVar[bool] = False
    drops_on_4xx: ClassVar[bool] = False

    def __init__(self, user: str, password: str) -> None:
        if not user or len(password) < MIN_PASSWORD:
            cure = (
                f"POSTMARK_PASSWORD: {MIN_PASSWORD} characters or more, and a POSTMARK_USER; try: openssl rand -hex 24"
            )
            raise SettingsInvalid((cure,))
        self._login = f"{user}:{password}".encode()

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Read user and password from the settings; None if both are empty."""
        password = settings.postmark_password.get_secret_value()
        return cls(settings.postmark_user, password) if settings.postmark_user or password else None

    def verify(self, request: Request) -> None:
        """Check HTTP basic authentication in constant time."""
        scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
        try:
            login = b64decode(encoded.strip(), validate=True)
        except (binascii.Error, ValueError):
            login = b""
        if not hmac.compare_digest(self._login, login) or scheme.lower() != "basic":
            raise BadSignature(self.name, "user or password in the URL is missing or wrong")

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return the raw mail, else one rebuilt from the fields.

        There is no verdict: Postmark reports its checks among the headers, which the sender can forge.
        """
        mail = _inbound(request.body)
        if not (mail.raw_email or mail.headers or mail.from_full.email):
            raise NotAMail("an event of Postmark; this URL belongs under Inbound, not under the other webhooks")
        raw = mail.raw_email.encode() if mail.raw_email else mail_of(mail.fields)
        return [InboundDelivery(id=mail.message_id or sha256(request.body).hexdigest(), raw=raw)]


class _Part(BaseModel):
    """Base of the payload's models: ignores unknown fields and treats null as absent."""

    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_pascal)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, fields: Any) -> Any:
        return {k: v for k, v in fields.items() if v is not None} if isinstance(fields, dict) else fields


class _Header(_Part):
    name: str
    value: str = ""


class _Address(_Part):
    email: str = ""
    name: str = ""

    @property
    def mailbox(self) -> NamedAddress:
        return NamedAddress(email=self.email, name=self.name)


class _Attachment(_Part):
    name: str = ""
    content_type: str = ""
    content: str = Field("", alias="Data")
    content_id: str = Field("", alias="ContentID")

    @property
    def piece(self) -> MailPiece:
        return MailPiece(
            name=self.name, content_type=self.content_type, base64=self.content, content_id=self.content_id
        )


class _Inbound(_Part):
    message_id: str = Field("", alias="MessageID")
    from_full: _Address = _Address()
    to_full: tuple[_Address, ...] = ()
    cc_full: tuple[_Address, ...] = ()
    bcc_full: tuple[_Address, ...] = ()
    reply_to: str = ""
    subject: str = ""
    date: str = ""
    original_recipient: str = ""
    text_body: str = ""
    html_body: str = ""
    raw_email: str = ""
    headers: tuple[_Header, ...] = ()
    attachments: tuple[_Attachment, ...] = ()

    @property
    def fields(self) -> Fields:
        """The mail's fields; Postmark's header list has neither addresses nor subject and date."""
        boxes = {"From": (self.from_full,), "To": self.to_full, "Cc": self.cc_full, "Bcc": self.bcc_full}
        return Fields(
            headers=[(header.name, header.value) for header in self.headers],
            mailboxes=[(name, [box.mailbox for box in given if box.email]) for name, given in boxes.items()],
            words=[
                ("Reply-To", self.reply_to),
                ("Subject", self.subject),
                ("Date", self.date),
                ("Delivered-To", self.original_recipient),
            ],
            text=self.text_body,
            html=self.html_body,
            pieces=[attachment.piece for attachment in self.attachments],
        )


def _inbound(body: bytes) -> _Inbound:
    """Parse the payload. Raises `NotAMail`."""
    try:
        try:
            return _Inbound.model_validate_json(body)
        except ValidationError:
            return _Inbound.model_validate_json(_without_surrogates(body))
    except (ValueError, RecursionError) as e:
        raise NotAMail(f"no inbound message of Postmark: {type(e).__name__}") from e


def _without_surrogates(body: bytes) -> bytes:
    """Replace lone surrogates (a text cut in the middle of an emoji), which pydantic refuses."""
    text = json.dumps(json.loads(body.decode("utf-8-sig", "replace")), ensure_ascii=False)
    return text.encode("utf-8", "replace")
